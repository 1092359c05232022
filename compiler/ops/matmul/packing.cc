#include "compiler/ops/matmul/packing.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"

namespace assay::ops {

using expr::Expr;

MatmulSizes SizesOf(const OpInstance& op) {
  const Shape& y = op.output.shape;
  MatmulSizes sizes;
  sizes.m = y[y.size() - 2];
  sizes.n = y.back();
  sizes.k = op.stored[0].shape.back();
  for (size_t d = 0; d + 2 < y.size(); ++d) sizes.count *= y[d];
  if (const auto* panels = op.encoding<graph::Panels>(1)) {
    sizes.panel = panels->width;
    sizes.panel_k = panels->depth;
  }
  return sizes;
}

bool HasPanels(const OpInstance& op) {
  return op.encoding<graph::Panels>(1) != nullptr;
}

bool HasColumns(const OpInstance& op) {
  return HasPanels(op) ||
         (op.kind == graph::OpKind::kMatmul && IsPlain(op.inputs[1].encoding));
}

bool IsProductOfBytes(const OpInstance& op) {
  const auto is_byte = [](DType type) {
    return type == DType::Int(8) || type == DType::UInt(8);
  };
  return is_byte(op.inputs[0].dtype) && is_byte(op.inputs[1].dtype);
}

bool IsMatrixProduct(const OpInstance& op) {
  return op.inputs[0].rank() == 2 && op.inputs[1].rank() == 2;
}

MatrixStack MatricesOf(const te::Tensor& x, const Shape& y) {
  const size_t rank = x.shape().size(), skipped = y.size() - rank;
  MatrixStack stack;
  for (size_t d = 0; d + 2 < y.size(); ++d) stack.count *= y[d];
  stack.rows = x.shape()[rank - 2];
  stack.columns = x.shape()[rank - 1];
  stack.at = [=](const Expr& matrix, const Expr& row, const Expr& column) {
    std::vector<Expr> indices = {row, column};
    Expr rest = matrix;
    for (size_t d = rank - 2; d-- > 0;) {
      const int extent = AsInt(y[skipped + d]);
      const Expr index = skipped + d == 0 ? rest : rest % extent;
      indices.insert(indices.begin(), x.shape()[d] == 1 ? Expr(0) : index);
      rest = rest / extent;
    }
    return x(indices);
  };
  return stack;
}

Expr MatrixNumber(const Shape& y, const std::vector<Expr>& indices) {
  Expr matrix = 0;
  for (size_t d = 0; d + 2 < y.size(); ++d) {
    matrix = matrix * AsInt(y[d]) + indices[d];
  }
  return matrix;
}

std::optional<Expr> AndInside(const std::optional<Expr>& a, const Expr& index,
                              int64_t extent, int64_t padded) {
  if (extent == padded) return a;
  const Expr b = index < AsInt(extent);
  return a.has_value() ? *a && b : b;
}

Expr OrZero(const std::optional<Expr>& inside, const Expr& x) {
  return inside.has_value()
             ? expr::SelectOf(*inside, x, expr::Const(x.dtype(), 0))
             : x;
}

te::Tensor PackRows(const MatrixStack& x, int64_t width, int64_t depth,
                    DType type) {
  const int64_t panels = CeilDiv(x.rows, width);
  return te::Compute(
      {x.count, panels, width, depth}, "a.packed",
      [&](const std::vector<Expr>& i) {
        const Expr row = i[1] * AsInt(width) + i[2];
        const auto inside =
            AndInside(AndInside(std::nullopt, row, x.rows, panels * width),
                      i[3], x.columns, depth);
        return OrZero(inside, expr::CastTo(type, x.at(i[0], row, i[3])));
      },
      "matmul.a", {"matrix", "panel", "row", "k"});
}

te::Tensor PackColumns(const MatrixStack& x, int64_t width, int64_t depth,
                       DType type) {
  const int64_t panels = CeilDiv(x.columns, width);
  return te::Compute(
      {x.count, panels, depth, width}, "b.packed",
      [&](const std::vector<Expr>& i) {
        const Expr column = i[1] * AsInt(width) + i[3];
        const auto inside = AndInside(
            AndInside(std::nullopt, column, x.columns, panels * width), i[2],
            x.rows, depth);
        return OrZero(inside, expr::CastTo(type, x.at(i[0], i[2], column)));
      },
      "matmul.b", {"matrix", "panel", "k", "column"});
}

}  // namespace assay::ops
