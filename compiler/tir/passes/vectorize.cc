#include "compiler/tir/passes/vectorize.h"

#include <functional>
#include <set>
#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/tir/passes/widen.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/check.h"
#include "runtime/base/shape.h"

namespace assay::tir {
namespace {

// Vectors wider than the registers of any processor only slow down compilation.
constexpr int64_t kMaxLanes = 128;

// Detects a store of all lanes to one address of memory allocated outside of
// the loop. It is not a vector store, and only the whole loop can be
// serialized.
class StoresToOneAddress : public StmtVisitor {
 public:
  explicit StoresToOneAddress(Expr var) : var_(std::move(var)) {}
  bool Test(const Stmt& s) {
    Visit(s);
    return found_;
  }

 protected:
  void VisitAllocate(const Allocate* node) override {
    private_.insert(node->buffer.get());
    StmtVisitor::VisitAllocate(node);
  }
  void VisitStore(const Store* node) override {
    found_ |= private_.count(node->buffer.get()) == 0 &&
              !expr::UsesVar(node->indices[0], var_);
  }

 private:
  const Expr var_;
  std::set<const expr::BufferNode*> private_;
  bool found_ = false;
};

// Vectorizes the statements of one loop.
class LoopVectorizer : public StmtMutator {
 public:
  LoopVectorizer(const For& loop, int lanes)
      : var_(loop.var), min_(loop.min), lanes_(lanes) {}

  using StmtMutator::Mutate;

 protected:
  Stmt MutateStore(const Stmt& s, const Store* store) override {
    return uniform_.count(store->buffer.get()) > 0 ? s : Widen(s);
  }

  Stmt MutateFor(const Stmt& s, const For* loop) override {
    if (Varies(loop->min) || Varies(loop->extent)) return LaneByLane(s);
    return For::Make(loop->var, loop->min, loop->extent, loop->for_kind,
                     Mutate(loop->body));
  }

  Stmt MutateIfThenElse(const Stmt& s, const IfThenElse* branch) override {
    const Expr& condition = branch->condition;
    if (!Varies(condition)) {
      return IfThenElse::Make(
          condition, Mutate(branch->then_body),
          branch->else_body.defined() ? Mutate(branch->else_body) : Stmt());
    }
    if (LoadsPrivately(condition)) return LaneByLane(s);
    const auto all = HoldsForAllLanes(condition, var_, min_, lanes_);
    if (!all.has_value()) return LaneByLane(s);
    return IfThenElse::Make(*all, Mutate(branch->then_body), LaneByLane(s));
  }

  // The let variable would be a vector; substitute it instead.
  Stmt MutateLet(const Stmt&, const Let* let) override {
    return Mutate(tir::Substitute(let->body, {{let->var, let->value}}));
  }

  // A buffer with the same values in all lanes stays as it is. The compiler can
  // tell then that an index that is loaded from it is the same in all lanes.
  Stmt MutateAllocate(const Stmt&, const Allocate* node) override {
    const Buffer& old = node->buffer;
    if (IsUniform(old, node->body)) {
      uniform_.insert(old.get());
      return Allocate::Make(old, Mutate(node->body));
    }
    const Buffer wide = expr::MakeBuffer(
        old->name, old->dtype, {NumElements(old->shape) * lanes_}, old->scope);
    expanded_[old.get()] = wide;
    Stmt body = Mutate(node->body);
    expanded_.erase(old.get());
    return Allocate::Make(wide, std::move(body));
  }

