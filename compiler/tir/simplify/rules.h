// The rewrite rules of the simplifier (rules.inc) and the engine that applies
// them. Rules are valid independent of bounds; simplifications that depend on
// bounds, and linear arithmetic, are in linear.h, divmod.h, compare.h and
// bounds.h.
//
// Rules are parsed once, by the parser of tir expressions. A rule with
// commutative operators is expanded to one pattern per operand order, so that
// matching is a simultaneous walk over two trees. Patterns are indexed by the
// kind of their root.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_

#include <string>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::tir {

// A rule over the variables listed in rules.inc, which have type int32 or (p, q
// and r) bool. `condition` may be undefined.
struct Rule {
  std::string text;
  expr::Expr before, after, condition;
};

const std::vector<Rule>& AllRules();

// Applies the first matching rule to the root of `e`, whose operands are
// simplified; undefined if none matches. More rules may apply to the result.
expr::Expr ApplyRules(const expr::Expr& e);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_
