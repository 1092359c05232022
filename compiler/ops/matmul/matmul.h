// matmul: y[…, m, n] = sum over k of a[…, m, k] * b[…, k, n], where the leading
// axes broadcast.
//
// Large products of two matrices are blocked for three levels of cache, as
// K. Goto and R. van de Geijn describe in "Anatomy of High-Performance Matrix
// Multiplication", 2008:
//
//   for columns in steps of nc, for k in steps of kc:
//     pack b[kc, nc] into panels of nr columns        stays in L3
//     for rows in steps of mc, shared out:
//       pack a[mc, kc] into panels of mr rows         stays in L2
//       for panels of b (each stays in L1), for panels of a:
//         register tile mr x nr (register_tile.h): sum over kc, added to y
//
// Weights that were packed ahead (packed_dense) are panels of b already.
// Packing makes every load of the innermost loop the next in memory, and a
// float32 of what is stored as float16 or bfloat16. Integers have a file of
// their own (integer_matmul.h).
#ifndef ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// The product, tagged "matmul".
te::Tensor Matmul(const OpInstance& op, const Operands& in,
                  const target::Target& target, const Config& config);

// packed_dense of any panels, tagged "matmul".
te::Tensor PackedDenseRows(const OpInstance& op, const Operands& in,
                           const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` (from Matmul or PackedDenseRows)
// and whose result is `output`, matmul itself or an element-wise function of
// it.
void ScheduleMatmul(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& matmul, const te::Tensor& output,
                    const target::Target& target, const Config& config);

// The blocked product of two matrices, with enough work to pay for packing.
bool BlockedMatmulApplies(const OpInstance& op, const target::Target& target);
// mr, nr: the register tile. mc, nc: panels of a and of b in a block, kc: its
// depth.
ConfigSpace BlockedMatmulSpace(const OpInstance& op,
                               const target::Target& target);
// The tile with the fewest cycles per step; blocks that fill half of each
// cache.
Config DefaultBlockedMatmulConfig(const OpInstance& op,
                                  const target::Target& target);
// The packed operands ("matmul.a", "matmul.b") and the product, tagged
// "matmul".
te::Tensor BlockedMatmul(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);
void ScheduleBlockedMatmul(schedule::Schedule& s, const OpInstance& op,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_
