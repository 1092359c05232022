#include "compiler/tir/structural_equal.h"

namespace assay::tir {
namespace {

class Comparer {
 public:
  bool Equal(const Stmt& a, const Stmt& b);
  // Pairs the two buffers if their types and scopes are equal.
  bool BindBuffers(const Buffer& a, const Buffer& b);

 private:
  bool Equal(const Expr& a, const Expr& b) {
    return expr::StructurallyEqual(a, b, renaming_);
  }
  bool Nodes(const For* a, const For* b);
  bool Nodes(const Store* a, const Store* b);
  bool Nodes(const Allocate* a, const Allocate* b);
  bool Nodes(const IfThenElse* a, const IfThenElse* b);
  bool Nodes(const Block* a, const Block* b);
  bool Nodes(const Pragma* a, const Pragma* b);
  bool Nodes(const Let* a, const Let* b);
  bool Nodes(const Prefetch* a, const Prefetch* b);

  expr::Renaming renaming_;
};

bool Comparer::BindBuffers(const Buffer& a, const Buffer& b) {
  if (a->dtype != b->dtype || a->shape != b->shape || a->scope != b->scope) {
    return false;
  }
  renaming_.Bind(a.get(), b.get());
  return true;
}

bool Comparer::Nodes(const For* a, const For* b) {
  if (a->for_kind != b->for_kind || !Equal(a->min, b->min) ||
      !Equal(a->extent, b->extent)) {
    return false;
  }
  renaming_.Bind(a->var.get(), b->var.get());
  const bool equal = Equal(a->body, b->body);
  renaming_.Unbind(a->var.get(), b->var.get());
  return equal;
}

bool Comparer::Nodes(const Store* a, const Store* b) {
  if (!renaming_.Same(a->buffer.get(), b->buffer.get())) return false;
  if (a->indices.size() != b->indices.size()) return false;
  for (size_t i = 0; i < a->indices.size(); ++i) {
    if (!Equal(a->indices[i], b->indices[i])) return false;
  }
  return Equal(a->value, b->value);
}

bool Comparer::Nodes(const Allocate* a, const Allocate* b) {
  if (!BindBuffers(a->buffer, b->buffer)) return false;
  const bool equal = Equal(a->body, b->body);
  renaming_.Unbind(a->buffer.get(), b->buffer.get());
  return equal;
}

bool Comparer::Nodes(const IfThenElse* a, const IfThenElse* b) {
  return Equal(a->condition, b->condition) &&
         Equal(a->then_body, b->then_body) && Equal(a->else_body, b->else_body);
}

bool Comparer::Nodes(const Block* a, const Block* b) {
  if (a->stmts.size() != b->stmts.size()) return false;
  for (size_t i = 0; i < a->stmts.size(); ++i) {
    if (!Equal(a->stmts[i], b->stmts[i])) return false;
  }
  return true;
}

bool Comparer::Nodes(const Pragma* a, const Pragma* b) {
  return a->key == b->key && a->value == b->value && Equal(a->body, b->body);
}

bool Comparer::Nodes(const Let* a, const Let* b) {
  if (!Equal(a->value, b->value)) return false;
  renaming_.Bind(a->var.get(), b->var.get());
  const bool equal = Equal(a->body, b->body);
  renaming_.Unbind(a->var.get(), b->var.get());
  return equal;
}

bool Comparer::Nodes(const Prefetch* a, const Prefetch* b) {
  return Equal(a->element, b->element);
}

bool Comparer::Equal(const Stmt& a, const Stmt& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
#define ASSAY_CASE(Kind)                            \
  case StmtKind::k##Kind:                           \
    return Nodes(static_cast<const Kind*>(a.get()), \
                 static_cast<const Kind*>(b.get()));
    ASSAY_STMT_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  }
  return false;
}

}  // namespace

bool StructurallyEqual(const Stmt& a, const Stmt& b) {
  return Comparer().Equal(a, b);
}

bool StructurallyEqual(const Function& a, const Function& b) {
  if (a.name != b.name || a.inputs.size() != b.inputs.size() ||
      a.outputs.size() != b.outputs.size()) {
    return false;
  }
  Comparer comparer;
  for (size_t i = 0; i < a.inputs.size(); ++i) {
    if (!comparer.BindBuffers(a.inputs[i], b.inputs[i])) return false;
  }
  for (size_t i = 0; i < a.outputs.size(); ++i) {
    if (!comparer.BindBuffers(a.outputs[i], b.outputs[i])) return false;
  }
  return comparer.Equal(a.body, b.body);
}

}  // namespace assay::tir
