#include "compiler/tir/passes/vectorize.h"

#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/check.h"

namespace assay::tir {
namespace {

// Whether every statement of a loop body can act on all lanes at once.
class CanVectorize : public StmtVisitor {
 public:
  explicit CanVectorize(Expr lane) : lane_(std::move(lane)) {}
  bool Test(const Stmt& s) {
    Visit(s);
    return ok_;
  }

 protected:
  void VisitFor(const For* node) override {
    if (DependsOnLane(node->min) || DependsOnLane(node->extent)) ok_ = false;
    StmtVisitor::VisitFor(node);
  }
  void VisitIfThenElse(const IfThenElse* node) override {
    if (DependsOnLane(node->condition)) ok_ = false;
    StmtVisitor::VisitIfThenElse(node);
  }
  void VisitAllocate(const Allocate*) override { ok_ = false; }
  void VisitStore(const Store* node) override {
    // All lanes to one address: not a vector store.
    if (!DependsOnLane(node->indices[0])) ok_ = false;
    StmtVisitor::VisitStore(node);
  }

 private:
  bool DependsOnLane(const Expr& e) const { return expr::UsesVar(e, lane_); }

  const Expr lane_;
  bool ok_ = true;
};

// Replaces the lane variable by a ramp and widens what depends on it. What
// does not depend on it stays scalar until it meets a vector.
class Widener : public StmtMutator {
 public:
  Widener(Expr lane, const Expr& min, int lanes)
      : lane_(std::move(lane)),
        lanes_(lanes),
        ramp_(expr::Ramp::Make(min, 1, lanes)) {}

  using StmtMutator::Mutate;

 protected:
  Expr MutateVar(const Expr& e, const expr::Var*) override {
    return e.same_as(lane_) ? ramp_ : e;
  }

#define ASSAY_WIDEN_BINARY(Kind)                                          \
  Expr Mutate##Kind(const Expr& e, const struct expr::Kind* n) override { \
    Expr a = Mutate(n->a), b = Mutate(n->b);                              \
    if (a.same_as(n->a) && b.same_as(n->b)) return e;                     \
    return expr::Kind::Make(Widen(a), Widen(b));                          \
  }
  ASSAY_EXPR_BINARY_KINDS(ASSAY_WIDEN_BINARY)
#undef ASSAY_WIDEN_BINARY

  Expr MutateCast(const Expr& e, const expr::Cast* n) override {
    const Expr value = Mutate(n->value);
    if (value.same_as(n->value)) return e;
    return expr::Cast::Make(n->dtype.WithLanes(lanes_), value);
  }

  Expr MutateSelect(const Expr& e, const expr::Select* n) override {
    const Expr condition = Mutate(n->condition);
    const Expr a = Mutate(n->true_value), b = Mutate(n->false_value);
    if (condition.same_as(n->condition) && a.same_as(n->true_value) &&
        b.same_as(n->false_value)) {
      return e;
    }
    return expr::Select::Make(condition, Widen(a), Widen(b));
  }

  Expr MutateCall(const Expr& e, const expr::Call* n) override {
    bool changed = false;
    std::vector<Expr> args = MutateAll(n->args, &changed);
    if (!changed) return e;
    for (Expr& arg : args) arg = Widen(arg);
    return expr::Call::Make(n->dtype.WithLanes(lanes_), n->intrinsic, args);
  }

  Stmt MutateStore(const Stmt&, const Store* n) override {
    CHECK_EQ(n->indices.size(), 1u) << "Flatten runs before Vectorize";
    return Store::Make(n->buffer, {Mutate(n->indices[0])},
                       Widen(Mutate(n->value)));
  }

 private:
  Expr Widen(const Expr& e) const {
    return e.dtype().is_vector() ? e : expr::Broadcast::Make(e, lanes_);
  }

  const Expr lane_;
  const int lanes_;
  const Expr ramp_;
};

class Vectorizer : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    if (loop->for_kind != ForKind::kVectorized) {
      return StmtMutator::MutateFor(s, loop);
    }
    const auto lanes = expr::AsConstInt(loop->extent);
    CHECK(lanes.has_value()) << "vectorized extent " << loop->extent;
    // Vectorized loops inside this one lose: a statement has one lane.
    const Stmt body = Serialize(loop->body);
    if (*lanes == 1) return tir::Substitute(body, {{loop->var, loop->min}});
    if (!CanVectorize(loop->var).Test(body)) {
      return For::Make(loop->var, loop->min, loop->extent, ForKind::kSerial,
                       body);
    }
    return Widener(loop->var, loop->min, static_cast<int>(*lanes)).Mutate(body);
  }

 private:
  static Stmt Serialize(const Stmt& s) {
    class Serializer : public StmtMutator {
     protected:
      Stmt MutateFor(const Stmt& s, const For* loop) override {
        const Stmt body = Mutate(loop->body);
        if (loop->for_kind != ForKind::kVectorized) {
          return StmtMutator::MutateFor(s, loop);
        }
        return For::Make(loop->var, loop->min, loop->extent, ForKind::kSerial,
                         body);
      }
    };
    return Serializer().Mutate(s);
  }
};

}  // namespace

Stmt Vectorize(const Stmt& s) { return Vectorizer().Mutate(s); }

}  // namespace assay::tir
