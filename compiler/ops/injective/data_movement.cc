#include "compiler/ops/injective/data_movement.h"

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;

}  // namespace

te::Tensor Reshape(const te::Tensor& x, const Shape& output) {
  return te::Compute(output, "reshape", [&](const std::vector<Expr>& i) {
    const Shape out_strides = RowMajorStrides(output);
    Expr flat = 0;
    for (size_t d = 0; d < i.size(); ++d) {
      if (output[d] != 1) flat = flat + i[d] * AsInt(out_strides[d]);
    }
    const Shape in_strides = RowMajorStrides(x.shape());
    std::vector<Expr> indices;
    bool leading = true;  // nothing lies outside the first real axis
    for (size_t d = 0; d < x.shape().size(); ++d) {
      if (x.shape()[d] == 1) {
        indices.push_back(0);
        continue;
      }
      Expr index = flat / AsInt(in_strides[d]);
      if (!leading) index = index % AsInt(x.shape()[d]);
      indices.push_back(index);
      leading = false;
    }
    return x(indices);
  });
}

te::Tensor Transpose(const te::Tensor& x, const std::vector<int64_t>& perm) {
  Shape output;
  for (int64_t axis : perm) output.push_back(x.shape()[axis]);
  return te::Compute(output, "transpose", [&](const std::vector<Expr>& i) {
    std::vector<Expr> indices(perm.size());
    for (size_t d = 0; d < perm.size(); ++d) indices[perm[d]] = i[d];
    return x(indices);
  });
}

te::Tensor Concat(const std::vector<te::Tensor>& parts, int64_t axis,
                  const Shape& output) {
  return te::Compute(output, "concat", [&](const std::vector<Expr>& i) {
    // From the last part backwards: i < end_0 ? part_0 : i < end_1 ? …
    int64_t begin = output[axis];
    Expr value;
    for (size_t p = parts.size(); p-- > 0;) {
      const int64_t end = begin;
      begin -= parts[p].shape()[axis];
      std::vector<Expr> indices = i;
      indices[axis] = i[axis] - AsInt(begin);
      const Expr here = parts[p](indices);
      value = value.defined()
                  ? expr::SelectOf(i[axis] < AsInt(end), here, value)
                  : here;
    }
    return value;
  });
}

te::Tensor Gather(const te::Tensor& x, const te::Tensor& indices, int64_t axis,
                  const Shape& output) {
  return te::Compute(output, "gather", [&](const std::vector<Expr>& i) {
    const auto begin = i.begin() + axis;
    const auto end = begin + indices.ndim();
    const int extent = AsInt(x.shape()[axis]);
    Expr index = expr::Cast::Make(DType::Int32(),
                                  indices(std::vector<Expr>(begin, end)));
    index = expr::SelectOf(index < 0, index + extent, index);
    std::vector<Expr> source(i.begin(), begin);
    source.push_back(expr::Min(expr::Max(index, 0), extent - 1));
    source.insert(source.end(), end, i.end());
    return x(source);
  });
}

te::Tensor Slice(const te::Tensor& x, const graph::SliceAttrs& attrs) {
  return te::Compute(attrs.sizes, "slice", [&](const std::vector<Expr>& i) {
    std::vector<Expr> indices;
    for (size_t d = 0; d < i.size(); ++d) {
      indices.push_back(i[d] * AsInt(attrs.steps[d]) + AsInt(attrs.begins[d]));
    }
    return x(indices);
  });
}

te::Tensor PadConstant(const te::Tensor& x, const graph::PadAttrs& attrs,
                       const Shape& output) {
  return te::Compute(output, "pad", [&](const std::vector<Expr>& i) {
    Expr inside = expr::ConstInt(DType::Bool(), 1);
    std::vector<Expr> indices = i;
    for (size_t d = 0; d < i.size(); ++d) {
      const int before = AsInt(attrs.before[d]);
      const int end = before + AsInt(x.shape()[d]);
      if (before > 0) inside = inside && i[d] >= before;
      if (attrs.after[d] > 0) inside = inside && i[d] < end;
      indices[d] = i[d] - before;
    }
    return expr::SelectOf(inside, x(indices),
                          expr::Const(x.dtype(), attrs.value));
  });
}

te::Tensor Copy(const te::Tensor& x) {
  return te::Compute(x.shape(), "copy",
                     [&](const std::vector<Expr>& i) { return x(i); });
}

te::Tensor LayoutTransform(const te::Tensor& x, int64_t from_block,
                           int64_t to_block, const Shape& output) {
  return te::Compute(
      output, "layout_transform",
      [&](const std::vector<Expr>& i) {
        CHECK_GE(i.size(), 2u);
        std::vector<Expr> indices = i;
        Expr channel = i[1];
        if (to_block != 0) {
          channel = i[1] * AsInt(to_block) + i.back();
          indices.pop_back();
        }
        indices[1] = channel;
        if (from_block != 0) {
          indices[1] = channel / AsInt(from_block);
          indices.push_back(channel % AsInt(from_block));
        }
        return x(indices);
      },
      from_block != 0 && to_block == 0 ? "unpack" : "");
}

}  // namespace assay::ops
