#include "compiler/ops/matmul/packing.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"

namespace assay::ops {

using expr::Expr;

MatmulSizes SizesOf(const OpInstance& op) {
  const bool packed = op.kind == graph::OpKind::kPackedDense;
  const Shape& b = op.inputs[1].shape;
  return {op.output.shape[0], op.output.shape[1], op.inputs[0].shape[1],
          packed ? b[2] : 0, packed ? b[1] : 0};
}

bool IsMatrixProduct(const OpInstance& op) {
  return op.inputs[0].rank() == 2 && op.inputs[1].rank() == 2;
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

te::Tensor PackRows(const te::Tensor& x, int64_t width, int64_t depth,
                    DType type) {
  const int64_t rows = x.shape()[0], panels = CeilDiv(rows, width);
  return te::Compute({panels, width, depth}, "a.packed",
                     [&](const std::vector<Expr>& i) {
                       const Expr row = i[0] * AsInt(width) + i[1];
                       const auto inside = AndInside(
                           AndInside(std::nullopt, row, rows, panels * width),
                           i[2], x.shape()[1], depth);
                       return OrZero(inside, expr::CastTo(type, x(row, i[2])));
                     },
                     "matmul.a", {"panel", "row", "k"});
}

te::Tensor PackColumns(const te::Tensor& x, int64_t width, int64_t depth,
                       DType type) {
  const int64_t columns = x.shape()[1], panels = CeilDiv(columns, width);
  return te::Compute(
      {panels, depth, width}, "b.packed",
      [&](const std::vector<Expr>& i) {
        const Expr column = i[0] * AsInt(width) + i[2];
        const auto inside =
            AndInside(AndInside(std::nullopt, column, columns, panels * width),
                      i[1], x.shape()[0], depth);
        return OrZero(inside, expr::CastTo(type, x(i[1], column)));
      },
      "matmul.b", {"panel", "k", "column"});
}

}  // namespace assay::ops
