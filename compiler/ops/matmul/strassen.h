// StrassenMatmul: computes a product of two large float32 matrices by seven
// products of their quarters instead of eight. The recursion has one level.
// Source: V. Strassen, "Gaussian Elimination is not Optimal", Numerische
// Mathematik 13, 1969.
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
// (blocked_products.h). The seven products are written to a workspace, which is
// 7/4 times as large as the result. Each of them is then read once.
//
// The algorithm is not exact (Implementation::inexact):
//
// - As in the direct algorithm, the error of each element of the result is
//   bounded by a multiple of eps * k * max|a| * max|b|, where eps is the
//   machine epsilon.
// - In the direct algorithm, the error of each element is also bounded by a
//   multiple of eps times the element of the matrix product |a| |b| at the same
//   position. This bound does not hold here. If rows or columns of an operand
//   differ much in magnitude, the elements that are computed from small rows or
//   columns therefore lose digits. Source: N. Higham, "Accuracy and Stability
//   of Numerical Algorithms", chapter 23.
// - An infinity can become NaN, and infinities and NaNs can spread to rows and
//   columns of other quarters of the result.
// - Sums of quarters can overflow if the absolute value of an element is larger
//   than half of the largest finite float.
#ifndef ASSAY_COMPILER_OPS_MATMUL_STRASSEN_H_
#define ASSAY_COMPILER_OPS_MATMUL_STRASSEN_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if all of the following conditions hold:
//
// - `op` is a product of two matrices, and all types are float32.
// - m and k are even.
// - n is a multiple of twice the number of float32 lanes of a vector.
// - The quarters have enough rows and reduction steps for packing.
// - 32-bit indices suffice for the seven products (TilesFitIndices in
//   block_sizes.h).
bool StrassenApplies(const OpInstance& op, const target::Target& target);

// Returns BlockSpace (block_sizes.h) for the products of quarters.
ConfigSpace StrassenSpace(const OpInstance& op, const target::Target& target);
// Returns DefaultBlocks (block_sizes.h) for the products of quarters. On
// several cores, each thread gets its own block of columns if there are enough
// columns.
Config DefaultStrassenConfig(const OpInstance& op,
                             const target::Target& target);
// Returns the modelled time in seconds.
double StrassenSeconds(const OpInstance& op, const target::Target& target,
                       const Config& config);

// The error bound is 1e-5.
extern const Inexact kStrassen;

// Returns the result, a tensor with tag "matmul". It is computed from the stage
// of the seven products, which has the tag "matmul.products".
te::Tensor StrassenMatmul(const OpInstance& op, const Operands& in,
                          const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` (from StrassenMatmul) and whose
// result is `output`: `matmul` itself or an elementwise function of it.
void ScheduleStrassen(schedule::Schedule& s, const OpInstance& op,
                      const te::Tensor& matmul, const te::Tensor& output,
                      const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_STRASSEN_H_
