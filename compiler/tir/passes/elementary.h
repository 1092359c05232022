// Expansion of exp, log, pow, tanh, erf, sigmoid and the trigonometric and
// hyperbolic functions with their inverses into additions, multiplications,
// divisions, comparisons and bit operations, on scalars or lane by lane.
//
// Range reduction followed by a short polynomial. The coefficients are those of
// Cephes (S. L. Moshier) and FDLIBM (Sun Microsystems), and for erf those of
// the rational approximation in Eigen. Maximum errors in units in the last
// place (ulp) over a dense sample of all finite arguments, measured by
// elementary_test:
//
//            exp  log  tanh  sigmoid  erf   pow   sin  cos  tan
//   float32  1.1  0.9  1.6   2.2      6.0   0.6   1.5  1.5  3.0
//   float64  1.1  0.9  1.6   2.2      -     *     1.5  1.5  3.0
//
//            asin  acos  atan  sinh  cosh  asinh  acosh  atanh
//   float32  2.5   2.0   2.0   4.0   4.0   3.5    3.5    3.0
//   float64  2.5   2.0   2.0   4.0   4.0   3.5    3.5    3.0
//
// * pow of float64 uses repeated multiplication for integral exponents up to
// 63, so it is exact if the result is representable; otherwise it is exp(y log
// x), with an error of up to |y log x| + 2 ulp.
//
// sin, cos and tan reduce arguments up to 2^28 (float32) and 10^6 (float64) and
// treat larger ones as 0: at that magnitude the distance of adjacent arguments
// is of the order of the period.
//
// float16 and bfloat16 are computed in float32. Infinities, NaN, overflow,
// subnormal results, and log of zero, negative and subnormal numbers give the
// same results as the C library. Nothing depends on fused multiply-add, and
// contraction keeps results within the stated errors.
#ifndef ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
#define ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_

#include <functional>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::tir {

// Called for each value that an expansion uses more than once. Returns an
// expression that is cheap to repeat (a variable, a load), or the value itself
// if it cannot be stored.
using ShareFn = std::function<expr::Expr(const expr::Expr& value)>;

// `intrinsic` must be elementary (expr/intrinsics.h); erf of float64 is not
// supported.
expr::Expr ExpandElementary(expr::Intrinsic intrinsic,
                            const std::vector<expr::Expr>& args,
                            const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
