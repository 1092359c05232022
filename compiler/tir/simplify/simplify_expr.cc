#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/visitor.h"
#include "compiler/tir/simplify/compare.h"
#include "compiler/tir/simplify/divmod.h"
#include "compiler/tir/simplify/exact.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/simplify/rules.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/simplify/vector_index.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;

bool IsIndex(const Expr& e) { return e.dtype() == DType::Int32(); }

class Simplifier : public expr::ExprMutator {
 public:
  explicit Simplifier(const VarBounds& bounds) : bounds_(bounds) {}

  Expr Mutate(const Expr& e) override {
    if (IsIndex(e) && IsArithmetic(e.kind())) {
      Linear sum = Collect(e);
      RecombineDivMod(sum, bounds_);
      return KeepIfEqual(e, sum.ToExpr());
    }
    const Expr simple = KeepIfEqual(e, ExprMutator::Mutate(e));
    const Expr factored = FactorExtremum(simple);
    return factored.defined() ? Mutate(factored) : simple;
  }

 protected:
  // A variable with a single possible value is replaced by it.
  Expr MutateVar(const Expr& e, const expr::Var*) override {
    const auto it = bounds_.find(e);
    if (it == bounds_.end() || !it->second.IsPoint()) return e;
    return expr::ConstInt(e.dtype(), it->second.min);
  }

  // Scalar index arithmetic is handled by Collect() instead.
#define ASSAY_MUTATE(Kind)                                                \
  Expr Mutate##Kind(const Expr& e, const struct expr::Kind* n) override { \
    return MutateBinary(e, n->a, n->b);                                   \
  }
  ASSAY_EXPR_BINARY_KINDS(ASSAY_MUTATE)
