// How blocked matrix products pack their operands into panels
// (blocked_products.h).
#ifndef ASSAY_COMPILER_OPS_MATMUL_PACKING_H_
#define ASSAY_COMPILER_OPS_MATMUL_PACKING_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "compiler/ops/op_instance.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Of y[m, n] = sum over k, `count` times.
struct MatmulSizes {
  int64_t m = 0, n = 0, k = 0;
  int64_t count = 1;
  // Of a second operand that has been packed: the width of its panels, and
  // their length, at least k; otherwise 0.
  int64_t panel = 0, panel_k = 0;
};
MatmulSizes SizesOf(const OpInstance& op);

// A product of two matrices, and not of stacks of them.
bool IsMatrixProduct(const OpInstance& op);

// `count` matrices of one shape, by their values.
struct MatrixStack {
  int64_t count = 1, rows = 0, columns = 0;
  std::function<expr::Expr(const expr::Expr& matrix, const expr::Expr& row,
                           const expr::Expr& column)>
      at;
};

// The matrices of x[…, rows, columns] that broadcasting its leading axes to
// those of y[…, m, n] makes, in their order in memory.
MatrixStack MatricesOf(const te::Tensor& x, const Shape& y);

// `a && index < extent`, or `a` where `index` stays below `extent` anyway
// because it runs to `padded`, which is the same. Nothing: true.
std::optional<expr::Expr> AndInside(const std::optional<expr::Expr>& a,
                                    const expr::Expr& index, int64_t extent,
                                    int64_t padded);
// x, or zero where `inside` does not hold.
expr::Expr OrZero(const std::optional<expr::Expr>& inside, const expr::Expr& x);

// Panels of `width` rows of matrices [m, k], as `type`:
// [count, m / width, width, depth], tagged "matmul.a". Rows and columns beyond
// the end, up to whole panels and `depth`, are zero. Each row stays as it is:
// the tile reads its rows value by value anyway, and copying rows is cheaper
// than transposing them.
te::Tensor PackRows(const MatrixStack& x, int64_t width, int64_t depth,
                    DType type);

// Panels of `width` columns of matrices [k, n]:
// [count, n / width, depth, width], tagged "matmul.b", likewise.
te::Tensor PackColumns(const MatrixStack& x, int64_t width, int64_t depth,
                       DType type);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_PACKING_H_
