// exp, log, tanh, erf and sigmoid spelt out in additions, multiplications,
// divisions, comparisons and bit operations, on scalars or lane by lane.
//
// Range reduction by powers of two followed by a short polynomial, with the
// coefficients published with Cephes (S. L. Moshier) and FDLIBM (Sun
// Microsystems), and those of the rational function for erf that Eigen uses.
// Largest errors on a dense sample of all finite arguments, in
// units of the last place (elementary_test measures them):
//
//   float32  exp 1.1  log 0.9  tanh 1.6  sigmoid 2.2  erf 6.0
//   float64  exp 1.1  log 0.9  tanh 1.6  sigmoid 2.2
//
// float16 and bfloat16 go through float32. Infinities, NaN, overflow, results
// that are subnormal, log of zero, of negative and of subnormal numbers all
// give what the C library gives. Nothing here depends on fused multiply-add,
// and fusing changes results by no more than the error stated.
#ifndef ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
#define ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_

#include <functional>

#include "compiler/expr/expr.h"

namespace assay::tir {

// Asked for each value that an expansion uses more than once; returns an
// expression that is cheap to repeat (a variable, a load), or the value itself
// where repeating it is all one can do.
using ShareFn = std::function<expr::Expr(const expr::Expr& value)>;

expr::Expr ExpandExp(const expr::Expr& x, const ShareFn& share);
expr::Expr ExpandLog(const expr::Expr& x, const ShareFn& share);
expr::Expr ExpandTanh(const expr::Expr& x, const ShareFn& share);
// Not of float64.
expr::Expr ExpandErf(const expr::Expr& x, const ShareFn& share);
expr::Expr ExpandSigmoid(const expr::Expr& x, const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_H_
