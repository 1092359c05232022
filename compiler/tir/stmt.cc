#include "compiler/tir/stmt.h"

#include <utility>

#include "runtime/base/check.h"

namespace assay::tir {

Stmt For::Make(Expr var, Expr min, Expr extent, ForKind for_kind, Stmt body) {
  CHECK(var.As<expr::Var>() != nullptr);
  CHECK_EQ(var.dtype(), DType::Int32());
  CHECK_EQ(min.dtype(), DType::Int32());
  CHECK_EQ(extent.dtype(), DType::Int32());
  CHECK(body.defined());
  auto* node = new For;
  node->var = std::move(var);
  node->min = std::move(min);
  node->extent = std::move(extent);
  node->for_kind = for_kind;
  node->body = std::move(body);
  return Stmt(node);
}

Stmt Store::Make(Buffer buffer, std::vector<Expr> indices, Expr value) {
  CHECK_EQ(buffer->dtype, value.dtype().Element()) << "in " << buffer->name;
  const int lanes = indices.empty() ? 1 : indices.back().dtype().lanes();
  CHECK_EQ(lanes, value.dtype().lanes()) << "in " << buffer->name;
  auto* node = new Store;
  node->buffer = std::move(buffer);
  node->indices = std::move(indices);
  node->value = std::move(value);
  return Stmt(node);
}

Stmt Allocate::Make(Buffer buffer, Stmt body) {
  CHECK(buffer.defined() && body.defined());
  auto* node = new Allocate;
  node->buffer = std::move(buffer);
  node->body = std::move(body);
  return Stmt(node);
}

Stmt IfThenElse::Make(Expr condition, Stmt then_body, Stmt else_body) {
  CHECK_EQ(condition.dtype(), DType::Bool()) << condition;
  CHECK(then_body.defined());
  auto* node = new IfThenElse;
  node->condition = std::move(condition);
  node->then_body = std::move(then_body);
  node->else_body = std::move(else_body);
  return Stmt(node);
}

Stmt Block::Make(std::vector<Stmt> stmts) {
  std::vector<Stmt> flat;
  for (Stmt& stmt : stmts) {
    if (const Block* block = stmt.As<Block>()) {
      flat.insert(flat.end(), block->stmts.begin(), block->stmts.end());
    } else {
      CHECK(stmt.defined());
      flat.push_back(std::move(stmt));
    }
  }
  if (flat.size() == 1) return flat[0];
  auto* node = new Block;
  node->stmts = std::move(flat);
  return Stmt(node);
}

Stmt Pragma::Make(std::string key, int64_t value, Stmt body) {
  CHECK(body.defined());
  auto* node = new Pragma;
  node->key = std::move(key);
  node->value = value;
  node->body = std::move(body);
  return Stmt(node);
}

Stmt Let::Make(Expr var, Expr value, Stmt body) {
  CHECK(var.As<expr::Var>() != nullptr);
  CHECK_EQ(var.dtype(), DType::Int32());
  CHECK_EQ(value.dtype(), DType::Int32());
  CHECK(body.defined());
  auto* node = new Let;
  node->var = std::move(var);
  node->value = std::move(value);
  node->body = std::move(body);
  return Stmt(node);
}

Stmt Prefetch::Make(Expr element) {
  CHECK(element.As<expr::Load>() != nullptr && !element.dtype().is_vector());
  auto* node = new Prefetch;
  node->element = std::move(element);
  return Stmt(node);
}

}  // namespace assay::tir
