// Functions that reductions and elementwise operators share.
//
// Maximum and Minimum are those of IEEE 754: the result is NaN if either
// operand is NaN. expr::Max and expr::Min, which are one instruction, keep NaN
// in the first operand only. The first operand occurs once in the result, the
// second up to three times. The results of 0 and -0 may be either of them.
//
// MaximumOf and MinimumOf are the reducers of these functions.
//
// ArgMax and ArgMin are reducers over tuples. ArgMax (ArgMin) reduces pairs of
// an int32 index and a value to the largest (smallest) value and its index:
//   - Among equal values, the pair with the smallest index is selected, or the
//     pair with the largest index if `last` is true.
//   - Both ArgMax and ArgMin prefer NaN to every number, so the result is the
//     first (with `last`: the last) NaN if there is one.
//   - 0 and -0 are equal, and the value of the result may be either of them.
//     Apart from this sign, the result does not depend on the order in which
//     pairs are combined.
// Example:
//
//   ReduceTuple(ArgMax(x.dtype()), {r.var, x(i, r.var)}, {r})
#ifndef ASSAY_COMPILER_TE_REDUCERS_H_
#define ASSAY_COMPILER_TE_REDUCERS_H_

#include "compiler/expr/expr.h"

namespace assay::te {

expr::Expr Maximum(expr::Expr a, expr::Expr b);
expr::Expr Minimum(expr::Expr a, expr::Expr b);

expr::Reducer MaximumOf(DType type);
expr::Reducer MinimumOf(DType type);

expr::Reducer ArgMax(DType value_type, bool last = false);
expr::Reducer ArgMin(DType value_type, bool last = false);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_REDUCERS_H_
