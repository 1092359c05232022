// DotTile: describes the dot product instruction with which a target multiplies
// narrow integers in matrix products and convolutions. DotIntrin() returns the
// corresponding tensor intrinsic (te/tensor_intrin.h) for Stage::Tensorize.
//
// One instruction computes, for each int32 lane i of a vector,
//
//   c[i] += sum over k < depth of a[k] * b[i, k]
//
// where k enumerates neighbouring steps of the reduction. `a` is the same for
// all lanes and is stored with type DotTile::a. The factors b[i, 0], b[i, 1], …
// of a lane are packed into one int32, with b[i, 0] in the lowest bits. The dot
// products of expr/intrinsics.h expect this order. On targets without dot
// products, depth is 1, b is stored with type DotTile::b, and the tile uses
// widening multiplications.
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
  // Types of a single factor. They have 32 / depth bits, or are int16 if depth
  // is 1.
  DType a, b;
  expr::Intrinsic intrinsic = expr::Intrinsic::kDot2S16;
  bool swapped = false;  // if true, b is the first factor of the intrinsic

  // Returns the type of b in memory.
  DType packed_b() const { return depth == 1 ? b : DType::Int32(); }
};

// Returns the tile for operands of types `a` and `b`, each int8, uint8 or
// int16. The depth is 4 if both operands have 8 bits and the target has dot
// products of bytes. Otherwise the operands are widened to int16, and the depth
// is 2 on x86-64 and 1 on other targets.
DotTile ChooseDotTile(const target::Target& target, DType a, DType b);

// Returns true if the dot products of bytes of the target multiply unsigned by
// signed bytes, and others need additional instructions.
bool MultipliesUnsignedOnly(const target::Target& target);

// Packs the `depth` factors of a lane into one int32.
expr::Expr PackFactors(const DotTile& tile,
                       const std::vector<expr::Expr>& factors);
// Returns factor `k` of `packed`, a result of PackFactors, as int32.
expr::Expr UnpackFactor(const DotTile& tile, const expr::Expr& packed,
                        const expr::Expr& k);

// The form of operand b of the intrinsic. Both forms have the same bytes in
// memory.
enum class DotFactorsOf {
  kPacked,     // int32 values b[lanes], packed by PackFactors
  kNeighbours  // narrow integers b[lanes, depth]
};

// Returns the intrinsic for vectors of `lanes` int32 values. tile.depth must be
// greater than 1.
std::shared_ptr<const te::TensorIntrin> DotIntrin(const DotTile& tile,
                                                  int64_t lanes,
                                                  DotFactorsOf b);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DOT_TILE_H_
