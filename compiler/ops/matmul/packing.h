// Packing of the operands of blocked matrix products into panels
// (blocked_products.h).
#ifndef ASSAY_COMPILER_OPS_MATMUL_PACKING_H_
#define ASSAY_COMPILER_OPS_MATMUL_PACKING_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "compiler/ops/op_instance.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The sizes of `count` products y[m, n] = sum over k.
struct MatmulSizes {
  int64_t m = 0, n = 0, k = 0;
  int64_t count = 1;
  // If the second operand has been packed, the width and the length (at least
  // k) of its panels; otherwise 0.
  int64_t panel = 0, panel_k = 0;
};
MatmulSizes SizesOf(const OpInstance& op);

// Returns true for a product of two matrices, and false for stacks of them.
bool IsMatrixProduct(const OpInstance& op);

// `count` matrices of one shape, given by an expression for their elements.
struct MatrixStack {
  int64_t count = 1, rows = 0, columns = 0;
  std::function<expr::Expr(const expr::Expr& matrix, const expr::Expr& row,
                           const expr::Expr& column)>
      at;
};

// The matrices of x[…, rows, columns] after broadcasting its leading axes to
// those of y[…, m, n], in memory order.
MatrixStack MatricesOf(const te::Tensor& x, const Shape& y);

// `a && index < extent`, or just `a` if `padded`, the range of `index`, equals
// `extent`. nullopt stands for true.
std::optional<expr::Expr> AndInside(const std::optional<expr::Expr>& a,
                                    const expr::Expr& index, int64_t extent,
                                    int64_t padded);
// select(inside, x, 0), or x if `inside` is nullopt.
expr::Expr OrZero(const std::optional<expr::Expr>& inside, const expr::Expr& x);

// Panels of `width` rows of matrices [m, k], as `type`:
// [count, m / width, width, depth], tagged "matmul.a". Rows and columns beyond
// the end, up to whole panels and `depth`, are zero. Rows are not transposed:
// the tile reads them element by element, and copying is cheaper.
te::Tensor PackRows(const MatrixStack& x, int64_t width, int64_t depth,
                    DType type);

// Panels of `width` columns of matrices [k, n]:
// [count, n / width, depth, width], tagged "matmul.b", with the same padding.
te::Tensor PackColumns(const MatrixStack& x, int64_t width, int64_t depth,
                       DType type);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_PACKING_H_
