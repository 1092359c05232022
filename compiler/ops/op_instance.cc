#include "compiler/ops/op_instance.h"

#include <utility>

namespace assay::ops {

using graph::OpKind;

OpInstance::OpInstance(graph::OpKind kind, graph::Attrs attrs,
                       std::vector<graph::TensorType> inputs,
                       graph::TensorType output)
    : kind(kind),
      attrs(std::move(attrs)),
      inputs(std::move(inputs)),
      output(std::move(output)),
      stored_output(this->output.stored()) {
  for (const graph::TensorType& input : this->inputs) {
    stored.push_back(input.stored());
  }
}

OpInstance InstanceOf(const graph::Node& node) {
  std::vector<graph::TensorType> inputs;
  for (const graph::Value& input : node.inputs()) {
    inputs.push_back(input.type());
  }
  return OpInstance(node.kind(), node.attrs(), std::move(inputs), node.type());
}

int64_t BlockOf(const graph::TensorType& image) {
  const auto* blocks = std::get_if<graph::ChannelBlocks>(&image.encoding);
  return blocks == nullptr ? 0 : blocks->block;
}

int64_t Flops(const OpInstance& op) {
  const int64_t outputs = op.output.num_elements();
  switch (op.kind) {
    // Each element of the result meets the weights of its filter.
    case OpKind::kConv2d:
      return 2 * outputs *
             (op.inputs[1].num_elements() / op.inputs[1].shape[0]);
    // Each element of the data meets the weights of its channel.
    case OpKind::kConv2dTranspose:
      return 2 * op.inputs[0].num_elements() *
             (op.inputs[1].num_elements() / op.inputs[0].shape[1]);
    case OpKind::kDense:
    case OpKind::kMatmul:
      return 2 * outputs * op.inputs[0].shape.back();
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d: {
      const auto& kernel = op.attrs_as<graph::Pool2dAttrs>().kernel;
      return outputs * kernel[0] * kernel[1];
    }
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
    case OpKind::kArgMax:
    case OpKind::kArgMin:
      return op.inputs[0].num_elements();
    case OpKind::kRecurrent: {
      // The product of the state, and about five operations for each gate.
      const Shape& w = op.inputs[1].shape;
      return outputs * w[2] * (2 * w[3] + 5);
    }
    case OpKind::kResample:
      return 2 * outputs * op.inputs[1].shape[1];
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
      // A comparison, a subtraction, an exponential, a sum and a division.
      return 5 * outputs;
    case OpKind::kLayerNorm:
      // Two sums and a square, then two differences and three products.
      return 8 * outputs;
    case OpKind::kBatchNorm:
      return 2 * outputs;
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
      return 2 * outputs;
#define ASSAY_CASE(kind, name, pattern, attrs, rule) case OpKind::kind:
      ASSAY_FOR_EACH_UNARY_OP(ASSAY_CASE)
      ASSAY_FOR_EACH_BINARY_OP(ASSAY_CASE)
      return outputs;
      ASSAY_FOR_EACH_REDUCE_OP(ASSAY_CASE)
      return op.inputs[0].num_elements();
    // Operators without arithmetic, and operators that are not counted.
    case OpKind::kSelect:
    case OpKind::kCast:
    case OpKind::kReshape:
    case OpKind::kBroadcastTo:
    case OpKind::kTranspose:
    case OpKind::kConcat:
    case OpKind::kSlice:
    case OpKind::kPad:
    case OpKind::kReverseSequence:
    case OpKind::kEncode:
    case OpKind::kGather:
    case OpKind::kGatherElements:
    case OpKind::kGatherNd:
    case OpKind::kScatterElements:
    case OpKind::kScatterNd:
    case OpKind::kNonZero:
    case OpKind::kArgSort:
    case OpKind::kUnique:
    case OpKind::kCumSum:
    case OpKind::kGridSample:
    case OpKind::kRoiAlign:
    case OpKind::kMaxRoiPool:
    case OpKind::kNonMaxSuppression:
      ASSAY_FOR_EACH_STRUCTURAL_OP(ASSAY_CASE)
#undef ASSAY_CASE
      return 0;
  }
  return 0;
}

int64_t Bytes(const OpInstance& op) {
  int64_t total = op.output.num_bytes();
  for (const graph::TensorType& input : op.inputs) total += input.num_bytes();
  return total;
}

}  // namespace assay::ops
