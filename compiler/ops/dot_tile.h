// DotTile: how a target multiplies narrow integers in the register tile of a
// matrix product or convolution, and the intrinsic (te/tensor_intrin.h) that
// puts it there.
//
// A step of the tile adds to each lane of a vector of int32 the products of
// `depth` neighbours along the reduction:
//
//   c[i] += sum over k < depth of a[k] * b[i, k]
//
// a, the same for all lanes, stands in memory as `a` says. The factors b[i, 0],
// b[i, 1], … of a lane are packed into one int32, the first in the lowest bits,
// which is what the dot products of expr/intrinsics.h take. Without those depth
// is 1 and b is what `b` says: a multiplication that widens.
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
  DType a, b;  // of single factors: 32 / depth bits, or int16 where depth is 1
  expr::Intrinsic intrinsic = expr::Intrinsic::kDot2S16;
  bool swapped = false;  // the intrinsic takes b first

  // How b is stored.
  DType packed_b() const { return depth == 1 ? b : DType::Int32(); }
};

// For operands of int8, uint8 or int16: bytes where the target multiplies
// bytes four at a time, pairs of int16 on other x86, else single int16.
DotTile ChooseDotTile(const target::Target& target, DType a, DType b);

// The depth factors of a lane in one int32.
expr::Expr PackFactors(const DotTile& tile,
                       const std::vector<expr::Expr>& factors);
// Factor `k` of what PackFactors made, as int32.
expr::Expr UnpackFactor(const DotTile& tile, const expr::Expr& packed,
                        const expr::Expr& k);

// How the intrinsic finds b: as PackFactors makes it, b[lanes], or as its
// factors side by side, b[lanes, depth], which is the same in memory.
enum class DotFactorsOf { kPacked, kNeighbours };

// For depth > 1.
std::shared_ptr<const te::TensorIntrin> DotIntrin(const DotTile& tile,
                                                  int64_t lanes,
                                                  DotFactorsOf b);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DOT_TILE_H_
