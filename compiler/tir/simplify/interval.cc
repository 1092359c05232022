#include "compiler/tir/simplify/interval.h"

#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/simplify/simplify.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;

class Evaluator {
 public:
  Evaluator(const IntervalMap& ranges, const VarBounds& bounds)
      : ranges_(ranges), bounds_(bounds) {}

  Interval Eval(const Expr& e) const {
    if (!Runs(e)) return Interval::Point(e);
    switch (e.kind()) {
      case ExprKind::kVar:
        return ranges_.at(e);
      case ExprKind::kAdd:
      case ExprKind::kSub:
      case ExprKind::kMul:
        return EvalSum(e);
      case ExprKind::kDiv:
        return EvalDiv(*e.As<expr::Div>());
      case ExprKind::kMod:
        return EvalMod(*e.As<expr::Mod>());
      case ExprKind::kMin: {
        const auto* n = e.As<struct expr::Min>();
        return Clamped(Eval(n->a), Eval(n->b), expr::Min);
      }
      case ExprKind::kMax: {
        const auto* n = e.As<struct expr::Max>();
        return Clamped(Eval(n->a), Eval(n->b), expr::Max);
      }
      case ExprKind::kSelect: {
        const auto* n = e.As<expr::Select>();
        return Both(Eval(n->true_value), Eval(n->false_value), expr::Min,
                    expr::Max);
      }
      default:
        return Interval();
    }
  }

 private:
  using Fn = Expr (*)(Expr, Expr);

  bool Runs(const Expr& e) const {
    for (const Expr& var : expr::FreeVars(e)) {
      if (ranges_.count(var) > 0) return true;
    }
    return false;
  }

  static Interval Both(const Interval& a, const Interval& b, Fn lower,
                       Fn upper) {
    if (!a.IsKnown() || !b.IsKnown()) return Interval();
    return {lower(a.min, b.min), upper(a.max, b.max)};
  }

  // If one operand is fixed, the result lies between the clamped ends of the
  // other. If the distance of these ends is not constant, the extent of the
  // other operand is a valid constant extent: clamping never increases
  // distances.
  Interval Clamped(const Interval& a, const Interval& b, Fn clamp) const {
    for (const auto& [runs, stays] : {std::pair(a, b), std::pair(b, a)}) {
      if (!runs.IsKnown() || !stays.IsPoint()) continue;
      const Interval ends = {Simplify(clamp(runs.min, stays.min), bounds_),
                             Simplify(clamp(runs.max, stays.min), bounds_)};
      if (expr::AsConstInt(Simplify(ends.max - ends.min, bounds_)).has_value())
        return ends;
      const Expr extent = Simplify(runs.max - runs.min, bounds_);
      if (!expr::AsConstInt(extent).has_value()) continue;
      const Expr first = clamp(runs.min, stays.min);
      return {first, first + extent};
    }
    return Both(a, b, clamp, clamp);
  }

  // Interval arithmetic term by term, according to the sign of each
  // coefficient.
  Interval EvalSum(const Expr& e) const {
    const Linear sum = ToLinear(e);
    Linear min = Linear::Constant(sum.constant), max = min;
    for (const auto& [term, coefficient] : sum.terms) {
      const Interval range = term.kind() == ExprKind::kMul
                                 ? EvalProduct(*term.As<expr::Mul>())
                                 : Eval(term);
      if (!range.IsKnown()) return Interval();
      const bool rising = coefficient > 0;
      min.Add(ToLinear(rising ? range.min : range.max), coefficient);
      max.Add(ToLinear(rising ? range.max : range.min), coefficient);
    }
    return {min.ToExpr(), max.ToExpr()};
  }

  // A product of a ranging operand and a fixed, non-negative one.
  Interval EvalProduct(const expr::Mul& n) const {
    const bool a_runs = Runs(n.a);
    if (a_runs && Runs(n.b)) return Interval();
    const Expr& fixed = a_runs ? n.b : n.a;
    const Interval range = Eval(a_runs ? n.a : n.b);
    if (!range.IsKnown() || ConstBounds(fixed, bounds_).min < 0) {
      return Interval();
    }
    return {range.min * fixed, range.max * fixed};
  }

  Interval EvalDiv(const expr::Div& n) const {
    const auto d = expr::AsConstInt(n.b);
    const Interval a = Eval(n.a);
    if (!d.has_value() || *d <= 0 || !a.IsKnown()) return Interval();
    return {a.min / n.b, a.max / n.b};
  }

  Interval EvalMod(const expr::Mod& n) const {
    const auto d = expr::AsConstInt(n.b);
    if (!d.has_value() || *d <= 0) return Interval();
    const Interval a = Eval(n.a);
    if (a.IsKnown() && CanProve(expr::Eq(a.min / n.b, a.max / n.b), bounds_)) {
      return {a.min % n.b, a.max % n.b};
    }
    return {Expr(0), n.b - 1};
  }

  const IntervalMap& ranges_;
  const VarBounds& bounds_;
};

Interval Simplified(const Interval& i, const VarBounds& bounds) {
  if (!i.IsKnown()) return Interval();
  if (i.IsPoint()) return Interval::Point(Simplify(i.min, bounds));
  return {Simplify(i.min, bounds), Simplify(i.max, bounds)};
}

}  // namespace

Interval EvalInterval(const Expr& e, const IntervalMap& ranges,
                      const VarBounds& bounds) {
  const Expr simple = Simplify(e, bounds);
  return Simplified(Evaluator(ranges, bounds).Eval(simple), bounds);
}

Interval UnionOf(const Interval& a, const Interval& b,
                 const VarBounds& bounds) {
  if (!a.IsKnown() || !b.IsKnown()) return Interval();
  return Simplified({expr::Min(a.min, b.min), expr::Max(a.max, b.max)}, bounds);
}

}  // namespace assay::tir
