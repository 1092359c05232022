#include "compiler/ops/index_loops.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"

namespace assay::ops {
namespace {

using expr::Expr;
using Body = std::function<void(const std::vector<Expr>&)>;

// Loops over the axes that `outer` has no index of yet.
void Loops(te::Extern& e, const Shape& shape, const std::vector<Expr>& outer,
           bool in_parallel, const Body& body) {
  const size_t d = outer.size();
  if (d == shape.size()) return body(outer);
  const auto inner = [&](const Expr& i) {
    std::vector<Expr> indices = outer;
    indices.push_back(i);
    Loops(e, shape, indices, /*in_parallel=*/false, body);
  };
  const std::string name = absl::StrCat("i", d);
  if (in_parallel) {
    e.Parallel(name, AsInt(shape[d]), inner);
  } else {
    e.For(name, 0, AsInt(shape[d]), inner);
  }
}

}  // namespace

void ForEachIndex(te::Extern& e, const Shape& shape, const Body& body) {
  Loops(e, shape, {}, /*in_parallel=*/false, body);
}

void ForEachIndexInParallel(te::Extern& e, const Shape& shape,
                            const Body& body) {
  Loops(e, shape, {}, /*in_parallel=*/true, body);
}

std::vector<Expr> IndicesInRow(const Shape& shape, int axis, const Expr& row,
                               const Expr& k) {
  std::vector<Expr> indices(shape.size());
  Expr rest = row;
  for (int d = static_cast<int>(shape.size()) - 1; d >= 0; --d) {
    if (d == axis) {
      indices[d] = k;
      continue;
    }
    indices[d] = rest % AsInt(shape[d]);
    rest = rest / AsInt(shape[d]);
  }
  return indices;
}

}  // namespace assay::ops