 private:
  // Returns true if no store to `buffer` differs between lanes.
  bool IsUniform(const Buffer& buffer, const Stmt& body) const {
    class Finder : public StmtVisitor {
     public:
      Finder(const LoopVectorizer& loop, const expr::BufferNode* buffer)
          : loop_(loop), buffer_(buffer) {}
      bool varies = false;

     private:
      void VisitStore(const Store* store) override {
        if (store->buffer.get() != buffer_) return;
        varies |= differs_ || loop_.Varies(store->indices[0]) ||
                  loop_.Varies(store->value);
      }
      // Not all lanes execute the same statements.
      void VisitIfThenElse(const IfThenElse* branch) override {
        Within(loop_.Varies(branch->condition),
               [&] { StmtVisitor::VisitIfThenElse(branch); });
      }
      void VisitFor(const For* loop) override {
        Within(loop_.Varies(loop->min) || loop_.Varies(loop->extent),
               [&] { StmtVisitor::VisitFor(loop); });
      }
      void VisitLet(const Let* let) override {
        Within(loop_.Varies(let->value), [&] { StmtVisitor::VisitLet(let); });
      }
      void Within(bool differs, const std::function<void()>& visit) {
        const bool before = differs_;
        differs_ |= differs;
        visit();
        differs_ = before;
      }

      const LoopVectorizer& loop_;
      const expr::BufferNode* const buffer_;
      bool differs_ = false;
    };
    Finder finder(*this, buffer.get());
    finder.Visit(body);
    return !finder.varies;
  }

  bool LoadsPrivately(const Expr& e) const {
    class Finder : public expr::ExprVisitor {
     public:
      explicit Finder(const ExpandedBuffers& buffers) : buffers_(buffers) {}
      bool found = false;

     private:
      void VisitLoad(const expr::Load* load) override {
        found |= buffers_.count(load->buffer.get()) > 0;
        ExprVisitor::VisitLoad(load);
      }
      const ExpandedBuffers& buffers_;
    };
    Finder finder(expanded_);
    finder.Visit(e);
    return finder.found;
  }

  // Returns true if `e` may differ between lanes. Expanded buffers count as
  // different in each lane.
  bool Varies(const Expr& e) const {
    return expr::UsesVar(e, var_) || LoadsPrivately(e);
  }

  Stmt Widen(const Stmt& s) {
    return Widener(expanded_, var_, min_, lanes_).Mutate(s);
  }

  // A serial loop over the lanes. It has a new variable, because several such
  // loops may be created, even nested ones.
  Stmt LaneByLane(const Stmt& s) {
    const Expr lane = expr::Var::Make(var_.As<expr::Var>()->name);
    const Stmt scalar = LaneAccessMutator(expanded_, lanes_, lane - min_)
                            .Mutate(tir::Substitute(s, {{var_, lane}}));
    return For::Make(lane, min_, lanes_, ForKind::kSerial, scalar);
  }

  const Expr var_, min_;
  const int lanes_;
  ExpandedBuffers expanded_;
  std::set<const expr::BufferNode*> uniform_;
};

// Turns vectorized loops into serial ones.
class Serializer : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    if (loop->for_kind != ForKind::kVectorized) {
      return StmtMutator::MutateFor(s, loop);
    }
    return For::Make(loop->var, loop->min, loop->extent, ForKind::kSerial,
                     Mutate(loop->body));
  }
};

class Vectorizer : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    if (loop->for_kind != ForKind::kVectorized) {
      return StmtMutator::MutateFor(s, loop);
    }
    const auto lanes = expr::AsConstInt(loop->extent);
    CHECK(lanes.has_value()) << "vectorized extent " << loop->extent;
    const Stmt body = Serializer().Mutate(loop->body);
    if (*lanes == 1) return tir::Substitute(body, {{loop->var, loop->min}});
    if (*lanes < 1 || *lanes > kMaxLanes ||
        StoresToOneAddress(loop->var).Test(body)) {
      return For::Make(loop->var, loop->min, loop->extent, ForKind::kSerial,
                       body);
    }
    return LoopVectorizer(*loop, static_cast<int>(*lanes)).Mutate(body);
  }
};

}  // namespace

Stmt Vectorize(const Stmt& s) { return Vectorizer().Mutate(s); }

}  // namespace assay::tir
