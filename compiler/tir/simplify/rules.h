// ApplyRules: applies the rewrite rules of the simplifier (rules.inc). The
// rules are valid for all bounds of the variables. Linear arithmetic, and
// simplifications that depend on bounds, are in linear.h, divmod.h, compare.h
// and bounds.h.
//
// The rules are parsed once, by the parser of tir expressions. A rule with
// commutative operators is expanded to one pattern per order of the operands.
// Matching is then a simultaneous traversal of the pattern and the expression.
// Patterns are indexed by the kinds of their root and of its first operand.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_

#include <string>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::tir {

// A rule: replaces `before` by `after` if `condition` holds. An undefined
// condition always holds. The expressions use the variables that are listed in
// rules.inc. The variables p, q and r have type bool; all other variables have
// type int32.
struct Rule {
  std::string text;  // `before -> after if condition`
  expr::Expr before, after, condition;
};

const std::vector<Rule>& AllRules();

// Returns the result of applying the first matching rule to the root of `e`.
// Returns an undefined Expr if no rule matches. The operands of `e` must be
// simplified. Further rules may apply to the result.
expr::Expr ApplyRules(const expr::Expr& e);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_
