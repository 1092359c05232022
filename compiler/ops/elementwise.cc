#include "compiler/ops/elementwise.h"

#include <functional>
#include <vector>

#include "compiler/expr/expr_ops.h"

namespace assay::ops {
namespace {

using expr::Expr;

// The element of `x` that broadcasting puts at position `i` of the result.
Expr BroadcastRead(const te::Tensor& x, const std::vector<Expr>& i) {
  const size_t skipped = i.size() - x.shape().size();
  std::vector<Expr> indices;
  for (size_t d = 0; d < x.shape().size(); ++d) {
    indices.push_back(x.shape()[d] == 1 ? Expr(0) : i[skipped + d]);
  }
  return x(indices);
}

te::Tensor Binary(const char* name, const te::Tensor& a, const te::Tensor& b,
                  const Shape& output,
                  const std::function<Expr(Expr, Expr)>& f) {
  return te::Compute(output, name, [&](const std::vector<Expr>& i) {
    return f(BroadcastRead(a, i), BroadcastRead(b, i));
  });
}

}  // namespace

te::Tensor Relu(const te::Tensor& x) {
  return te::Compute(x.shape(), "relu", [&](const std::vector<Expr>& i) {
    return expr::Max(x(i), expr::Const(x.dtype(), 0));
  });
}

te::Tensor Add(const te::Tensor& a, const te::Tensor& b, const Shape& output) {
  return Binary("add", a, b, output, [](Expr x, Expr y) { return x + y; });
}

te::Tensor Multiply(const te::Tensor& a, const te::Tensor& b,
                    const Shape& output) {
  return Binary("multiply", a, b, output, [](Expr x, Expr y) { return x * y; });
}

te::Tensor Fill(const Shape& shape, const Expr& value) {
  return te::Compute(shape, "fill",
                     [&](const std::vector<Expr>&) { return value; });
}

}  // namespace assay::ops
