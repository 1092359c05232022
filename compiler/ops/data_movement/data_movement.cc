#include "compiler/ops/data_movement/data_movement.h"

#include <functional>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"

namespace assay::ops {
namespace {

using expr::Expr;

// If there are more parts, the part is found by bisection. The expression then
// has few levels, and few comparisons are evaluated.
constexpr size_t kMaxPartsInTurn = 32;

// Returns element(p) for the part p with begins[p] <= index < begins[p + 1],
// where first <= p < last.
Expr SelectPart(const Expr& index, const std::vector<int64_t>& begins,
                const std::function<Expr(size_t)>& element, size_t first,
                size_t last) {
  const size_t count = last - first;
  if (count == 1) return element(first);
  const size_t middle = count > kMaxPartsInTurn ? first + count / 2 : first + 1;
  return expr::SelectOf(index < AsInt(begins[middle]),
                        SelectPart(index, begins, element, first, middle),
                        SelectPart(index, begins, element, middle, last));
}

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
    bool leading = true;  // the outermost axis needs no modulo
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
    // Part p has the indices from begins[p] to begins[p + 1].
    std::vector<int64_t> begins = {0};
    for (const te::Tensor& part : parts) {
      begins.push_back(begins.back() + part.shape()[axis]);
    }
    const auto element = [&](size_t p) {
      std::vector<Expr> indices = i;
      indices[axis] = i[axis] - AsInt(begins[p]);
      return parts[p](indices);
    };
    return SelectPart(i[axis], begins, element, 0, parts.size());
  });
}

te::Tensor ReverseSequence(const te::Tensor& x, const te::Tensor& lengths,
                           const graph::ReverseSequenceAttrs& attrs) {
  return te::Compute(x.shape(), "reverse", [&](const std::vector<Expr>& i) {
    const int extent = AsInt(x.shape()[attrs.time_axis]);
    const Expr length = expr::Min(
        expr::Cast::Make(DType::Int32(), lengths(i[attrs.batch_axis])), extent);
    const Expr time = i[attrs.time_axis];
    std::vector<Expr> source = i;
    source[attrs.time_axis] =
        expr::SelectOf(time < length, length - 1 - time, time);
    return x(source);
  });
}

te::Tensor BroadcastTo(const te::Tensor& x, const Shape& output) {
  return te::Compute(output, "broadcast_to", [&](const std::vector<Expr>& i) {
    return BroadcastRead(x, i);
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

KernelRule ReshapeKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Reshape(in[0], op.output.shape);
  });
}

KernelRule BroadcastToKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return BroadcastTo(in[0], op.output.shape);
  });
}

KernelRule TransposeKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Transpose(in[0], op.attrs_as<graph::TransposeAttrs>().perm);
  });
}

KernelRule ConcatKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Concat(in, op.attrs_as<graph::ConcatAttrs>().axis, op.output.shape);
  });
}

KernelRule SliceKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Slice(in[0], op.attrs_as<graph::SliceAttrs>());
  });
}

KernelRule PadKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return PadConstant(in[0], op.attrs_as<graph::PadAttrs>(), op.output.shape);
  });
}

KernelRule ReverseSequenceKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return ReverseSequence(in[0], in[1],
                           op.attrs_as<graph::ReverseSequenceAttrs>());
  });
}

}  // namespace assay::ops
