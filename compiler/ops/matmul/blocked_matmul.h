// BlockedMatmul: the product of two large matrices of floats, blocked for three
// levels of cache, as K. Goto and R. van de Geijn describe in "Anatomy of
// High-Performance Matrix Multiplication", 2008:
//
//   for columns in steps of nc, for k in steps of kc:
//     pack b[kc, nc] into panels of nr columns        stays in L3
//     for rows in steps of mc:
//       pack a[mc, kc] into panels of mr rows         stays in L2
//       for panels of b (each stays in L1), for panels of a:
//         register tile mr x nr (register_tile.h): sum over kc, added to y
//
// Threads share out either the columns, each packing what it needs of b, or the
// packing of b and then the rows (`apart` in block_sizes.h).
//
// Weights that were packed ahead (packed_dense) are panels of b already.
// Packing makes every load of the innermost loop the next in memory, and a
// float32 of what is stored as float16 or bfloat16.
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Floats, with enough work to pay for packing.
bool BlockedMatmulApplies(const OpInstance& op, const target::Target& target);

// mr, nr: the register tile. mc, nc: panels of a and of b in a block, kc: its
// depth.
ConfigSpace BlockedMatmulSpace(const OpInstance& op,
                               const target::Target& target);
// DefaultBlocks of block_sizes.h.
Config DefaultBlockedMatmulConfig(const OpInstance& op,
                                  const target::Target& target);

// The packed operands ("matmul.a", "matmul.b"), the tiles ("matmul.tile") and
// the product, tagged "matmul".
te::Tensor BlockedMatmul(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` and whose result is `output`,
// matmul itself or an element-wise function of it.
void ScheduleBlockedMatmul(schedule::Schedule& s, const OpInstance& op,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCKED_MATMUL_H_
