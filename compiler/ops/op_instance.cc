#include "compiler/ops/op_instance.h"

namespace assay::ops {

using graph::OpKind;

OpInstance InstanceOf(const graph::Node& node) {
  OpInstance op;
  op.kind = node.kind();
  op.attrs = node.attrs();
  for (const graph::Value& input : node.inputs()) {
    op.inputs.push_back(input.type());
  }
  op.output = node.type();
  return op;
}

int64_t Flops(const OpInstance& op) {
  const int64_t outputs = op.output.num_elements();
  switch (op.kind) {
    case OpKind::kConv2d: {
      // Weights hold every tap of every output channel once; each output pixel
      // uses those of its channel.
      const auto& attrs = op.attrs_as<graph::Conv2dAttrs>();
      const Shape& w = op.inputs[1].shape;
      // Operations of the direct algorithm.
      if (attrs.winograd > 0) return 2 * outputs * w[3] * 9;
      if (attrs.bfloat16_parts > 0) {
        const Shape& x = op.inputs[0].shape;
        const int64_t folded = attrs.folded_columns;
        return 2 * outputs * x[1] * x[4] * w[2] * (folded > 0 ? folded : w[3]);
      }
      const int64_t channels = attrs.out_block > 0 ? w[0] * w[5] : w[0];
      return 2 * outputs * (NumElements(w) / channels);
    }
    case OpKind::kConv2dTranspose: {
      // Every element of the data meets every weight of its channel.
      const Shape &x = op.inputs[0].shape, &w = op.inputs[1].shape;
      const bool blocked =
          op.attrs_as<graph::Conv2dTransposeAttrs>().in_block > 0;
      const int64_t channels = blocked ? x[1] * x[4] : x[1];
      return 2 * NumElements(x) * (NumElements(w) / channels);
    }
    case OpKind::kDense:
    case OpKind::kPackedDense:
      return 2 * outputs * op.inputs[0].shape[1];
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
    case OpKind::kLayoutTransform:
    case OpKind::kWinogradWeights:
    case OpKind::kSplitBFloat16:
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
  const auto bytes = [](const graph::TensorType& type) {
    return type.num_elements() * type.dtype.bytes();
  };
  int64_t total = bytes(op.output);
  for (const graph::TensorType& input : op.inputs) total += bytes(input);
  return total;
}

}  // namespace assay::ops
