// Reducers over tuples that kernels share.
//
// ArgMax and ArgMin combine pairs (index: int32, value) and give the largest,
// or smallest, value and where it stands. Among equal values the one with the
// smallest index counts, or with the largest if `last`. A NaN beats every
// number, in both, so that where there are NaNs the result is the first (last)
// of them; 0 and -0 are equal, and either may be the value. Otherwise the order
// in which pairs are combined does not matter.
//
//   ReduceTuple(ArgMax(x.dtype()), {r.var, x(i, r.var)}, {r})
#ifndef ASSAY_COMPILER_TE_REDUCERS_H_
#define ASSAY_COMPILER_TE_REDUCERS_H_

#include "compiler/expr/expr.h"

namespace assay::te {

expr::Reducer ArgMax(DType value_type, bool last = false);
expr::Reducer ArgMin(DType value_type, bool last = false);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_REDUCERS_H_
