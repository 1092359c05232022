#include "compiler/lower/virtual_threads.h"

#include <map>
#include <set>
#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/lower/copy_stmt.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/check.h"
#include "runtime/base/shape.h"

namespace assay::lower {
namespace {

using expr::Buffer;
using expr::Expr;
using tir::Stmt;
using BufferSet = std::set<const expr::BufferNode*>;

// A statement with more copies than this becomes a loop.
constexpr int64_t kMaxCopies = 16;

// Detects uses of the thread index or of a buffer that is private to the
// thread.
class DependenceFinder : public tir::StmtVisitor {
 public:
  DependenceFinder(const Expr& thread, const BufferSet& own)
      : thread_(thread), own_(own) {}
  bool found = false;

 protected:
  void VisitVar(const expr::Var* node) override {
    found = found || node == thread_.get();
  }
  void VisitLoad(const expr::Load* node) override {
    found = found || own_.count(node->buffer.get()) > 0;
    StmtVisitor::VisitLoad(node);
  }
  void VisitStore(const tir::Store* node) override {
    found = found || own_.count(node->buffer.get()) > 0;
    StmtVisitor::VisitStore(node);
  }

 private:
  const Expr& thread_;
  const BufferSet& own_;
};

// Finds the buffers allocated inside whose contents differ between threads:
// those with a store whose address, value or condition depends on the thread.
class OwnBuffers : public tir::StmtVisitor {
 public:
  explicit OwnBuffers(const Expr& thread) : thread_(thread) {}

  BufferSet Find(const Stmt& s) {
    do {
      changed_ = false;
      Visit(s);
    } while (changed_);
    return std::move(own_);
  }

 protected:
  void VisitFor(const tir::For* node) override {
    const bool outer = context_;
    context_ = outer || Depends(node->min) || Depends(node->extent);
    StmtVisitor::VisitFor(node);
    context_ = outer;
  }
  void VisitIfThenElse(const tir::IfThenElse* node) override {
    const bool outer = context_;
    context_ = outer || Depends(node->condition);
    StmtVisitor::VisitIfThenElse(node);
    context_ = outer;
  }
  void VisitAllocate(const tir::Allocate* node) override {
    inside_.insert(node->buffer.get());
    StmtVisitor::VisitAllocate(node);
  }
  void VisitStore(const tir::Store* node) override {
    bool depends = context_ || Depends(node->value);
    for (const Expr& index : node->indices) {
      depends = depends || Depends(index);
    }
    if (depends && inside_.count(node->buffer.get()) > 0) {
      changed_ = own_.insert(node->buffer.get()).second || changed_;
    }
  }

 private:
  bool Depends(const Expr& e) const {
    DependenceFinder finder(thread_, own_);
    finder.Visit(e);
    return finder.found;
  }

  const Expr& thread_;
  BufferSet inside_, own_;
  bool context_ = false, changed_ = false;
};

// Redirects accesses of one thread's buffers to the expanded buffers.
class ToThread : public tir::StmtMutator {
 public:
  ToThread(const std::map<const expr::BufferNode*, Buffer>& wide,
           const Expr& thread)
      : wide_(wide), thread_(thread) {}

 protected:
  Expr MutateLoad(const Expr& e, const expr::Load* node) override {
    const Buffer* wide = WideOf(node->buffer);
    if (wide == nullptr) return StmtMutator::MutateLoad(e, node);
    return expr::Load::Make(*wide, IndicesOf(node->buffer, node->indices));
  }
  Stmt MutateStore(const Stmt& s, const tir::Store* node) override {
    const Buffer* wide = WideOf(node->buffer);
    if (wide == nullptr) return StmtMutator::MutateStore(s, node);
    return tir::Store::Make(*wide, IndicesOf(node->buffer, node->indices),
                            Mutate(node->value));
  }

 private:
  const Buffer* WideOf(const Buffer& buffer) const {
    const auto found = wide_.find(buffer.get());
    return found == wide_.end() ? nullptr : &found->second;
  }
  std::vector<Expr> IndicesOf(const Buffer& narrow,
                              const std::vector<Expr>& old) {
    bool changed = false;
    std::vector<Expr> indices = MutateAll(old, &changed);
    if (indices.size() == narrow->shape.size()) {
      indices.insert(indices.begin(), thread_);
    } else {  // one index, in elements
      indices[0] =
          thread_ * static_cast<int>(NumElements(narrow->shape)) + indices[0];
    }
    return indices;
  }

