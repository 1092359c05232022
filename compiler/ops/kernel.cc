#include "compiler/ops/kernel.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/conv2d.h"
#include "compiler/ops/data_movement.h"
#include "compiler/ops/dense.h"
#include "compiler/ops/elementwise.h"
#include "compiler/ops/matmul.h"
#include "compiler/ops/pool2d.h"
#include "compiler/ops/schedule_generic.h"
#include "runtime/base/status_macros.h"

namespace assay::ops {
namespace {

using graph::Graph;
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

absl::StatusOr<te::Tensor> Compute(const Node& node,
                                   const std::vector<te::Tensor>& in) {
  const Shape& output = node.type().shape;
  switch (node.kind()) {
    case OpKind::kConstant:
      return ConstantCompute(node);
    case OpKind::kConv2d:
      return Conv2d(in[0], in[1], node.attrs_as<graph::Conv2dAttrs>(), output);
    case OpKind::kRelu:
      return Relu(in[0]);
    case OpKind::kAdd:
      return Add(in[0], in[1], output);
    case OpKind::kMultiply:
      return Multiply(in[0], in[1], output);
    case OpKind::kMaxPool2d:
      return MaxPool2d(in[0], node.attrs_as<graph::Pool2dAttrs>(), output);
    case OpKind::kGlobalAvgPool2d:
      return GlobalAvgPool2d(in[0]);
    case OpKind::kDense:
      return Dense(in[0], in[1], output);
    case OpKind::kMatmul:
      return Matmul(in[0], in[1], output);
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
    case OpKind::kInput:
    case OpKind::kBatchNorm:
    case OpKind::kKernel:
      break;
  }
  return absl::UnimplementedError(absl::StrCat(
      node.Label(), ": no kernel can be generated for this operator"));
}

bool IsAnchor(OpKind kind) {
  const graph::PatternKind pattern = graph::OpPattern(kind);
  return pattern == graph::PatternKind::kOutEWiseFusable ||
         pattern == graph::PatternKind::kCommReduce;
}

// Which template schedules the kernel, and around which stage.
struct Anchor {
  OpKind kind = OpKind::kInput;  // kInput: none, an injective kernel
  te::Tensor stage;
};

void ScheduleKernel(schedule::Schedule& s, const Anchor& anchor,
                    const te::Tensor& output, const target::Target& target) {
  switch (anchor.kind) {
    case OpKind::kConv2d:
      return ScheduleConv2d(s, anchor.stage, output, target);
    case OpKind::kDense:
      return ScheduleDense(s, anchor.stage, output, target);
    case OpKind::kMatmul:
      return ScheduleMatmul(s, anchor.stage, output, target);
    case OpKind::kMaxPool2d:
    case OpKind::kGlobalAvgPool2d:
      return ScheduleReduction(s, output, target);
    default:
      return ScheduleInjective(s, output, target);
  }
}

int64_t NodeFlops(const Node& node) {
  const int64_t outputs = node.type().num_elements();
  switch (node.kind()) {
    case OpKind::kConv2d: {
      // Weights hold every tap of every output channel once; each output
      // pixel uses those of its channel.
      const auto& attrs = node.attrs_as<graph::Conv2dAttrs>();
      const Shape& w = node.input(1).type().shape;
      const int64_t channels = attrs.out_block > 0 ? w[0] * w[5] : w[0];
      return 2 * outputs * (NumElements(w) / channels);
    }
    case OpKind::kDense:
      return 2 * outputs * node.input(0).type().shape[1];
    case OpKind::kMatmul:
      return 2 * outputs * node.input(0).type().shape.back();
    case OpKind::kMaxPool2d: {
      const auto& kernel = node.attrs_as<graph::Pool2dAttrs>().kernel;
      return outputs * kernel[0] * kernel[1];
    }
    case OpKind::kGlobalAvgPool2d:
      return node.input(0).type().num_elements();
    case OpKind::kRelu:
    case OpKind::kAdd:
    case OpKind::kMultiply:
      return outputs;
    case OpKind::kBatchNorm:
      return 2 * outputs;
    default:
      return 0;
  }
}

}  // namespace

absl::StatusOr<Kernel> BuildKernel(const Graph& body,
                                   const target::Target& target) {
  if (body.outputs().size() != 1) {
    return absl::UnimplementedError(
        absl::StrCat("kernel `", body.name(), "` has ", body.outputs().size(),
                     " outputs; one is supported"));
  }
  absl::flat_hash_map<const Node*, te::Tensor> tensors;
  std::vector<te::Tensor> inputs;
  Anchor anchor;
  for (const Node* node : body.inputs()) {
    inputs.push_back(te::Placeholder(node->type().shape, node->type().dtype,
                                     absl::StrCat("p", inputs.size())));
    tensors[node] = inputs.back();
  }
  for (const Node* node : body.Nodes()) {
    if (node->kind() == OpKind::kInput) continue;
    std::vector<te::Tensor> operands;
    for (const graph::Value& v : node->inputs()) {
      operands.push_back(tensors.at(v.node));
    }
    ASSAY_ASSIGN_OR_RETURN(tensors[node], Compute(*node, operands));
    if (anchor.kind == OpKind::kInput && IsAnchor(node->kind())) {
      anchor = {node->kind(), tensors[node]};
    }
  }
  te::Tensor output = tensors.at(body.outputs()[0].value.node);
  if (output.is_placeholder()) output = Copy(output);
  Kernel kernel{inputs, {output}, schedule::Schedule({output})};
  ScheduleKernel(kernel.schedule, anchor, output, target);
  ASSAY_RETURN_IF_ERROR(kernel.schedule.status());
  return kernel;
}

int64_t CountFlops(const Graph& body) {
  int64_t total = 0;
  for (const Node* node : body.Nodes()) total += NodeFlops(*node);
  return total;
}

}  // namespace assay::ops