#undef ASSAY_MUTATE

  Expr MutateNot(const Expr&, const expr::Not* n) override {
    return Rewrite(expr::Not::Make(Mutate(n->a)));
  }

  Expr MutateSelect(const Expr&, const expr::Select* n) override {
    const Expr condition = Mutate(n->condition);
    // Not by a rewrite rule: only the selected arm needs to be simplified.
    if (expr::IsConstInt(condition, 1)) return Mutate(n->true_value);
    if (expr::IsConstInt(condition, 0)) return Mutate(n->false_value);
    const Expr a = Simplify(n->true_value, Assume(condition, true, bounds_));
    const Expr b = Simplify(n->false_value, Assume(condition, false, bounds_));
    return Rewrite(expr::Select::Make(condition, a, b));
  }

  Expr MutateRamp(const Expr& e, const expr::Ramp* n) override {
    const Expr base = Mutate(n->base), stride = Mutate(n->stride);
    if (expr::IsConstInt(stride, 0)) {
      return expr::Broadcast::Make(base, e.dtype().lanes());
    }
    return expr::Ramp::Make(base, stride, e.dtype().lanes());
  }

 private:
  static bool IsArithmetic(ExprKind kind) {
    return kind == ExprKind::kAdd || kind == ExprKind::kSub ||
           kind == ExprKind::kMul || kind == ExprKind::kDiv ||
           kind == ExprKind::kMod;
  }
  // min(x + c, y + c) -> min(x, y) + c, where c collects the common terms;
  // likewise for max. Undefined if there are none, or if `e` contains data,
  // which may overflow where indices do not.
  Expr FactorExtremum(const Expr& e) const {
    const auto* min = e.As<struct expr::Min>();
    const auto* max = e.As<struct expr::Max>();
    if ((min == nullptr && max == nullptr) || !IsIndex(e) ||
        IsData(e, bounds_)) {
      return Expr();
    }
    Linear a = ToLinear(min != nullptr ? min->a : max->a);
    Linear b = ToLinear(min != nullptr ? min->b : max->b);
    Linear common;
    for (const auto& [term, coefficient] : a.terms) {
      const auto other = b.terms.find(term);
      if (other != b.terms.end() && other->second == coefficient) {
        common.AddTerm(term, coefficient);
      }
    }
    if (common.IsConstant()) return Expr();
    a.Add(common, -1);
    b.Add(common, -1);
    return common.ToExpr() + expr::BinaryOf(e.kind(), a.ToExpr(), b.ToExpr());
  }
  static Expr KeepIfEqual(const Expr& before, Expr after) {
    return !before.same_as(after) && expr::StructurallyEqual(before, after)
               ? before
               : after;
  }

  // The sum of simplified terms that equals `e`.
  Linear Collect(const Expr& e) {
    switch (e.kind()) {
      case ExprKind::kIntImm:
        return Linear::Constant(e.As<expr::IntImm>()->value);
      case ExprKind::kAdd: {
        Linear sum = Collect(e.As<expr::Add>()->a);
        sum.Add(Collect(e.As<expr::Add>()->b));
        sum.Wrap();
        return sum;
      }
      case ExprKind::kSub: {
        Linear sum = Collect(e.As<expr::Sub>()->a);
        sum.Add(Collect(e.As<expr::Sub>()->b), -1);
        sum.Wrap();
        return sum;
      }
      case ExprKind::kMul:
        return CollectMul(*e.As<expr::Mul>());
      case ExprKind::kDiv:
        return CollectDivMod(e, e.As<expr::Div>()->a, e.As<expr::Div>()->b);
      case ExprKind::kMod:
        return CollectDivMod(e, e.As<expr::Mod>()->a, e.As<expr::Mod>()->b);
      default:
        return ToLinear(Mutate(e));
    }
  }

  Linear CollectMul(const expr::Mul& n) {
    Linear a = Collect(n.a), b = Collect(n.b);
    if (a.IsConstant()) std::swap(a, b);
    if (b.IsConstant()) {
      a.Scale(b.constant);
      a.Wrap();
      return a;
    }
    RecombineDivMod(a, bounds_);
    RecombineDivMod(b, bounds_);
    Expr x = a.ToExpr(), y = b.ToExpr();
    if (expr::StructuralCompare(y, x) < 0) std::swap(x, y);
    return Linear::Term(expr::Mul::Make(x, y));
  }

  Linear CollectDivMod(const Expr& e, const Expr& numerator,
                       const Expr& divisor) {
    Linear a = Collect(numerator);
    RecombineDivMod(a, bounds_);
    const Linear b = Collect(divisor);
    const bool is_div = e.kind() == ExprKind::kDiv;
    if (b.IsConstant() && b.constant > 0) {
      return is_div ? DivideLinear(a, b.constant, bounds_)
                    : RemainderLinear(a, b.constant, bounds_);
    }
    return Linear::Term(is_div ? expr::Div::Make(a.ToExpr(), b.ToExpr())
                               : expr::Mod::Make(a.ToExpr(), b.ToExpr()));
  }

  // The value of `e` (operands a and b are simplified) as far as it follows
  // from bounds; undefined otherwise.
  Expr Decide(const Expr& e, const Expr& a, const Expr& b) {
    const ExprKind kind = e.kind();
    const bool is_min = kind == ExprKind::kMin;
    if (is_min || kind == ExprKind::kMax) {
      if (!IsIndex(a)) return Expr();
      const ConstInterval difference = DifferenceBounds(a, b, bounds_);
      if (difference.max <= 0) return is_min ? a : b;
      if (difference.min >= 0) return is_min ? b : a;
      // Constants are moved to the right operand.
      return expr::AsConstInt(a).has_value() ? expr::BinaryOf(kind, b, a)
                                             : Expr();
    }
    if (a.dtype().Element() != DType::Int32()) return Expr();
    if (IsArithmetic(kind)) {
      const Expr gathered = GatherVectorIndex(kind, a, b, bounds_);
      return gathered.defined() ? Mutate(gathered) : gathered;
    }
    if (a.dtype().is_scalar()) return CompareIndices(kind, a, b, bounds_);
    if (IsData(a, bounds_) || IsData(b, bounds_)) return Expr();
    const Expr difference = GatherVectorIndex(ExprKind::kSub, a, b, bounds_);
    if (!difference.defined()) return difference;
    const auto known =
        DecideComparison(kind, ConstBounds(Mutate(difference), bounds_));
    return known.has_value() ? expr::ConstInt(e.dtype(), *known) : Expr();
  }

  // Returns true if no operator is folded because of this operand.
  static bool IsOpen(const Expr& e) {
    return e.kind() != ExprKind::kIntImm && e.kind() != ExprKind::kFloatImm &&
           e.kind() != ExprKind::kBroadcast;
  }

  Expr MutateBinary(const Expr& e, const Expr& lhs, const Expr& rhs) {
    const Expr a = Mutate(lhs), b = Mutate(rhs);
    const Expr decided = Decide(e, a, b);
    if (decided.defined()) return Rewrite(decided);
    const bool same =
        a.same_as(lhs) && b.same_as(rhs) && IsOpen(a) && IsOpen(b);
    return Rewrite(same ? e : expr::BinaryOf(e.kind(), a, b));
  }

  // Applies the rewrite rules to `e`, whose operands are simplified.
  Expr Rewrite(const Expr& e) {
    const Expr rewritten = ApplyRules(e);
    return rewritten.defined() ? Mutate(rewritten) : e;
  }

  const VarBounds& bounds_;
};

}  // namespace

Expr Simplify(const Expr& e, const VarBounds& bounds) {
  return Simplifier(bounds).Mutate(e);
}

bool CanProve(const Expr& condition, const VarBounds& bounds) {
  return expr::IsConstInt(Simplify(condition, bounds), 1);
}

}  // namespace assay::tir
