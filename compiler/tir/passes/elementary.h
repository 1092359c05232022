// ExpandElementary: expands elementary functions into additions,
// multiplications, divisions, comparisons and bit operations, on scalars or
// vectors. The functions are exp, log, pow, fmod, erf, sigmoid, and the
// trigonometric and hyperbolic functions and their inverses.
//
// Most expansions are a range reduction followed by a polynomial. The
// coefficients are from Cephes (S. L. Moshier) and FDLIBM (Sun Microsystems),
// except that the coefficients of erf are from the rational approximation in
// Eigen. The tables list the maximum errors in units in the last place (ulp).
// elementary_test checks these limits: pow and fmod are tested with selected
// arguments, and every other function with a dense sample of all finite
// arguments. erf of float64 is not supported. fmod is exact.
//
//            exp  log  tanh  sigmoid  erf   pow   sin  cos  tan
//   float32  1.1  0.9  1.6   2.2      6.0   0.6   1.5  1.5  3.0
//   float64  1.1  0.9  1.6   2.2      -     *     1.5  1.5  3.0
//
//            asin  acos  atan  sinh  cosh  asinh  acosh  atanh
//   float32  2.5   2.0   2.0   4.0   4.0   3.5    3.5    3.0
//   float64  2.5   2.0   2.0   4.0   4.0   3.5    3.5    3.0
//
// * pow(x, y) of float64: if y is an integer and |y| <= 63, x^|y| is computed
// by repeated multiplication; if y < 0, the result is 1 / x^|y|. For
// 0 <= y <= 63, the result is exact if it is representable. If y is not an
// integer or |y| > 63, the result is computed as exp(y log x). The error is at
// most |y log x| + 6 ulp in all cases.
//
// sin, cos and tan treat finite arguments above 2^28 (float32) or 10^6
// (float64) as 0. At 2^28, the distance between adjacent float32 values exceeds
// the period of the functions. 10^6 is the limit of the range reduction for
// float64.
//
// float16 and bfloat16 are computed in float32. These results are as in the C
// library:
//   - results for infinities and NaN;
//   - results that overflow or are subnormal;
//   - log of zero, of negative numbers and of subnormal numbers.
// There is one exception: pow of float64 returns 0 for a negative integer y if
// x^|y| overflows, even if the exact result is subnormal. No expansion requires
// fused multiply-add; the error limits also hold if multiplications and
// additions are contracted.
#ifndef ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
#define ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_

#include <functional>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::tir {

// A function that is called for each value that an expansion uses more than
// once. It returns an expression for the value that is cheap to repeat (a
// variable or a load), or `value` itself if the value cannot be stored.
using ShareFn = std::function<expr::Expr(const expr::Expr& value)>;

// Returns the expansion of `intrinsic` applied to `args`. CHECK-fails if
// `intrinsic` is not elementary (expr::IsElementary), and for erf of float64.
expr::Expr ExpandElementary(expr::Intrinsic intrinsic,
                            const std::vector<expr::Expr>& args,
                            const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