  const std::map<const expr::BufferNode*, Buffer>& wide_;
  const Expr& thread_;
};

class Interleaver {
 public:
  explicit Interleaver(const tir::For& loop)
      : loop_(loop),
        threads_(expr::AsConstInt(loop.extent).value_or(0)),
        own_(OwnBuffers(loop.var).Find(loop.body)) {
    CHECK_GT(threads_, 0) << "virtual threads";
  }

  Stmt Interleave(const Stmt& s) {
    if (!Depends(s)) return s;
    if (const auto* block = s.As<tir::Block>()) {
      std::vector<Stmt> stmts;
      for (const Stmt& child : block->stmts) stmts.push_back(Interleave(child));
      return tir::Block::Make(std::move(stmts));
    }
    if (const auto* allocate = s.As<tir::Allocate>()) {
      return Widened(*allocate);
    }
    if (const auto* loop = s.As<tir::For>()) {
      if (loop->for_kind != tir::ForKind::kVectorized && !Depends(loop->min) &&
          !Depends(loop->extent)) {
        return tir::For::Make(loop->var, loop->min, loop->extent,
                              loop->for_kind, Interleave(loop->body));
      }
    }
    if (const auto* branch = s.As<tir::IfThenElse>()) {
      if (!Depends(branch->condition)) {
        return tir::IfThenElse::Make(
            branch->condition, Interleave(branch->then_body),
            branch->else_body.defined() ? Interleave(branch->else_body)
                                        : Stmt());
      }
    }
    if (const auto* pragma = s.As<tir::Pragma>()) {
      Stmt body = Interleave(pragma->body);
      // The pragma applies to a single loop only.
      if (body.As<tir::For>() == nullptr) return body;
      return tir::Pragma::Make(pragma->key, pragma->value, std::move(body));
    }
    return OncePerThread(s);
  }

 private:
  template <typename T>
  bool Depends(const T& s) const {
    DependenceFinder finder(loop_.var, own_);
    finder.Visit(s);
    return finder.found;
  }

  Stmt Widened(const tir::Allocate& allocate) {
    const Buffer& old = allocate.buffer;
    if (own_.count(old.get()) == 0) {
      return tir::Allocate::Make(old, Interleave(allocate.body));
    }
    Shape shape = old->shape;
    shape.insert(shape.begin(), threads_);
    const Buffer wide =
        expr::MakeBuffer(old->name, old->dtype, shape, old->scope);
    wide_[old.get()] = wide;
    return tir::Allocate::Make(wide, Interleave(allocate.body));
  }

  Stmt ForThread(const Stmt& s, const Expr& thread) const {
    return CopyStmt(ToThread(wide_, thread).Mutate(s), {{loop_.var, thread}});
  }

  Stmt OncePerThread(const Stmt& s) const {
    if (threads_ > kMaxCopies) {
      const Expr var = expr::Var::Make(loop_.var.As<expr::Var>()->name);
      return tir::For::Make(var, 0, static_cast<int>(threads_),
                            tir::ForKind::kSerial, ForThread(s, var));
    }
    std::vector<Stmt> copies;
    for (int thread = 0; thread < threads_; ++thread) {
      copies.push_back(ForThread(s, thread));
    }
    return tir::Block::Make(std::move(copies));
  }

  const tir::For& loop_;
  const int64_t threads_;
  const BufferSet own_;
  std::map<const expr::BufferNode*, Buffer> wide_;
};

class Injector : public tir::StmtMutator {
 protected:
  Stmt MutatePragma(const Stmt& s, const tir::Pragma* node) override {
    if (node->key != kVirtualThreadPragma) {
      return StmtMutator::MutatePragma(s, node);
    }
    // Inner threads first; they become statements of the outer ones.
    const Stmt loop = Mutate(node->body);
    return Interleaver(*loop.As<tir::For>())
        .Interleave(loop.As<tir::For>()->body);
  }
};

}  // namespace

Stmt InjectVirtualThreads(const Stmt& s) { return Injector().Mutate(s); }

}  // namespace assay::lower
