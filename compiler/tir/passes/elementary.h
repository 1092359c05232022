// exp, log, pow, tanh, erf, sigmoid and the trigonometric and hyperbolic
// functions with their inverses spelt out in additions, multiplications,
// divisions, comparisons and bit operations, on scalars or lane by lane.
//
// Range reduction followed by a short polynomial, with the coefficients
// published with Cephes (S. L. Moshier) and FDLIBM (Sun Microsystems), and
// those of the rational function for erf that Eigen uses. Largest errors on a
// dense sample of all finite arguments, in units of the last place
// (elementary_test measures them):
//
//            exp  log  tanh  sigmoid  erf   pow   sin  cos  tan
//   float32  1.1  0.9  1.6   2.2      6.0   0.6   1.5  1.5  3.0
//   float64  1.1  0.9  1.6   2.2      -     *     1.5  1.5  3.0
//
//            asin  acos  atan  sinh  cosh  asinh  acosh  atanh
//   float32  2.5   2.0   2.0   4.0   4.0   3.5    3.5    3.0
//   float64  2.5   2.0   2.0   4.0   4.0   3.5    3.5    3.0
//
// * pow of float64 multiplies for whole exponents up to 63, so that it is exact
// where the result is short; elsewhere it is exp(y log x), whose error is up
// to |y log x| + 2 units.
//
// sin, cos and tan reduce arguments up to 2^28 (float32) and 10^6 (float64)
// and take larger ones for 0: there one argument is further from the next than
// a period is long, or nearly so.
//
// float16 and bfloat16 go through float32. Infinities, NaN, overflow, results
// that are subnormal, log of zero, of negative and of subnormal numbers all
// give what the C library gives. Nothing here depends on fused multiply-add,
// and fusing changes results by no more than the error stated.
#ifndef ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
#define ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_

#include <functional>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::tir {

// Asked for each value that an expansion uses more than once; returns an
// expression that is cheap to repeat (a variable, a load), or the value itself
// where repeating it is all one can do.
using ShareFn = std::function<expr::Expr(const expr::Expr& value)>;

// `intrinsic` is elementary (expr/intrinsics.h); erf is not of float64.
expr::Expr ExpandElementary(expr::Intrinsic intrinsic,
                            const std::vector<expr::Expr>& args,
                            const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
