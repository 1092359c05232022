#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/visitor.h"
#include "compiler/tir/simplify/compare.h"
#include "compiler/tir/simplify/divmod.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/simplify/vector_index.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;

bool IsIndex(const Expr& e) { return e.dtype() == DType::Int32(); }

class Simplifier : public expr::ExprMutator {
 public:
  explicit Simplifier(const Bounds& bounds) : bounds_(bounds) {}

  Expr Mutate(const Expr& e) override {
    if (IsIndex(e) && IsArithmetic(e.kind())) {
      Linear sum = Collect(e);
      RecombineDivMod(sum, bounds_);
      return KeepIfEqual(e, sum.ToExpr());
    }
    return KeepIfEqual(e, ExprMutator::Mutate(e));
  }

 protected:
  // What can have one value only is that value.
  Expr MutateVar(const Expr& e, const expr::Var*) override {
    const auto it = bounds_.find(e);
    if (it == bounds_.end() || !it->second.IsPoint()) return e;
    return expr::ConstInt(e.dtype(), it->second.min);
  }

  Expr MutateMin(const Expr& e, const struct expr::Min* n) override {
    return MutateMinMax(e, n->a, n->b, /*is_min=*/true);
  }
  Expr MutateMax(const Expr& e, const struct expr::Max* n) override {
    return MutateMinMax(e, n->a, n->b, /*is_min=*/false);
  }

  Expr MutateLT(const Expr& e, const expr::LT* n) override {
    return Compare(e, n->a, n->b);
  }
  Expr MutateLE(const Expr& e, const expr::LE* n) override {
    return Compare(e, n->a, n->b);
  }
  Expr MutateEQ(const Expr& e, const expr::EQ* n) override {
    return Compare(e, n->a, n->b);
  }
  Expr MutateNE(const Expr& e, const expr::NE* n) override {
    return Compare(e, n->a, n->b);
  }

  Expr MutateAnd(const Expr&, const expr::And* n) override {
    const Expr a = Mutate(n->a), b = Mutate(n->b);
    if (IsFalse(a) || IsTrue(b)) return a;
    if (IsFalse(b) || IsTrue(a)) return b;
    if (expr::StructurallyEqual(a, b)) return a;
    return expr::And::Make(a, b);
  }
  Expr MutateOr(const Expr&, const expr::Or* n) override {
    const Expr a = Mutate(n->a), b = Mutate(n->b);
    if (IsTrue(a) || IsFalse(b)) return a;
    if (IsTrue(b) || IsFalse(a)) return b;
    if (expr::StructurallyEqual(a, b)) return a;
    return expr::Or::Make(a, b);
  }
  Expr MutateNot(const Expr&, const expr::Not* n) override {
    const Expr a = Mutate(n->a);
    if (const auto* inner = a.As<expr::Not>()) return inner->a;
    return !a;
  }

  Expr MutateSelect(const Expr&, const expr::Select* n) override {
    const Expr condition = Mutate(n->condition);
    if (IsTrue(condition)) return Mutate(n->true_value);
    if (IsFalse(condition)) return Mutate(n->false_value);
    const Expr a = Simplify(n->true_value, Assume(condition, true, bounds_));
    const Expr b = Simplify(n->false_value, Assume(condition, false, bounds_));
    if (expr::StructurallyEqual(a, b)) return a;
    return expr::Select::Make(condition, a, b);
  }

