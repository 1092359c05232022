// matmul: y[…, m, n] = sum over k of a[…, m, k] * b[…, k, n], where the leading
// axes broadcast. Computes one row of the result at a time, for products that
// are too small for packing (blocked_matmul.h) or too large for the indices of
// its tiles, and for stacks of integer matrices (integer_matmul.h).
#ifndef ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// The product, tagged "matmul".
te::Tensor Matmul(const OpInstance& op, const Operands& in,
                  const target::Target& target, const Config& config);

// packed_dense with panels of any shape, tagged "matmul".
te::Tensor PackedDenseRows(const OpInstance& op, const Operands& in,
                           const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` (from Matmul or PackedDenseRows)
// and whose result is `output`, matmul itself or an element-wise function of
// it.
void ScheduleMatmul(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& matmul, const te::Tensor& output,
                    const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_MATMUL_H_
