// Packs the operands of blocked matrix products into panels
// (blocked_products.h).
#ifndef ASSAY_COMPILER_OPS_MATMUL_PACKING_H_
#define ASSAY_COMPILER_OPS_MATMUL_PACKING_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/ops/op_instance.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The sizes of `count` matrix products [m, k] x [k, n].
struct MatmulSizes {
  int64_t m = 0, n = 0, k = 0;
  int64_t count = 1;
  // Width and length of the panels if the second operand is stored in panels,
  // else 0. The length is at least k.
  int64_t panel = 0, panel_k = 0;
};
// Returns the sizes of a matmul or dense.
MatmulSizes SizesOf(const OpInstance& op);

// Returns true if the second operand is stored in panels
// (graph/encoding/panels.h).
bool HasPanels(const OpInstance& op);
// Returns true if the second operand is [k,n] or stored in panels, as the
// templates of blocked products need it: not for the plain weights of `dense`.
bool HasColumns(const OpInstance& op);

// Returns true if the elements of both operands are bytes.
bool IsProductOfBytes(const OpInstance& op);

// Returns true if both operands are matrices, and false if at least one of them
// is a stack of matrices.
bool IsMatrixProduct(const OpInstance& op);

// A stack of `count` matrices of the same shape. `at` returns the expression
// for an element.
struct MatrixStack {
  int64_t count = 1, rows = 0, columns = 0;
  std::function<expr::Expr(const expr::Expr& matrix, const expr::Expr& row,
                           const expr::Expr& column)>
      at;
};

// Broadcasts x[…, rows, columns] along its leading axes (all axes but the last
// two) to the leading axes of shape `y`. Returns the matrices of the result, in
// row-major order of the leading axes.
MatrixStack MatricesOf(const te::Tensor& x, const Shape& y);

// Returns the number of the matrix of a stack of shape `y` that contains the
// element at `indices`.
expr::Expr MatrixNumber(const Shape& y, const std::vector<expr::Expr>& indices);

// Returns the condition `a && index < extent`. `index` is in [0, padded), so
// the comparison is omitted if `padded` equals `extent`. In `a` and in the
// result, nullopt stands for true.
std::optional<expr::Expr> AndInside(const std::optional<expr::Expr>& a,
                                    const expr::Expr& index, int64_t extent,
                                    int64_t padded);
// Returns select(inside, x, 0), or `x` if `inside` is nullopt.
expr::Expr OrZero(const std::optional<expr::Expr>& inside, const expr::Expr& x);

// Packs matrices [m, k] into panels of `width` rows, and converts the elements
// to `type`. Returns a tensor [count, panels, width, depth] with tag
// "matmul.a", where `panels` is m / width, rounded up. `depth` must be at least
// k. Elements beyond the end of a matrix are zero. Panels are not transposed,
// because the register tile reads single elements, and copying rows is cheaper
// than transposing them.
te::Tensor PackRows(const MatrixStack& x, int64_t width, int64_t depth,
                    DType type);

// Packs matrices [k, n] into panels of `width` columns, and converts the
// elements to `type`. Returns a tensor [count, panels, depth, width] with tag
// "matmul.b", where `panels` is n / width, rounded up. `depth` must be at least
// k. Elements beyond the end of a matrix are zero.
te::Tensor PackColumns(const MatrixStack& x, int64_t width, int64_t depth,
                       DType type);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_PACKING_H_
