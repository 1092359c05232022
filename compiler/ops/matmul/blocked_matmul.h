// BlockedMatmul: matmul and packed_dense of float matrices that are large
// enough to be packed (blocked_products.h).
//
// The weights of packed_dense have been packed into panels of b at compile
// time.
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Applies to floats with enough work to pay for packing.
bool BlockedMatmulApplies(const OpInstance& op, const target::Target& target);

// mr, nr: the register tile. mc, nc: panels of a and of b in a block. kc: depth
// of a block. parallel: see block_sizes.h.
ConfigSpace BlockedMatmulSpace(const OpInstance& op,
                               const target::Target& target);
// DefaultBlocks of block_sizes.h.
Config DefaultBlockedMatmulConfig(const OpInstance& op,
                                  const target::Target& target);

// The product, tagged "matmul".
te::Tensor BlockedMatmul(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` and whose result is `output`,
// matmul itself or an element-wise function of it.
void ScheduleBlockedMatmul(schedule::Schedule& s, const OpInstance& op,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_
