#include "compiler/ops/indexing/gather.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"

namespace assay::ops {
namespace {

using expr::Expr;

// Result [a…, b…, c…] is x[a…, indices[b…], c…], where a has `axis` axes.
te::Tensor Gather(const te::Tensor& x, const te::Tensor& indices, int64_t axis,
                  const Shape& output) {
  return te::Compute(output, "gather", [&](const std::vector<Expr>& i) {
    const auto begin = i.begin() + axis;
    const auto end = begin + indices.ndim();
    std::vector<Expr> source(i.begin(), begin);
    source.push_back(
        IndexInto(x.shape()[axis], indices(std::vector<Expr>(begin, end))));
    source.insert(source.end(), end, i.end());
    return x(source);
  });
}

// Result element i is x[i] with index `axis` replaced by indices[i].
te::Tensor GatherElements(const te::Tensor& x, const te::Tensor& indices,
                          int64_t axis) {
  return te::Compute(indices.shape(), "gather_elements",
                     [&](const std::vector<Expr>& i) {
                       std::vector<Expr> source = i;
                       source[axis] = IndexInto(x.shape()[axis], indices(i));
                       return x(source);
                     });
}

// Result [n…, b…, c…] is x[n…, indices[n…, b…]…, c…], where n has `batch_dims`
// axes.
te::Tensor GatherNd(const te::Tensor& x, const te::Tensor& indices,
                    int64_t batch_dims, const Shape& output) {
  return te::Compute(output, "gather_nd", [&](const std::vector<Expr>& i) {
    const auto rest = i.begin() + indices.ndim() - 1;
    std::vector<Expr> source(i.begin(), i.begin() + batch_dims);
    for (int64_t k = 0; k < indices.shape().back(); ++k) {
      std::vector<Expr> at(i.begin(), rest);
      at.push_back(AsInt(k));
      source.push_back(IndexInto(x.shape()[batch_dims + k], indices(at)));
    }
    source.insert(source.end(), rest, i.end());
    return x(source);
  });
}

}  // namespace

expr::Expr IndexInto(int64_t extent, const expr::Expr& given) {
  const int size = AsInt(extent);
  Expr index = expr::Cast::Make(DType::Int32(), given);
  index = expr::SelectOf(index < 0, index + size, index);
  return expr::Min(expr::Max(index, 0), size - 1);
}

KernelRule GatherKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Gather(in[0], in[1], op.attrs_as<graph::GatherAttrs>().axis,
                  op.output.shape);
  });
}

KernelRule GatherElementsKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return GatherElements(in[0], in[1], op.attrs_as<graph::GatherAttrs>().axis);
  });
}

KernelRule GatherNdKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return GatherNd(in[0], in[1],
                    op.attrs_as<graph::GatherNdAttrs>().batch_dims,
                    op.output.shape);
  });
}

}  // namespace assay::ops
