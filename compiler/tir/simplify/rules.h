// The rewrite rules of the simplifier (rules.inc) and the engine that applies
// them. A rule says what holds whatever the bounds are; what depends on bounds,
// and arithmetic, is in linear.h, divmod.h, compare.h and bounds.h.
//
// Rules are parsed once, by the parser of tir expressions. One whose operators
// commute becomes one pattern for each order of their operands, so that
// matching is a walk down two trees. The root's kind finds the patterns.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_

#include <string>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::tir {

// A rule as it is written, over the variables that rules.inc lists, of type
// int32 or, p, q and r, bool; `condition` is undefined where there is none.
struct Rule {
  std::string text;
  expr::Expr before, after, condition;
};

const std::vector<Rule>& AllRules();

// What the first rule that applies makes of `e`, whose operands are simplified;
// undefined if none does. Only the root is looked at, and the result may be
// open to further rules.
expr::Expr ApplyRules(const expr::Expr& e);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_RULES_H_
