// BindSharedValues: gives names to the values that the body of a stage uses
// several times.
//
// After a stage has been inlined, the body of its reader refers to one node for
// each element that it reads, however often it reads the element
// (compiler/schedule). All later passes treat expressions as trees, in which
// each use of the node is a copy. Therefore lowering first computes such values
// into local buffers of one element:
//
//   o[i] = v * sigmoid(v), where v = a[i] * tanh(a[i])
//   ->
//   alloc %shared: local float32[1]
//   %shared[0] = %a[i] * tanh(%a[i])
//   %o[i] = %shared[0] * sigmoid(%shared[0])
//
// The buffers become registers: the vectorize pass expands them to all lanes,
// and LLVM promotes them. A cheap value with few uses is copied instead, since
// code generators find equal arithmetic themselves. Index arithmetic is copied
// as well, because the simplifier must see it, and so are sums of few indices
// that are read from a tensor. An expression of many levels is
// cut into several values, so that recursive passes need little stack.
//
// A value in an arm of a Select is not always needed, and it may read out of
// bounds or divide by 0 if it is not. Unless it is provably safe, its value is
// guarded by the conditions under which it is needed. If different Selects need
// the value and their conditions depend on data, it is copied.
#ifndef ASSAY_COMPILER_LOWER_SHARED_SHARED_VALUES_H_
#define ASSAY_COMPILER_LOWER_SHARED_SHARED_VALUES_H_

#include <cstdint>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::lower {

struct SharedValue {
  expr::Expr var;    // a Var that stands for the value
  expr::Expr value;  // may contain the variables of earlier values
};

struct SharedValues {
  std::vector<SharedValue> shared;  // in the order of computation
  std::vector<expr::Expr> values;   // with the variables of shared values
  // The operations of all expressions above (expr/operations.h).
  int64_t operations = 0;
};

// `values` are the bodies of a stage, or the sources of its reduction. `axes`
// are the bounds of their variables. No value may contain a Reduce.
SharedValues BindSharedValues(const std::vector<expr::Expr>& values,
                              const tir::VarBounds& axes);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_SHARED_SHARED_VALUES_H_
