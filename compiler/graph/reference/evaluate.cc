#include "compiler/graph/reference/evaluate.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/reference/reference_ops.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

absl::StatusOr<NDArray> EvaluateOp(const Node& node,
                                   absl::Span<const NDArray> in) {
  const TensorType& type = node.type();
  switch (node.kind()) {
    case OpKind::kConstant:
      return node.attrs_as<ConstantAttrs>().value;
    case OpKind::kConv2d:
      return reference::Conv2d(node.attrs_as<Conv2dAttrs>(), in[0], in[1],
                               type);
    case OpKind::kConv2dTranspose:
      return reference::Conv2dTranspose(node.attrs_as<Conv2dTransposeAttrs>(),
                                        in[0], in[1], type);
    case OpKind::kSlice:
      return reference::Slice(node.attrs_as<SliceAttrs>(), in[0]);
    case OpKind::kPad:
      return reference::Pad(node.attrs_as<PadAttrs>(), in[0], type);
    case OpKind::kCast:
      return reference::Cast(in[0], type.dtype);
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
      return reference::Quantize(node.kind(), node.attrs_as<QuantizeAttrs>(),
                                 in);
    case OpKind::kBatchNorm:
      return reference::BatchNorm(node.attrs_as<BatchNormAttrs>(), in);
#define ASSAY_GRAPH_OP_CASE(kind, name, pattern, attrs) case OpKind::kind:
      ASSAY_FOR_EACH_UNARY_OP(ASSAY_GRAPH_OP_CASE)
      return reference::Unary(node.kind(), node.attrs(), in[0]);
      ASSAY_FOR_EACH_BINARY_OP(ASSAY_GRAPH_OP_CASE)
      return reference::Binary(node.kind(), in[0], in[1], type);
      ASSAY_FOR_EACH_REDUCE_OP(ASSAY_GRAPH_OP_CASE)
#undef ASSAY_GRAPH_OP_CASE
      return reference::Reduce(node.kind(), node.attrs_as<ReduceAttrs>(), in[0],
                               type);
    case OpKind::kSelect:
      return reference::Select(in[0], in[1], in[2], type);
    case OpKind::kBroadcastTo:
      return reference::BroadcastTo(in[0], type);
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
      return reference::Pool2d(node.kind(), node.attrs_as<Pool2dAttrs>(), in[0],
                               type);
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
      return reference::GlobalPool2d(
          node.kind(), node.attrs_as<GlobalPool2dAttrs>(), in[0], type);
    case OpKind::kArgMax:
    case OpKind::kArgMin:
      return reference::ArgReduce(node.kind(), node.attrs_as<ArgReduceAttrs>(),
                                  in[0], type);
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
      return reference::Softmax(node.attrs_as<SoftmaxAttrs>().axis,
                                node.kind() == OpKind::kLogSoftmax, in[0]);
    case OpKind::kLayerNorm:
      return reference::LayerNorm(node.attrs_as<LayerNormAttrs>(), in[0], in[1],
                                  in[2]);
    case OpKind::kDense:
      return reference::Dense(in[0], in[1], type);
    case OpKind::kPackedDense:
      return reference::PackedDense(in[0], in[1], type);
    case OpKind::kMatmul:
      return reference::Matmul(in[0], in[1], type);
    case OpKind::kReshape:
      return in[0].Reshaped(type.shape);
    case OpKind::kTranspose:
      return reference::Transpose(in[0], node.attrs_as<TransposeAttrs>().perm);
    case OpKind::kConcat:
      return reference::Concat(in, node.attrs_as<ConcatAttrs>().axis, type);
    case OpKind::kGather:
      return reference::Gather(in[0], in[1], node.attrs_as<GatherAttrs>().axis,
                               type);
    case OpKind::kGatherElements:
      return reference::GatherElements(in[0], in[1],
                                       node.attrs_as<GatherAttrs>().axis, type);
    case OpKind::kGatherNd:
      return reference::GatherNd(
          in[0], in[1], node.attrs_as<GatherNdAttrs>().batch_dims, type);
    case OpKind::kScatterElements:
      return reference::ScatterElements(node.attrs_as<ScatterElementsAttrs>(),
                                        in[0], in[1], in[2]);
    case OpKind::kScatterNd:
      return reference::ScatterNd(node.attrs_as<ScatterNdAttrs>(), in[0], in[1],
                                  in[2]);
    case OpKind::kArgSort:
      return reference::ArgSort(node.attrs_as<ArgSortAttrs>(), in[0], type);
    case OpKind::kCumSum:
      return reference::CumSum(node.attrs_as<CumSumAttrs>(), in[0]);
    case OpKind::kResample:
      return reference::Resample(node.attrs_as<ResampleAttrs>(), in, type);
    case OpKind::kGridSample:
      return reference::GridSample(node.attrs_as<GridSampleAttrs>(), in, type);
    case OpKind::kRoiAlign:
      return reference::RoiAlign(node.attrs_as<RoiAlignAttrs>(), in, type);
    case OpKind::kMaxRoiPool:
      return reference::MaxRoiPool(node.attrs_as<MaxRoiPoolAttrs>(), in, type);
    case OpKind::kReverseSequence:
      return reference::ReverseSequence(node.attrs_as<ReverseSequenceAttrs>(),
                                        in[0], in[1]);
    case OpKind::kLayoutTransform: {
      const auto& attrs = node.attrs_as<LayoutTransformAttrs>();
      return reference::LayoutTransform(in[0], attrs.from_block,
                                        attrs.to_block);
    }
    case OpKind::kWinogradWeights:
      return reference::WinogradWeights(node.attrs_as<WinogradWeightsAttrs>(),
                                        in[0], type);
    case OpKind::kInput:
    case OpKind::kKernel:
    case OpKind::kNonMaxSuppression:
    case OpKind::kNonZero:
    case OpKind::kUnique:
      break;
  }
  CHECK(false) << node.Label();
  return NDArray();
}

