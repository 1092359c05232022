#include "compiler/tir/simplify/random_index.h"

#include <algorithm>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "runtime/base/check.h"

namespace assay::tir {

using expr::Expr;

int64_t EvalIndex(const Expr& e, const IndexValues& values) {
  if (const auto* n = e.As<expr::IntImm>()) return n->value;
  if (e.As<expr::Var>() != nullptr) return values.at(e);
#define ASSAY_EVAL(Kind, value)                    \
  if (const auto* n = e.As<struct expr::Kind>()) { \
    const int64_t a = EvalIndex(n->a, values);     \
    const int64_t b = EvalIndex(n->b, values);     \
    return value;                                  \
  }
  ASSAY_EVAL(Add, expr::WrapInt(DType::Int32(), a + b))
  ASSAY_EVAL(Sub, expr::WrapInt(DType::Int32(), a - b))
  ASSAY_EVAL(Mul, expr::WrapInt(DType::Int32(), a * b))
  ASSAY_EVAL(Div, expr::FloorDiv(a, b))
  ASSAY_EVAL(Mod, expr::FloorMod(a, b))
  ASSAY_EVAL(Min, std::min(a, b))
  ASSAY_EVAL(Max, std::max(a, b))
  ASSAY_EVAL(LT, a < b)
  ASSAY_EVAL(LE, a <= b)
  ASSAY_EVAL(EQ, a == b)
  ASSAY_EVAL(NE, a != b)
  ASSAY_EVAL(And, a && b)
  ASSAY_EVAL(Or, a || b)
#undef ASSAY_EVAL
  if (const auto* n = e.As<expr::Not>()) return !EvalIndex(n->a, values);
  const auto* n = e.As<expr::Select>();
  CHECK(n != nullptr) << e << " is not an index expression";
  return EvalIndex(
      EvalIndex(n->condition, values) ? n->true_value : n->false_value, values);
}

Expr RandomIndex::Index(int depth) {
  if (depth == 0 || rng_.UniformInt(0, 5) == 0) {
    if (rng_.UniformInt(0, 3) == 0) {
      return static_cast<int>(rng_.UniformInt(-9, 20));
    }
    return AnyVar();
  }
  const Expr a = Index(depth - 1);
  if (!data_.empty() && rng_.UniformInt(0, 9) == 0) return a * AnyOf(data_);
  const auto constant = static_cast<int>(rng_.UniformInt(1, 16));
  switch (rng_.UniformInt(0, 8)) {
    case 0:
    case 1:
      return a + Index(depth - 1);
    case 2:
      return a - Index(depth - 1);
    case 3:
      return a * constant;
    case 4:
      return a / constant;
    case 5:
      return a % constant;
    case 6:
      return expr::Min(a, Index(depth - 1));
    case 7:
      return expr::Max(a, Index(depth - 1));
    default:
      return expr::SelectOf(Condition(depth - 1), a, Index(depth - 1));
  }
}

Expr RandomIndex::Condition(int depth) {
  if (depth > 1 && rng_.UniformInt(0, 2) == 0) return Logic(depth - 1);
  const Expr a = Index(depth), b = Index(depth);
  switch (rng_.UniformInt(0, 6)) {
    case 0:
      return a < b;
    case 1:
      return a <= b;
    case 2:
      return expr::Eq(a, b);
    case 3:
      return expr::Ne(a, b);
    case 4:
      return !(a < b);
    case 5:
      return a < b || Expr(4) <= a;
    default:
      return a < b && b < 7;
  }
}

// Draws from a small set of comparisons, so that equal ones occur.
Expr RandomIndex::Logic(int depth) {
  const auto comparison = [&]() -> Expr {
    const Expr& var = AnyVar();
    const auto constant = static_cast<int>(rng_.UniformInt(-2, 6));
    switch (rng_.UniformInt(0, 5)) {
      case 0:
        return var < constant;
      case 1:
        return Expr(constant) < var;
      case 2:
        return var <= constant;
      case 3:
        return expr::Eq(var, constant);
      case 4:
        return expr::Ne(var, constant);
      default:
        return var <= AnyVar();
    }
  };
  const Expr a = depth > 0 ? Logic(depth - 1) : comparison();
  const Expr b = comparison();
  switch (rng_.UniformInt(0, 6)) {
    case 0:
    case 1:
      return expr::And::Make(a, b);
    case 2:
      return expr::And::Make(b, a);
    case 3:
      return expr::Or::Make(a, b);
    case 4:
      return expr::Or::Make(b, expr::And::Make(a, b));
    case 5:
      return expr::Not::Make(a);
    default:
      return expr::Select::Make(b, a, expr::Not::Make(a));
  }
}

}  // namespace assay::tir
