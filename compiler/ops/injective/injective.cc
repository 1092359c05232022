#include "compiler/ops/injective/injective.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/graph/reference/element.h"
#include "compiler/ops/injective/data_movement.h"
#include "compiler/ops/injective/elementwise.h"
#include "compiler/ops/injective/quantize.h"

namespace assay::ops {
namespace {

using graph::Node;
using graph::OpKind;

// A constant of one element becomes part of the expression; a larger one has
// no place to live in a kernel and is refused.
absl::StatusOr<te::Tensor> ConstantCompute(const Node& node) {
  const NDArray& value = node.attrs_as<graph::ConstantAttrs>().value;
  if (value.num_elements() != 1) {
    return absl::UnimplementedError(
        absl::StrCat("constant ", node.Label(),
                     " inside a kernel has more than one element"));
  }
  const DType type = value.dtype();
  if (type.is_float()) {
    return Fill(value.shape(),
                expr::Const(type, graph::reference::LoadFloat(value, 0)));
  }
  return Fill(value.shape(),
              expr::ConstInt(type, graph::reference::LoadInt(value, 0)));
}

}  // namespace

absl::StatusOr<te::Tensor> ComputeInjective(const Node& node,
                                            const std::vector<te::Tensor>& in) {
  const Shape& output = node.type().shape;
  switch (node.kind()) {
    case OpKind::kConstant:
      return ConstantCompute(node);
#define ASSAY_GRAPH_OP_CASE(kind, name, pattern, attrs, rule) case OpKind::kind:
      ASSAY_FOR_EACH_UNARY_OP(ASSAY_GRAPH_OP_CASE)
      return Unary(node.kind(), node.attrs(), in[0]);
      ASSAY_FOR_EACH_BINARY_OP(ASSAY_GRAPH_OP_CASE)
#undef ASSAY_GRAPH_OP_CASE
      return Binary(node.kind(), in[0], in[1], output);
    case OpKind::kSelect:
      return Select(in[0], in[1], in[2], output);
    case OpKind::kBroadcastTo:
      return BroadcastTo(in[0], output);
    case OpKind::kReshape:
      return Reshape(in[0], output);
    case OpKind::kTranspose:
      return Transpose(in[0], node.attrs_as<graph::TransposeAttrs>().perm);
    case OpKind::kConcat:
      return Concat(in, node.attrs_as<graph::ConcatAttrs>().axis, output);
    case OpKind::kGather:
      return Gather(in[0], in[1], node.attrs_as<graph::GatherAttrs>().axis,
                    output);
    case OpKind::kGatherElements:
      return GatherElements(in[0], in[1],
                            node.attrs_as<graph::GatherAttrs>().axis);
    case OpKind::kGatherNd:
      return GatherNd(in[0], in[1],
                      node.attrs_as<graph::GatherNdAttrs>().batch_dims, output);
    case OpKind::kReverseSequence:
      return ReverseSequence(in[0], in[1],
                             node.attrs_as<graph::ReverseSequenceAttrs>());
    case OpKind::kSlice:
      return Slice(in[0], node.attrs_as<graph::SliceAttrs>());
    case OpKind::kPad:
      return PadConstant(in[0], node.attrs_as<graph::PadAttrs>(), output);
    case OpKind::kCast:
      return Cast(in[0], node.type().dtype);
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
      return Quantize(node.kind(), node.attrs_as<graph::QuantizeAttrs>(), in);
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