// Operators with several results.
absl::StatusOr<std::vector<NDArray>> EvaluateIrregular(
    const Node& node, absl::Span<const NDArray> in) {
  switch (node.kind()) {
    case OpKind::kNonMaxSuppression:
      return reference::NonMaxSuppression(
          node.attrs_as<NonMaxSuppressionAttrs>(), in, node.types());
    case OpKind::kNonZero:
      return reference::NonZero(in[0], node.types());
    case OpKind::kUnique:
      return reference::Unique(node.attrs_as<UniqueAttrs>(), in[0],
                               node.types());
    default:
      break;
  }
  CHECK(false) << node.Label();
  return std::vector<NDArray>();
}

// Results of nodes, dropped after their last use to bound memory.
class Environment {
 public:
  explicit Environment(const Graph& graph) : graph_(graph) {
    for (const Output& output : graph.outputs()) {
      ++uses_[output.value.node];
    }
    for (const auto& node : graph.node_list()) {
      uses_[node.get()] += node->users().size();
    }
  }

  void Set(const Node* node, std::vector<NDArray> results) {
    if (uses_.at(node) > 0) results_[node] = std::move(results);
  }

  NDArray Take(Value value) {
    auto it = results_.find(value.node);
    CHECK(it != results_.end())
        << value.node->Label() << " in `" << graph_.name() << "`";
    NDArray array = it->second[value.index];
    if (--uses_[value.node] == 0) results_.erase(it);
    return array;
  }

 private:
  const Graph& graph_;
  absl::flat_hash_map<const Node*, std::vector<NDArray>> results_;
  absl::flat_hash_map<const Node*, size_t> uses_;
};

absl::Status CheckInputs(const Graph& graph, absl::Span<const NDArray> inputs) {
  if (inputs.size() != graph.inputs().size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("graph `", graph.name(), "` takes ", graph.inputs().size(),
                     " inputs, not ", inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorType given{inputs[i].dtype(), inputs[i].shape()};
    if (given == graph.inputs()[i]->type()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("graph input `", graph.inputs()[i]->name(), "` is ",
                     graph.inputs()[i]->type().ToString(), " but ",
                     given.ToString(), " is given"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<NDArray>> EvaluateNode(
    const Node& node, absl::Span<const NDArray> inputs) {
  if (node.kind() == OpKind::kKernel) {
    // Depth one: a kernel's body holds no kernel.
    return Evaluate(*node.attrs_as<KernelAttrs>().body, inputs);
  }
  if (node.num_outputs() > 1) return EvaluateIrregular(node, inputs);
  absl::StatusOr<NDArray> result = EvaluateOp(node, inputs);
  if (!result.ok()) {
    return absl::Status(
        result.status().code(),
        absl::StrCat("node ", node.Label(), ": ", result.status().message()));
  }
  return std::vector<NDArray>{*std::move(result)};
}

absl::StatusOr<std::vector<NDArray>> Evaluate(
    const Graph& graph, absl::Span<const NDArray> inputs) {
  ASSAY_RETURN_IF_ERROR(CheckInputs(graph, inputs));
  Environment environment(graph);
  for (size_t i = 0; i < inputs.size(); ++i) {
    environment.Set(graph.inputs()[i], {inputs[i]});
  }
  for (const auto& node : graph.node_list()) {
    if (node->kind() == OpKind::kInput) continue;
    std::vector<NDArray> operands;
    for (Value input : node->inputs()) {
      operands.push_back(environment.Take(input));
    }
    ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> results,
                           EvaluateNode(*node, operands));
    environment.Set(node.get(), std::move(results));
  }
  std::vector<NDArray> outputs;
  for (const Output& output : graph.outputs()) {
    outputs.push_back(environment.Take(output.value));
  }
  const size_t count = graph.outputs_proper().size();
  for (size_t i = 0; i < count; ++i) {
    const Output& output = graph.outputs()[i];
    if (!output.is_bounded()) continue;
    const int64_t extent = outputs[output.extent].data<int64_t>()[0];
    if (extent < 0 || extent > output.value.type().shape[output.axis]) {
      return absl::InternalError(absl::StrCat(
          "output `", output.name, "` has ", extent, " elements along axis ",
          output.axis, " of ", output.value.type().ToString()));
    }
    outputs[i] = Prefix(outputs[i], output.axis, extent);
  }
  outputs.resize(count);
  return outputs;
}

}  // namespace assay::graph
