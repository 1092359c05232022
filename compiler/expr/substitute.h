// Replaces variables by expressions of the same type.
//
//   Substitute(i * 8 + j, {{i, o * 4}, {j, 3}})  ->  o * 4 * 8 + 3
//
// All at once: values put in are not substituted again. Nothing is simplified
// and no capture is looked for: a value must not mention a variable that a
// Reduce in `e` binds.
#ifndef ASSAY_COMPILER_EXPR_SUBSTITUTE_H_
#define ASSAY_COMPILER_EXPR_SUBSTITUTE_H_

#include <map>
#include <set>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::expr {

// Vars in the order they were made.
struct VarLess {
  bool operator()(const Expr& a, const Expr& b) const {
    return a.As<Var>()->id < b.As<Var>()->id;
  }
};
template <typename T>
using VarMap = std::map<Expr, T, VarLess>;
using VarSet = std::set<Expr, VarLess>;

// The same handle if no variable of the map occurs.
Expr Substitute(const Expr& e, const VarMap<Expr>& values);

// The tuple that `so_far` and `next` combine to.
std::vector<Expr> Combine(const Reducer& reducer,
                          const std::vector<Expr>& so_far,
                          const std::vector<Expr>& next);

bool UsesVar(const Expr& e, const Expr& var);

// The variables that occur in `e` and that no Reduce in it binds.
VarSet FreeVars(const Expr& e);

// Whether its value depends on what a buffer holds.
bool HasLoad(const Expr& e);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_SUBSTITUTE_H_
