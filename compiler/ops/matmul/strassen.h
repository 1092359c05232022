// StrassenMatmul: a product of two large matrices of floats by seven products
// of their quarters instead of eight, as V. Strassen describes in "Gaussian
// Elimination is not Optimal", Numerische Mathematik 13, 1969; one level deep:
//
//   m1 = (a11 + a22) (b11 + b22)    c11 = m1 + m4 - m5 + m7
//   m2 = (a21 + a22) b11            c12 = m3 + m5
//   m3 = a11 (b12 - b22)            c21 = m2 + m4
//   m4 = a22 (b21 - b11)            c22 = m1 - m2 + m3 + m6
//   m5 = (a11 + a12) b22
//   m6 = (a21 - a11) (b11 + b12)
//   m7 = (a12 - a22) (b21 + b22)
//
// The sums of quarters are computed while the operands are packed
// (blocked_products.h), which reads them anyway. The additional cost is to
// write the products, 7/4 of the result, and to read them again.
//
// Not exact: like that of the definition, the error is bounded by a multiple of
// eps k max|a| max|b|, but not elementwise by that of |a| |b|. If rows or
// columns differ much in magnitude, the small ones lose digits to the large
// ones. (N. Higham, "Accuracy and Stability of Numerical Algorithms",
// chapter 23.) An infinity becomes NaN, and both can spread to the rows and
// columns of the other half. Values beyond half of the largest number overflow
// in sums of quarters.
//
// The products are a workspace of the kernel, 7/4 of the size of the result.
#ifndef ASSAY_COMPILER_OPS_MATMUL_STRASSEN_H_
#define ASSAY_COMPILER_OPS_MATMUL_STRASSEN_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Applies to float32 matrices with even sides whose halves have whole vectors
// of columns.
bool StrassenApplies(const OpInstance& op, const target::Target& target);

// BlockSpace and DefaultBlocks of the product of quarters.
ConfigSpace StrassenSpace(const OpInstance& op, const target::Target& target);
Config DefaultStrassenConfig(const OpInstance& op,
                             const target::Target& target);
double StrassenSeconds(const OpInstance& op, const target::Target& target,
                       const Config& config);

// Bound of the error relative to the largest element of the result.
double StrassenErrorBound(const OpInstance& op);

// The result, tagged "matmul", a sum of the products ("matmul.products").
te::Tensor StrassenMatmul(const OpInstance& op, const Operands& in,
                          const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` and whose result is `output`,
// matmul itself or an element-wise function of it.
void ScheduleStrassen(schedule::Schedule& s, const OpInstance& op,
                      const te::Tensor& matmul, const te::Tensor& output,
                      const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_STRASSEN_H_
