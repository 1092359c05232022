// matmul: y[…, m, n] = sum over k of a[…, m, k] * b[…, k, n], where the leading
// axes broadcast.
//
// These implementations compute one row of the result at a time. They are used
// where the faster blocked implementations do not apply, for example to
// matrices that are too small for packing or too large for 32-bit indices
// (blocked_matmul.h), to stacks of integer matrices, and to integers of more
// than 16 bits (integer_matmul.h).
#ifndef ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true unless b is stored in panels.
bool MatmulApplies(const OpInstance& op, const target::Target& target);
// Returns the product, a tensor with tag "matmul".
te::Tensor Matmul(const OpInstance& op, const Operands& in,
                  const target::Target& target, const Config& config);

// Returns true if b is stored in panels that are not split (tiled_matmul.h).
bool PanelRowsApply(const OpInstance& op, const target::Target& target);
// Computes the product with panels of any width. Returns a tensor with tag
// "matmul".
te::Tensor PanelRows(const OpInstance& op, const Operands& in,
                     const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` (from Matmul or PanelRows)
// and whose result is `output`: `matmul` itself or an elementwise function of
// it.
void ScheduleMatmul(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& matmul, const te::Tensor& output,
                    const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_