  // Vector index arithmetic; scalar sums do not come here.
  Expr MutateAdd(const Expr& e, const expr::Add* n) override {
    return MutateVector(e, n->a, n->b);
  }
  Expr MutateSub(const Expr& e, const expr::Sub* n) override {
    return MutateVector(e, n->a, n->b);
  }
  Expr MutateMul(const Expr& e, const expr::Mul* n) override {
    return MutateVector(e, n->a, n->b);
  }
  Expr MutateDiv(const Expr& e, const expr::Div* n) override {
    return MutateVector(e, n->a, n->b);
  }
  Expr MutateMod(const Expr& e, const expr::Mod* n) override {
    return MutateVector(e, n->a, n->b);
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
  static bool IsTrue(const Expr& e) {
    return e.dtype().is_bool() && expr::IsConstInt(e, 1);
  }
  static bool IsFalse(const Expr& e) {
    return e.dtype().is_bool() && expr::IsConstInt(e, 0);
  }
  static Expr KeepIfEqual(const Expr& before, Expr after) {
    return !before.same_as(after) && expr::StructurallyEqual(before, after)
               ? before
               : after;
  }

  // `e` as a sum of simplified terms.
  Linear Collect(const Expr& e) {
    switch (e.kind()) {
      case ExprKind::kIntImm:
        return Linear::Constant(e.As<expr::IntImm>()->value);
      case ExprKind::kAdd: {
        Linear sum = Collect(e.As<expr::Add>()->a);
        sum.Add(Collect(e.As<expr::Add>()->b));
        return sum;
      }
      case ExprKind::kSub: {
        Linear sum = Collect(e.As<expr::Sub>()->a);
        sum.Add(Collect(e.As<expr::Sub>()->b), -1);
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

  // Bounds of a - b, which is sharper than those of a and b apart.
  ConstInterval DifferenceBounds(const Expr& a, const Expr& b) {
    Linear difference = ToLinear(a);
    difference.Add(ToLinear(b), -1);
    return ConstBounds(difference.ToExpr(), bounds_);
  }

  // min(min(x, c), d) -> min(x, min(c, d)), min(x, min(x, y)) -> min(x, y).
  // Integers only: a NaN would notice.
  template <typename T>
  static Expr MergeMinMax(const Expr& a, const Expr& b,
                          Expr (*make)(Expr, Expr)) {
    if (a.dtype().is_float()) return make(a, b);
    if (expr::AsConstInt(a).has_value()) return MergeMinMax<T>(b, a, make);
    if (const T* inner = b.As<T>()) {
      if (expr::StructurallyEqual(inner->a, a) ||
          expr::StructurallyEqual(inner->b, a)) {
        return b;
      }
    }
    if (const T* inner = a.As<T>()) {
      if (expr::StructurallyEqual(inner->a, b) ||
          expr::StructurallyEqual(inner->b, b)) {
        return a;
      }
      if (expr::AsConstInt(b).has_value() &&
          expr::AsConstInt(inner->b).has_value()) {
        return make(inner->a, make(inner->b, b));
      }
    }
    return make(a, b);
  }

  Expr MutateMinMax(const Expr& e, const Expr& lhs, const Expr& rhs,
                    bool is_min) {
    const Expr a = Mutate(lhs), b = Mutate(rhs);
    if (expr::StructurallyEqual(a, b)) return a;
    if (IsIndex(e)) {
      const ConstInterval difference = DifferenceBounds(a, b);
      if (difference.max <= 0) return is_min ? a : b;
      if (difference.min >= 0) return is_min ? b : a;
    }
    return is_min ? MergeMinMax<struct expr::Min>(a, b, expr::Min)
                  : MergeMinMax<struct expr::Max>(a, b, expr::Max);
  }

  Expr Compare(const Expr& e, const Expr& lhs, const Expr& rhs) {
    const Expr a = Mutate(lhs), b = Mutate(rhs);
    if (IsIndex(a)) return CompareIndices(e.kind(), a, b, bounds_);
    if (a.dtype().Element() == DType::Int32()) {
      const Expr difference = GatherVectorIndex(ExprKind::kSub, a, b, bounds_);
      if (difference.defined()) {
        const auto known = DecideComparison(
            e.kind(), ConstBounds(Mutate(difference), bounds_));
        if (known.has_value()) return expr::ConstInt(e.dtype(), *known);
      }
    }
    switch (e.kind()) {
      case ExprKind::kLT:
        return a < b;
      case ExprKind::kLE:
        return a <= b;
      case ExprKind::kEQ:
        return expr::Eq(a, b);
      default:
        return expr::Ne(a, b);
    }
  }

  Expr MutateVector(const Expr& e, const Expr& lhs, const Expr& rhs) {
    const Expr a = Mutate(lhs), b = Mutate(rhs);
    if (e.dtype().Element() == DType::Int32() && e.dtype().is_vector()) {
      const Expr gathered = GatherVectorIndex(e.kind(), a, b, bounds_);
      if (gathered.defined()) return Mutate(gathered);
    }
    switch (e.kind()) {
      case ExprKind::kAdd:
        return a + b;
      case ExprKind::kSub:
        return a - b;
      case ExprKind::kMul:
        return a * b;
      case ExprKind::kDiv:
        return a / b;
      default:
        return a % b;
    }
  }

  const Bounds& bounds_;
};

}  // namespace

Expr Simplify(const Expr& e, const Bounds& bounds) {
  return Simplifier(bounds).Mutate(e);
}

bool CanProve(const Expr& condition, const Bounds& bounds) {
  return expr::IsConstInt(Simplify(condition, bounds), 1);
}

}  // namespace assay::tir
