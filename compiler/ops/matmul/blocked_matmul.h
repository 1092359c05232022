// BlockedMatmul: computes matmul and dense of float matrices that are
// large enough for packing, as described in blocked_products.h.
//
// If the second operand is stored in panels, it has been packed at compile
// time.
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the result has a float type and two conditions hold:
//   - If `op` is a matmul, its matrices are large enough for packing. If `op`
//     has panels, they have a width of kPanelVectors.
//   - The matrices are small enough for 32-bit indices (TilesFitIndices).
bool BlockedMatmulApplies(const OpInstance& op, const target::Target& target);

// Returns BlockSpace (block_sizes.h) for `op`.
ConfigSpace BlockedMatmulSpace(const OpInstance& op,
                               const target::Target& target);
// Returns DefaultBlocks (block_sizes.h) for `op`.
Config DefaultBlockedMatmulConfig(const OpInstance& op,
                                  const target::Target& target);

// Returns the product, a tensor with tag "matmul".
te::Tensor BlockedMatmul(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` (from BlockedMatmul) and whose
// result is `output`: `matmul` itself or an elementwise function of it.
void ScheduleBlockedMatmul(schedule::Schedule& s, const OpInstance& op,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_
