// Replaces variables by expressions of the same type.
//
//   Substitute(i * 8 + j, {{i, o * 4}, {j, 3}})  ->  o * 4 * 8 + 3
//
// The substitution is simultaneous: inserted values are not substituted again.
// Nothing is simplified. Capture is not checked: a value must not mention a
// variable that a Reduce in `e` binds.
#ifndef ASSAY_COMPILER_EXPR_SUBSTITUTE_H_
#define ASSAY_COMPILER_EXPR_SUBSTITUTE_H_

#include <map>
#include <set>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::expr {

// Orders Vars by creation.
struct VarLess {
  bool operator()(const Expr& a, const Expr& b) const {
    return a.As<Var>()->id < b.As<Var>()->id;
  }
};
template <typename T>
using VarMap = std::map<Expr, T, VarLess>;
using VarSet = std::set<Expr, VarLess>;

// Returns the same handle if no variable of the map occurs.
Expr Substitute(const Expr& e, const VarMap<Expr>& values);

// Applies the reducer to the accumulator `so_far` and the element `next`.
std::vector<Expr> Combine(const Reducer& reducer,
                          const std::vector<Expr>& so_far,
                          const std::vector<Expr>& next);

bool UsesVar(const Expr& e, const Expr& var);

// The variables that occur in `e` and are not bound by a Reduce in it.
VarSet FreeVars(const Expr& e);

// Returns true if the value of `e` depends on the contents of a buffer.
bool HasLoad(const Expr& e);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_SUBSTITUTE_H_
