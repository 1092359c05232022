// Reducers over tuples that several kernels use.
//
// ArgMax and ArgMin reduce pairs (index: int32, value) to the largest or
// smallest value and its index. Among equal values the smallest index wins, or
// the largest if `last` is set. NaN wins over every number in both, so the
// result is the first (last) NaN if there is one; 0 and -0 are equal, and
// either may be returned. Otherwise the result does not depend on the order in
// which pairs are combined.
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
