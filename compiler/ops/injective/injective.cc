#include "compiler/ops/injective/injective.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/injective/data_movement.h"
#include "compiler/ops/injective/elementwise.h"

namespace assay::ops {
namespace {

using graph::Node;
using graph::OpKind;

// A constant of one element becomes part of the expression; a larger one has
// no place to live in a kernel and is refused.
absl::StatusOr<te::Tensor> ConstantCompute(const Node& node) {
  const NDArray& value = node.attrs_as<graph::ConstantAttrs>().value;
  if (value.num_elements() == 1 && value.dtype() == DType::Float32()) {
    return Fill(value.shape(),
                expr::Const(value.dtype(), value.data<float>()[0]));
  }
  if (value.num_elements() == 1 && value.dtype() == DType::Int64()) {
    return Fill(value.shape(),
                expr::ConstInt(value.dtype(), value.data<int64_t>()[0]));
  }
  return absl::UnimplementedError(
      absl::StrCat("constant ", node.Label(),
                   " inside a kernel is not one float32 or int64 value"));
}

}  // namespace

absl::StatusOr<te::Tensor> ComputeInjective(const Node& node,
                                            const std::vector<te::Tensor>& in) {
  const Shape& output = node.type().shape;
  switch (node.kind()) {
    case OpKind::kConstant:
      return ConstantCompute(node);
#define ASSAY_GRAPH_OP_CASE(kind, name, pattern, attrs) case OpKind::kind:
      ASSAY_FOR_EACH_UNARY_OP(ASSAY_GRAPH_OP_CASE)
      return Unary(node.kind(), node.attrs(), in[0]);
      ASSAY_FOR_EACH_BINARY_OP(ASSAY_GRAPH_OP_CASE)
#undef ASSAY_GRAPH_OP_CASE
      return Binary(node.kind(), in[0], in[1], output);
    case OpKind::kReshape:
      return Reshape(in[0], output);
    case OpKind::kTranspose:
      return Transpose(in[0], node.attrs_as<graph::TransposeAttrs>().perm);
    case OpKind::kConcat:
      return Concat(in, node.attrs_as<graph::ConcatAttrs>().axis, output);
    case OpKind::kGather:
      return Gather(in[0], in[1], node.attrs_as<graph::GatherAttrs>().axis,
                    output);
    case OpKind::kLayoutTransform: {
      const auto& attrs = node.attrs_as<graph::LayoutTransformAttrs>();
      return LayoutTransform(in[0], attrs.from_block, attrs.to_block, output);
    }
    default:
      break;
  }
  return absl::UnimplementedError(absl::StrCat(
      node.Label(), ": no kernel can be generated for this operator"));
}

}  // namespace assay::ops
