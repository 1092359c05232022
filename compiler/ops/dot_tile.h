// DotTile: the instruction by which a target multiplies narrow integers in the
// register tile of a matrix product or convolution, and the intrinsic
// (te/tensor_intrin.h) that tensorizes with it.
//
// A step of the tile adds the products of `depth` neighbours along the
// reduction to each int32 lane of a vector:
//
//   c[i] += sum over k < depth of a[k] * b[i, k]
//
// `a` is the same for all lanes and has the type DotTile::a in memory. The
// factors b[i, 0], b[i, 1], … of a lane are packed into one int32, the first in
// the lowest bits, as the dot products of expr/intrinsics.h expect. On targets
// without these instructions depth is 1 and b has the type DotTile::b: a
// widening multiplication.
#ifndef ASSAY_COMPILER_OPS_DOT_TILE_H_
#define ASSAY_COMPILER_OPS_DOT_TILE_H_

#include <cstdint>
#include <memory>

#include "compiler/expr/expr.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor_intrin.h"

namespace assay::ops {

struct DotTile {
  int64_t depth = 1;
  DType a, b;  // types of single factors: 32 / depth bits, int16 if depth is 1
  expr::Intrinsic intrinsic = expr::Intrinsic::kDot2S16;
  bool swapped = false;  // the intrinsic takes b first

  // The type of b in memory.
  DType packed_b() const { return depth == 1 ? b : DType::Int32(); }
};

// The tile for operands of int8, uint8 or int16: bytes if the target has dot
// products of four bytes, pairs of int16 on other x86 targets, else single
// int16.
DotTile ChooseDotTile(const target::Target& target, DType a, DType b);

// Packs the `depth` factors of a lane into one int32.
expr::Expr PackFactors(const DotTile& tile,
                       const std::vector<expr::Expr>& factors);
// Factor `k` of a result of PackFactors, as int32.
expr::Expr UnpackFactor(const DotTile& tile, const expr::Expr& packed,
                        const expr::Expr& k);

// The form of the intrinsic's operand b: packed by PackFactors, b[lanes], or
// neighbouring factors, b[lanes, depth], which have the same bytes in memory.
enum class DotFactorsOf { kPacked, kNeighbours };

// Requires depth > 1.
std::shared_ptr<const te::TensorIntrin> DotIntrin(const DotTile& tile,
                                                  int64_t lanes,
                                                  DotFactorsOf b);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DOT_TILE_H_
