#include "compiler/ops/reduction/reduce.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/reduction/row_reduce.h"
#include "compiler/te/reducers.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Combiner;
using expr::Expr;
using graph::OpKind;

expr::Reducer ReducerOf(OpKind kind, DType type) {
  switch (kind) {
    case OpKind::kReduceSum:
    case OpKind::kReduceMean:
      return expr::ReducerOf(Combiner::kSum, type);
    case OpKind::kReduceProd:
      return expr::ReducerOf(Combiner::kProd, type);
    case OpKind::kReduceMin:
      return te::MinimumOf(type);
    case OpKind::kReduceMax:
      return te::MaximumOf(type);
    default:
      CHECK_EQ(kind, OpKind::kGlobalMaxPool2d);
      return expr::ReducerOf(Combiner::kMax, type);
  }
}

bool Has(const std::vector<int64_t>& axes, int64_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// Maps result indices to operand indices; indices of reduced axes are left
// undefined.
std::vector<Expr> KeptIndices(const graph::ReduceAttrs& attrs, int rank,
                              const std::vector<Expr>& result) {
  std::vector<Expr> indices(rank);
  size_t next = 0;
  for (int d = 0; d < rank; ++d) {
    const bool reduced = Has(attrs.axes, d);
    if (!reduced) indices[d] = result[next];
    if (!reduced || attrs.keepdims) ++next;
  }
  return indices;
}

te::Tensor RowsReduced(OpKind kind, const graph::ReduceAttrs& attrs,
                       const te::Tensor& x, const Shape& output,
                       const Config& config) {
  const Shape& shape = x.shape();
  const auto value = [&](const std::vector<Expr>& row, const Expr& k) {
    std::vector<Expr> indices = KeptIndices(attrs, x.ndim(), row);
    int64_t stride = 1;
    int64_t left = ReducedElements(shape, attrs.axes);
    for (int d = x.ndim() - 1; d >= 0; --d) {
      if (!Has(attrs.axes, d)) continue;
      if (shape[d] == 1) {
        indices[d] = 0;
        continue;
      }
      Expr index = stride == 1 ? k : k / AsInt(stride);
      left /= shape[d];
      indices[d] = left == 1 ? index : index % AsInt(shape[d]);
      stride *= shape[d];
    }
    return x(indices);
  };
  const RowShape rows = {output, ReducedElements(shape, attrs.axes)};
  return RowReduce("reduce", ReducerOf(kind, x.dtype()), rows, value, config);
}

te::Tensor AxesReduced(OpKind kind, const graph::ReduceAttrs& attrs,
                       const te::Tensor& x, const Shape& output) {
  std::vector<expr::ReduceAxis> axes;
  for (int64_t axis : attrs.axes) {
    axes.push_back(
        te::MakeReduceAxis(x.shape()[axis], "r" + std::to_string(axis)));
  }
  return te::Compute(
      output, "reduce",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> indices = KeptIndices(attrs, x.ndim(), i);
        for (size_t a = 0; a < axes.size(); ++a) {
          indices[attrs.axes[a]] = axes[a].var;
        }
        return expr::Reduce::Make(ReducerOf(kind, x.dtype()), {x(indices)},
                                  axes);
      },
      "reduction");
}

}  // namespace

bool ReducesRows(const Shape& input, const std::vector<int64_t>& axes) {
  for (int64_t d = axes.front(); d < static_cast<int64_t>(input.size()); ++d) {
    if (input[d] != 1 && !Has(axes, d)) return false;
  }
  return true;
}

int64_t ReducedElements(const Shape& input, const std::vector<int64_t>& axes) {
  int64_t count = 1;
  for (int64_t axis : axes) count *= input[axis];
  return count;
}

te::Tensor Reduce(OpKind kind, const graph::ReduceAttrs& attrs,
                  const te::Tensor& x, const Shape& output,
                  const Config& config) {
  const te::Tensor reduced = ReducesRows(x.shape(), attrs.axes)
                                 ? RowsReduced(kind, attrs, x, output, config)
                                 : AxesReduced(kind, attrs, x, output);
  if (kind != OpKind::kReduceMean) return reduced;
  const auto count =
      static_cast<double>(ReducedElements(x.shape(), attrs.axes));
  return te::Compute(output, "mean", [&](const std::vector<Expr>& i) {
    return reduced(i) / expr::Const(x.dtype(), count);
  });
}

}  // namespace assay::ops
