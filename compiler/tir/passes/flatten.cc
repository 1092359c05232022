#include "compiler/tir/passes/flatten.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/shape.h"

namespace assay::tir {
namespace {

// A scalar has the single index 0. The index is simplified because quotient and
// remainder of one loop variable, used in two dimensions, often recombine to
// the variable; after vectorization they could not be recognized.
Expr FlatIndex(const Buffer& buffer, const std::vector<Expr>& indices) {
  const Shape strides = RowMajorStrides(buffer->shape);
  Expr flat = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    flat = flat + indices[d] * static_cast<int>(strides[d]);
  }
  return Simplify(flat);
}

class Flattener : public StmtMutator {
 protected:
  Expr MutateLoad(const Expr& e, const expr::Load* node) override {
    bool changed = false;
    const std::vector<Expr> indices = MutateAll(node->indices, &changed);
    if (indices.size() == 1) {
      return changed ? expr::Load::Make(node->buffer, indices) : e;
    }
    return expr::Load::Make(node->buffer, {FlatIndex(node->buffer, indices)});
  }

  Stmt MutateStore(const Stmt& s, const Store* node) override {
    bool changed = false;
    const std::vector<Expr> indices = MutateAll(node->indices, &changed);
    const Expr value = Mutate(node->value);
    if (indices.size() == 1) {
      if (!changed && value.same_as(node->value)) return s;
      return Store::Make(node->buffer, indices, value);
    }
    return Store::Make(node->buffer, {FlatIndex(node->buffer, indices)}, value);
  }
};

}  // namespace

Stmt Flatten(const Stmt& s) { return Flattener().Mutate(s); }

}  // namespace assay::tir
