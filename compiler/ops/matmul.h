// matmul: y[…, m, n] = sum over k of a[…, m, k] * b[…, k, n], where the leading
// axes broadcast.
#ifndef ASSAY_COMPILER_OPS_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The product, tagged "matmul"; `output` is the shape that type inference gave.
te::Tensor Matmul(const te::Tensor& a, const te::Tensor& b,
                  const Shape& output);

// Schedules a kernel whose anchor is `matmul` (from Matmul) and whose result is
// `output`, matmul itself or an element-wise function of it.
void ScheduleMatmul(schedule::Schedule& s, const te::Tensor& matmul,
                    const te::Tensor& output, const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_H_
