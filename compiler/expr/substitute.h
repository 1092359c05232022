// Substitute: replaces variables by expressions of the same type.
//
//   Substitute(i * 8 + j, {{i, o * 4}, {j, 3}})  ->  o * 4 * 8 + 3
//
// All variables are replaced simultaneously: variables in the inserted values
// are not replaced. The result is not simplified. A value must not contain a
// variable that a Reduce in `e` binds; this is not checked.
#ifndef ASSAY_COMPILER_EXPR_SUBSTITUTE_H_
#define ASSAY_COMPILER_EXPR_SUBSTITUTE_H_

#include <map>
#include <set>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::expr {

// Orders Vars by the order of their creation.
struct VarLess {
  bool operator()(const Expr& a, const Expr& b) const {
    return a.As<Var>()->id < b.As<Var>()->id;
  }
};
template <typename T>
using VarMap = std::map<Expr, T, VarLess>;
using VarSet = std::set<Expr, VarLess>;

// Returns `e` with the variables replaced by their `values`. Returns `e` itself
// if it contains none of the variables.
Expr Substitute(const Expr& e, const VarMap<Expr>& values);

// Returns the result of `reducer` for the accumulator `so_far` and the element
// `next`, one expression per tuple component.
std::vector<Expr> Combine(const Reducer& reducer,
                          const std::vector<Expr>& so_far,
                          const std::vector<Expr>& next);

// Returns true if `var` is one of FreeVars(e).
bool UsesVar(const Expr& e, const Expr& var);

// Returns the variables that occur in `e` and are not bound by a Reduce in `e`.
VarSet FreeVars(const Expr& e);

// Returns true if `e` contains a Load.
bool HasLoad(const Expr& e);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_SUBSTITUTE_H_
