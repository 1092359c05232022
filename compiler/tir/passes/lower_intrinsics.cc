#include "compiler/tir/passes/lower_intrinsics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/printer.h"
#include "compiler/tir/passes/elementary.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

using expr::Intrinsic;

bool HasElementary(const Expr& e) {
  class Finder : public expr::ExprVisitor {
   public:
    bool found = false;

   private:
    void VisitCall(const expr::Call* call) override {
      found |= expr::IsElementary(call->intrinsic);
      ExprVisitor::VisitCall(call);
    }
  };
  Finder finder;
  finder.Visit(e);
  return finder.found;
}

// Repeats the leaves of a scalar expression, which then computes a vector of
// equal elements.
class Spreader : public expr::ExprMutator {
 public:
  explicit Spreader(int lanes) : lanes_(lanes) {}

 protected:
  Expr MutateIntImm(const Expr& e, const expr::IntImm*) override {
    return expr::Broadcast::Make(e, lanes_);
  }
  Expr MutateFloatImm(const Expr& e, const expr::FloatImm*) override {
    return expr::Broadcast::Make(e, lanes_);
  }
  Expr MutateVar(const Expr& e, const expr::Var*) override {
    return expr::Broadcast::Make(e, lanes_);
  }
  Expr MutateLoad(const Expr& e, const expr::Load*) override {
    return expr::Broadcast::Make(e, lanes_);
  }

 private:
  const int lanes_;
};

class IntrinsicLowerer : public StmtMutator {
 protected:
  Stmt MutateStore(const Stmt& s, const Store* node) override {
    std::vector<Temporary> outer = std::exchange(temporaries_, {});
    in_store_ = true;
    Stmt result = StmtMutator::MutateStore(s, node);
    in_store_ = false;
    std::vector<Temporary> mine = std::exchange(temporaries_, outer);
    for (size_t i = mine.size(); i-- > 0;) {
      const Temporary& t = mine[i];
      result = Allocate::Make(
          t.buffer, Block::Make({Store::Make(t.buffer, {t.index}, t.value),
                                 std::move(result)}));
    }
    return result;
  }

  Expr MutateSelect(const Expr& e, const expr::Select* node) override {
    const Expr condition = Mutate(node->condition);
    guards_.push_back({condition, true});
    const Expr a = Mutate(node->true_value);
    guards_.back().holds = false;
    const Expr b = Mutate(node->false_value);
    guards_.pop_back();
    if (condition.same_as(node->condition) && a.same_as(node->true_value) &&
        b.same_as(node->false_value)) {
      return e;
    }
    return expr::Select::Make(condition, a, b);
  }

  // Under the vector condition of a Select, a scalar cannot be guarded.
  Expr MutateBroadcast(const Expr& e, const expr::Broadcast* node) override {
    if (!HasVectorGuard() || !HasElementary(node->value)) {
      return StmtMutator::MutateBroadcast(e, node);
    }
    return Mutate(Spreader(e.dtype().lanes()).Mutate(node->value));
  }

  Expr MutateCall(const Expr& e, const expr::Call* call) override {
    if (!expr::IsElementary(call->intrinsic)) {
      return StmtMutator::MutateCall(e, call);
    }
    std::vector<Expr> args;
    for (const Expr& arg : call->args) args.push_back(Mutate(arg));
    return ExpandElementary(call->intrinsic, args, [&](const Expr& value) {
      return Share(value, call->intrinsic);
    });
  }

 private:
  struct Temporary {
    Buffer buffer;
    Expr index, value;
  };

  // An enclosing condition of the current expression and its truth value.
  struct Guard {
    Expr condition;
    bool holds;
  };

  bool HasVectorGuard() const {
    return std::any_of(guards_.begin(), guards_.end(), [](const Guard& guard) {
      return guard.condition.dtype().is_vector();
    });
  }

  // Returns true if `e` may fault if its Select does not take it.
  bool NeedsGuard(const Expr& e) const {
    class Finder : public expr::ExprVisitor {
     public:
      explicit Finder(const std::vector<Temporary>& safe) : safe_(safe) {}
      bool found = false;

     private:
      void VisitLoad(const expr::Load* load) override {
        for (const Temporary& t : safe_) {
          if (load->buffer.same_as(t.buffer)) return;
        }
        found = true;
      }
      void VisitDiv(const expr::Div* node) override {
        found |= !node->dtype.is_float();
        ExprVisitor::VisitDiv(node);
      }
      void VisitMod(const expr::Mod*) override { found = true; }
      const std::vector<Temporary>& safe_;
    };
    Finder finder(temporaries_);
    finder.Visit(e);
    return finder.found;
  }

  Expr Guarded(Expr value) const {
    if (!NeedsGuard(value)) return value;
    const Expr zero = expr::Const(value.dtype(), 0);
    for (size_t i = guards_.size(); i-- > 0;) {
      const Guard& guard = guards_[i];
      value = guard.holds ? expr::Select::Make(guard.condition, value, zero)
                          : expr::Select::Make(guard.condition, zero, value);
    }
    return value;
  }

  Expr Share(const Expr& value, Intrinsic intrinsic) {
    const bool cheap = value.As<expr::Var>() != nullptr ||
                       value.As<expr::IntImm>() != nullptr ||
                       value.As<expr::FloatImm>() != nullptr;
    if (cheap || !in_store_) return value;
    const DType type = value.dtype();
    const int lanes = type.lanes();
    if (lanes == 1 && HasVectorGuard() && NeedsGuard(value)) return value;
    const absl::string_view name = expr::IntrinsicName(intrinsic);
    const Buffer buffer =
        expr::MakeBuffer(std::string(name.data(), name.size()), type.Element(),
                         {lanes}, expr::Scope::kLocal);
    const Expr index = lanes == 1 ? Expr(0) : expr::Ramp::Make(0, 1, lanes);
    temporaries_.push_back({buffer, index, Guarded(value)});
    return expr::Load::Make(buffer, {index});
  }

  bool in_store_ = false;
  std::vector<Guard> guards_;  // outermost first
  std::vector<Temporary> temporaries_;
};

}  // namespace

Stmt LowerIntrinsics(const Stmt& s) { return IntrinsicLowerer().Mutate(s); }

}  // namespace assay::tir
