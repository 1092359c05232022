#include "compiler/graph/reference/evaluate.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/encoding/encode.h"
#include "compiler/graph/reference/num_terms.h"
#include "compiler/graph/reference/rounding_noise.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

reference::Results AsList(reference::Results results) { return results; }
reference::Results AsList(reference::Result result) {
  if (!result.ok()) return result.status();
  return std::vector<NDArray>{*std::move(result)};
}

reference::Results ApplyRule(const Node& node, reference::Operands in) {
  switch (node.kind()) {
#define ASSAY_APPLY(kind, name, pattern, attrs, rule) \
  case OpKind::kind:                                  \
    return AsList(reference::rule(node, in));
    ASSAY_FOR_EACH_SINGLE_RESULT_OP(ASSAY_APPLY)
    ASSAY_FOR_EACH_MULTI_RESULT_OP(ASSAY_APPLY)
#undef ASSAY_APPLY
    case OpKind::kConstant:
      return std::vector<NDArray>{node.attrs_as<ConstantAttrs>().value};
    case OpKind::kKernel:
      // The recursion has depth one: the body of a kernel holds no kernel.
      return Evaluate(*node.attrs_as<KernelAttrs>().body, in);
    case OpKind::kInput:
      break;
  }
  CHECK(false) << node.Label();
  return std::vector<NDArray>();
}

// Results of nodes; a result is dropped after its last use to bound memory.
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
    if (given == graph.inputs()[i]->type().plain()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("graph input `", graph.inputs()[i]->name(), "` is ",
                     graph.inputs()[i]->type().ToString(), " but ",
                     given.ToString(), " is given"));
  }
  return absl::OkStatus();
}

// The kind of operator that ScopedFault makes wrong.
constexpr int kNoFault = -1, kAllKinds = -2;
std::atomic<int> fault_kind = kNoFault;

bool IsFaulty(OpKind kind) {
  const int fault = fault_kind;
  if (fault == kAllKinds) return kind != OpKind::kConstant;
  return fault == static_cast<int>(kind);
}

// Replaces the results by copies: operators that move no data return the memory
// of their operand.
void FalsifyResults(std::vector<NDArray>& results) {
  for (NDArray& result : results) {
    NDArray wrong(result.dtype(), result.shape());
    if (result.num_elements() == 0) continue;
    CopyElements(result, 0, wrong, 0, result.num_elements());
    if (result.dtype().is_float()) {
      StoreFloat(wrong, 0, LoadFloat(result, 0) + 1);
    } else {
      StoreInt(wrong, 0, LoadInt(result, 0) + 1);
    }
    result = std::move(wrong);
  }
}

// The work of `node`: about the number of elements that it computes or adds.
double WorkOf(const Node& node) {
  double elements = 0;
  for (const TensorType& type : node.types()) {
    elements += static_cast<double>(type.num_elements());
  }
  return node.kind() == OpKind::kConstant ? 0 : elements * NumTerms(node);
}

}  // namespace

absl::StatusOr<std::vector<NDArray>> EvaluateNode(
    const Node& node, absl::Span<const NDArray> inputs) {
  const bool is_empty = std::all_of(
      node.types().begin(), node.types().end(),
      [](const TensorType& type) { return type.num_elements() == 0; });
  if (is_empty) {
    std::vector<NDArray> empty;
    for (const TensorType& type : node.types()) {
      empty.emplace_back(type.dtype, type.shape);
    }
    return empty;
  }
  absl::StatusOr<std::vector<NDArray>> results = ApplyRule(node, inputs);
  if (node.kind() == OpKind::kKernel) return results;
  if (results.ok()) {
    if (IsFaulty(node.kind())) FalsifyResults(*results);
    AddRoundingNoise(node, inputs, *results);
    return results;
  }
  return absl::Status(
      results.status().code(),
      absl::StrCat("node ", node.Label(), ": ", results.status().message()));
}

ScopedFault::ScopedFault(std::optional<OpKind> kind) {
  const int wanted = kind.has_value() ? static_cast<int>(*kind) : kAllKinds;
  CHECK_EQ(fault_kind.exchange(wanted), kNoFault);
}

ScopedFault::~ScopedFault() { fault_kind = kNoFault; }

absl::StatusOr<std::vector<NDArray>> Evaluate(
    const Graph& graph, absl::Span<const NDArray> inputs,
    const std::function<void(double)>& progress) {
  ASSAY_RETURN_IF_ERROR(CheckInputs(graph, inputs));
  Environment environment(graph);
  for (size_t i = 0; i < inputs.size(); ++i) {
    environment.Set(graph.inputs()[i], {inputs[i]});
  }
  double work = 0, done = 0;
  if (progress) {
    for (const auto& node : graph.node_list()) work += WorkOf(*node);
  }
  for (const auto& node : graph.node_list()) {
    if (node->kind() == OpKind::kInput) continue;
    if (progress) {
      progress(work > 0 ? done / work : 0);
      done += WorkOf(*node);
    }
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
  const size_t count = graph.data_outputs().size();
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

absl::StatusOr<std::vector<NDArray>> EvaluateStored(
    const Graph& graph, absl::Span<const NDArray> inputs) {
  std::vector<NDArray> plain(inputs.begin(), inputs.end());
  const size_t count = std::min(plain.size(), graph.inputs().size());
  for (size_t i = 0; i < count; ++i) {
    const TensorType& type = graph.inputs()[i]->type();
    ASSAY_ASSIGN_OR_RETURN(
        plain[i], Decode(inputs[i], type.encoding, {type.dtype, type.shape}));
  }
  ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> outputs, Evaluate(graph, plain));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Encoding& encoding = graph.outputs()[i].value.type().encoding;
    ASSAY_ASSIGN_OR_RETURN(outputs[i], Encode(outputs[i], encoding));
  }
  return outputs;
}

}  // namespace assay::graph
