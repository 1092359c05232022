#include "compiler/lower/store_tuple.h"

#include <string>
#include <utility>

#include "compiler/expr/substitute.h"

namespace assay::lower {
namespace {

using expr::Expr;
using tir::Stmt;

// An order of the results in which no result is stored before another one that
// needs the value it overwrites; empty if there is none.
std::vector<int> StoreOrder(const expr::Reducer& reducer) {
  const int size = reducer.size();
  std::vector<int> order;
  std::vector<bool> stored(size, false);
  const auto is_needed = [&](int value) {
    for (int i = 0; i < size; ++i) {
      if (i != value && !stored[i] &&
          expr::UsesVar(reducer->results[i], reducer->lhs[value])) {
        return true;
      }
    }
    return false;
  };
  for (int round = 0; round < size; ++round) {
    for (int i = 0; i < size; ++i) {
      if (stored[i] || is_needed(i)) continue;
      stored[i] = true;
      order.push_back(i);
    }
  }
  if (static_cast<int>(order.size()) < size) order.clear();
  return order;
}

}  // namespace

Stmt StoreEach(const std::vector<Element>& elements,
               const std::vector<Expr>& values) {
  std::vector<Stmt> stores;
  for (size_t i = 0; i < elements.size(); ++i) {
    stores.push_back(
        tir::Store::Make(elements[i].buffer, elements[i].indices, values[i]));
  }
  return tir::Block::Make(std::move(stores));
}

Stmt StoreCombined(const expr::Reducer& reducer,
                   const std::vector<Element>& elements,
                   const std::vector<Expr>& next) {
  std::vector<Expr> so_far;
  for (const Element& element : elements) {
    so_far.push_back(expr::Load::Make(element.buffer, element.indices));
  }
  const std::vector<Expr> results = expr::Combine(reducer, so_far, next);
  std::vector<Stmt> stores;
  for (int i : StoreOrder(reducer)) {
    stores.push_back(
        tir::Store::Make(elements[i].buffer, elements[i].indices, results[i]));
  }
  if (!stores.empty()) return tir::Block::Make(std::move(stores));
  std::vector<Element> fresh;
  std::vector<Expr> computed;
  for (size_t i = 0; i < elements.size(); ++i) {
    const expr::Buffer buffer =
        expr::MakeBuffer(elements[i].buffer->name + ".new", results[i].dtype(),
                         {1}, expr::Scope::kLocal);
    fresh.push_back({buffer, {0}});
    computed.push_back(expr::Load::Make(buffer, {0}));
  }
  Stmt stmt = tir::Block::Make(
      {StoreEach(fresh, results), StoreEach(elements, computed)});
  for (auto element = fresh.rbegin(); element != fresh.rend(); ++element) {
    stmt = tir::Allocate::Make(element->buffer, std::move(stmt));
  }
  return stmt;
}

}  // namespace assay::lower
