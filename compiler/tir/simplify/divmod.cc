#include "compiler/tir/simplify/divmod.h"

#include <functional>
#include <optional>
#include <set>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/tir/simplify/exact.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::FloorDiv;
using expr::FloorMod;

// sum = d * quotient + rest, with the constant of rest in [0, d).
struct Parts {
  Linear quotient, rest;
};

Parts SplitBy(const Linear& sum, int64_t d) {
  Parts parts;
  for (const auto& [term, coefficient] : sum.terms) {
    if (coefficient % d == 0) {
      parts.quotient.AddTerm(term, coefficient / d);
    } else {
      parts.rest.AddTerm(term, coefficient);
    }
  }
  parts.quotient.constant = FloorDiv(sum.constant, d);
  parts.rest.constant = FloorMod(sum.constant, d);
  return parts;
}

// rest = g * high + low, where 0 <= low < g and g is a proper divisor of d: the
// largest such g, or 1.
struct Grouping {
  int64_t g = 1;
  Linear high, low;
};

Grouping GroupBy(const Linear& rest, int64_t d, const VarBounds& bounds) {
  std::set<int64_t, std::greater<int64_t>> candidates;
  for (const auto& [term, coefficient] : rest.terms) {
    const int64_t c = coefficient < 0 ? -coefficient : coefficient;
    if (c > 1 && d % c == 0) candidates.insert(c);
  }
  for (int64_t g : candidates) {
    Parts parts = SplitBy(rest, g);
    if (ConstBounds(parts.rest.ToExpr(), bounds).Within(0, g - 1)) {
      return {g, parts.quotient, parts.rest};
    }
  }
  return {};
}

Expr Imm(int64_t v) { return expr::ConstInt(DType::Int32(), v); }

// The quotient or remainder of a sum that may overflow. `kind` is kDiv or kMod.
// Its value is only known if all values of the sum have the same quotient.
Linear OpaqueTerm(expr::ExprKind kind, const Linear& sum, int64_t d,
                  const VarBounds& bounds) {
  const Expr whole = sum.ToExpr();
  const ConstInterval range = ConstBounds(whole, bounds);
  const int64_t quotient = FloorDiv(range.min, d);
  if (quotient != FloorDiv(range.max, d)) {
    return Linear::Term(kind == expr::ExprKind::kDiv
                            ? expr::Div::Make(whole, Imm(d))
                            : expr::Mod::Make(whole, Imm(d)));
  }
  if (kind == expr::ExprKind::kDiv) return Linear::Constant(quotient);
  Linear rest = sum;
  rest.constant -= quotient * d;
  rest.Wrap();
  return rest;
}

}  // namespace

Linear DivideLinear(const Linear& sum, int64_t d, const VarBounds& bounds) {
  if (d == 1) return sum;
  if (!IsExact(sum, bounds, d)) {
    return OpaqueTerm(expr::ExprKind::kDiv, sum, d, bounds);
  }
  Parts parts = SplitBy(sum, d);
  Linear result = parts.quotient;
  const Expr rest = parts.rest.ToExpr();
  const ConstInterval range = ConstBounds(rest, bounds);
  if (FloorDiv(range.min, d) == FloorDiv(range.max, d)) {
    result.constant += FloorDiv(range.min, d);
    return result;
  }
  const Grouping grouping = GroupBy(parts.rest, d, bounds);
  if (grouping.g > 1) {
    result.Add(DivideLinear(grouping.high, d / grouping.g, bounds));
    return result;
  }
  // (x / a) / d -> x / (a * d)
  if (const auto* inner = rest.As<expr::Div>()) {
    const auto a = expr::AsConstInt(inner->b);
    if (a.has_value() && *a > 0 && *a <= INT32_MAX / d) {
      result.Add(DivideLinear(ToLinear(inner->a), *a * d, bounds));
      return result;
    }
  }
  result.AddTerm(expr::Div::Make(rest, Imm(d)), 1);
  return result;
}

Linear RemainderLinear(const Linear& sum, int64_t d, const VarBounds& bounds) {
  if (d == 1) return Linear::Constant(0);
  if (!IsExact(sum, bounds, d)) {
    return OpaqueTerm(expr::ExprKind::kMod, sum, d, bounds);
  }
  const Linear rest = SplitBy(sum, d).rest;
  const Expr e = rest.ToExpr();
  const ConstInterval range = ConstBounds(e, bounds);
  if (FloorDiv(range.min, d) == FloorDiv(range.max, d)) {
    Linear result = rest;
    result.constant -= FloorDiv(range.min, d) * d;
    return result;
  }
  const Grouping grouping = GroupBy(rest, d, bounds);
  if (grouping.g > 1) {
    Linear result = RemainderLinear(grouping.high, d / grouping.g, bounds);
    result.Scale(grouping.g);
    result.Add(grouping.low);
    return result;
  }
  return Linear::Term(expr::Mod::Make(e, Imm(d)));
}

namespace {

// The remainder E % d.
struct ModTerm {
  Expr whole;  // E
  int64_t d;
};

std::optional<ModTerm> AsModTerm(const Expr& e) {
  const auto* mod = e.As<expr::Mod>();
  if (mod == nullptr) return std::nullopt;
  const auto d = expr::AsConstInt(mod->b);
  if (!d.has_value() || *d <= 0) return std::nullopt;
  return ModTerm{mod->a, *d};
}

// Subtracts scale * quotient if the sum contains all of its terms.
bool TakeOut(Linear& sum, const Linear& quotient, int64_t scale) {
  if (quotient.IsConstant()) return false;
  for (const auto& [term, coefficient] : quotient.terms) {
    const auto found = sum.terms.find(term);
    if (found == sum.terms.end() || found->second != coefficient * scale) {
      return false;
    }
  }
  sum.Add(quotient, -scale);
  return true;
}

// One step of RecombineDivMod for the remainder `term`.
bool RecombineOne(Linear& sum, const Expr& term, const VarBounds& bounds) {
  const auto mod = AsModTerm(term);
  if (!mod.has_value()) return false;
  const int64_t scale = sum.terms.at(term);
  const Linear whole = ToLinear(mod->whole);
  const Linear quotient = DivideLinear(whole, mod->d, bounds);
  if (TakeOut(sum, quotient, scale * mod->d)) {
    sum.AddTerm(term, -scale);
    sum.Add(whole, scale);
    sum.Wrap();
    return true;
  }
  for (const auto& [other, coefficient] : sum.terms) {
    const auto outer = AsModTerm(other);
    if (!outer.has_value() || coefficient != scale * mod->d ||
        outer->d > INT32_MAX / mod->d ||
        !expr::StructurallyEqual(outer->whole, quotient.ToExpr())) {
      continue;
    }
    sum.AddTerm(Expr(other), -coefficient);
    sum.AddTerm(term, -scale);
    sum.Add(RemainderLinear(whole, outer->d * mod->d, bounds), scale);
    sum.Wrap();
    return true;
  }
  return false;
}

}  // namespace

void RecombineDivMod(Linear& sum, const VarBounds& bounds) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [term, coefficient] : sum.terms) {
      // A copy, because the step may erase the term from the map.
      const Expr copy = term;
      if (RecombineOne(sum, copy, bounds)) {
        changed = true;
        break;
      }
    }
  }
}

}  // namespace assay::tir
