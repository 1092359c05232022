#include "compiler/lower/copy_stmt.h"

#include <map>
#include <utility>

#include "compiler/tir/visitor.h"

namespace assay::lower {
namespace {

using expr::Buffer;
using expr::Expr;
using tir::Stmt;

class Copier : public tir::StmtMutator {
 public:
  explicit Copier(const expr::VarMap<Expr>& values) : values_(values) {}

 protected:
  Expr MutateVar(const Expr& e, const expr::Var*) override {
    const auto found = values_.find(e);
    return found == values_.end() ? e : found->second;
  }

  Expr MutateLoad(const Expr&, const expr::Load* node) override {
    bool changed = false;
    std::vector<Expr> indices = MutateAll(node->indices, &changed);
    return expr::Load::Make(CopyOf(node->buffer), std::move(indices));
  }

  Stmt MutateStore(const Stmt&, const tir::Store* node) override {
    bool changed = false;
    std::vector<Expr> indices = MutateAll(node->indices, &changed);
    return tir::Store::Make(CopyOf(node->buffer), std::move(indices),
                            Mutate(node->value));
  }

  Stmt MutateFor(const Stmt&, const tir::For* node) override {
    const Expr min = Mutate(node->min), extent = Mutate(node->extent);
    const Expr var = expr::Var::Make(node->var.As<expr::Var>()->name);
    values_[node->var] = var;
    return tir::For::Make(var, min, extent, node->for_kind, Mutate(node->body));
  }

  Stmt MutateAllocate(const Stmt&, const tir::Allocate* node) override {
    const Buffer& old = node->buffer;
    const Buffer copy =
        expr::MakeBuffer(old->name, old->dtype, old->shape, old->scope);
    buffers_[old.get()] = copy;
    return tir::Allocate::Make(copy, Mutate(node->body));
  }

 private:
  const Buffer& CopyOf(const Buffer& buffer) const {
    const auto found = buffers_.find(buffer.get());
    return found == buffers_.end() ? buffer : found->second;
  }

  expr::VarMap<Expr> values_;
  std::map<const expr::BufferNode*, Buffer> buffers_;
};

}  // namespace

Stmt CopyStmt(const Stmt& s, const expr::VarMap<Expr>& values) {
  return Copier(values).Mutate(s);
}

}  // namespace assay::lower
