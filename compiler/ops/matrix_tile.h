// MatrixTile: describes how the matrix unit of a target multiplies matrices
// with tile products (expr/intrinsics.h). MatrixTileIntrin() returns the
// corresponding tensor intrinsic (te/tensor_intrin.h) for Stage::Tensorize.
//
// A tile product adds the product of a matrix of 16 x `depth` elements and one
// of `depth` x 16 elements to 16 x 16 accumulators. The rows of a tile of `a`
// may be apart in memory. Tiles of `b` are contiguous:
//
//   a   [16 rows, depth]
//   b   [depth / factors, 16 columns, factors], where `factors` neighbours of a
//       column fill an int32
//
// Bytes are multiplied exactly. Float32 values are split in two parts:
//
//   x = high + low + r,  |r| <= 2^-18 |x|
//
// `high` is x, rounded to bfloat16, and `low` is the rest, rounded to bfloat16.
// Of the four products of the parts of two numbers, all but the product of both
// low parts are added (`terms`), in float32. A product has an error of about
// 2^-18. The signs of the errors are random, so errors of long sums cancel.
// Source: G. Henry, P. T. P. Tang and A. Heinecke, "Leveraging the bfloat16
// Artificial Intelligence Datatype For Higher-Precision Computations", ARITH
// 2019.
//
// NaN stays NaN. An infinity becomes NaN, and so does a number above 3.3e38,
// whose high part overflows. Subnormal numbers count as 0. Implementations with
// split numbers are therefore not exact (Implementation::inexact).
#ifndef ASSAY_COMPILER_OPS_MATRIX_TILE_H_
#define ASSAY_COMPILER_OPS_MATRIX_TILE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/ops/implementation.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor_intrin.h"

namespace assay::ops {

// All implementations with split numbers. The error bound is 1e-5.
extern const Inexact kSplitNumbers;

// The nominal cycles of one tile product.
constexpr double kTileProductCycles = 16;
// Cycles to split a number and to store its parts, in vectors.
constexpr double kSplitCycles = 0.35;

struct MatrixTile {
  // Number of steps of the reduction in one tile product.
  int64_t depth = 0;
  // Types of the elements of both factors in memory, and of the accumulators.
  DType a, b, sum;
  expr::Intrinsic intrinsic = expr::Intrinsic::kTileDot2BF16;

  bool splits() const { return a == DType::BFloat16(); }
  // Number of parts of a number, and of tile products per pair of tiles.
  int64_t parts() const { return splits() ? 2 : 1; }
  int64_t terms() const { return splits() ? 3 : 1; }
  int64_t factors() const { return depth / expr::kTileRows; }
};

// Returns the tile products for factors of types `a` and `b`. Returns nullopt
// unless both are float32, or both are int8 or uint8, and the target has a
// matrix unit for them.
std::optional<MatrixTile> FindMatrixTile(const target::Target& target, DType a,
                                         DType b);

// Returns the part of factor a or b in product number `term`, which is less
// than MatrixTile::terms(). The parts change as rarely as possible, so that a
// tile is loaded once: low high, high high, high low.
expr::Expr PartOfA(const MatrixTile& tile, const expr::Expr& term);
expr::Expr PartOfB(const MatrixTile& tile, const expr::Expr& term);

// Returns part `part` (0: high, 1: low) of a float32 as bfloat16.
expr::Expr SplitPart(const expr::Expr& x, const expr::Expr& part);
// Returns x as an element of factor a: SplitPart(x, part), or x if numbers are
// not split.
expr::Expr ElementOfA(const MatrixTile& tile, const expr::Expr& x,
                      const expr::Expr& part);
// Returns `factors` neighbours of a column of b, packed in an int32.
expr::Expr PackedElementsOfB(const MatrixTile& tile,
                             const std::vector<expr::Expr>& neighbours,
                             const expr::Expr& part);

// Returns the product of an element of `a` and one of `b`. If `packed` is true,
// `b` is the result of PackedElementsOfB, of which `k` selects an element.
expr::Expr TileFactorProduct(const MatrixTile& tile, const expr::Expr& a,
                             const expr::Expr& b, bool packed,
                             const expr::Expr& k);

// Returns the intrinsic for c[16, 16] += a[16, k, f] * b[k, 16, f], reduced
// over k and f, or a[16, k, f] * b[k, 16] if `packed` is true.
std::shared_ptr<const te::TensorIntrin> MatrixTileIntrin(const MatrixTile& tile,
                                                         bool packed);

// Returns the intrinsic for c[16, 16] = a[16, 16], which copies accumulators.
std::shared_ptr<const te::TensorIntrin> CopyTileIntrin(const MatrixTile& tile);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATRIX_TILE_H_
