#include "compiler/graph/reference/evaluate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
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
    if (given == graph.inputs()[i]->type()) continue;
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

// State of the random numbers of ScopedRoundingNoise; 0 without noise.
std::atomic<uint64_t> noise_state = 0;

// The number of terms of the sums that `node` computes; 1 if it computes none.
double NumTerms(const Node& node) {
  const auto elements = [](const TensorType& type) {
    return static_cast<double>(std::max<int64_t>(type.num_elements(), 1));
  };
  switch (node.kind()) {
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
      return elements(node.input(1).type()) /
             static_cast<double>(node.input(1).type().shape[0]);
    case OpKind::kDense:
    case OpKind::kMatmul:
      return static_cast<double>(node.input(0).type().shape.back());
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
    case OpKind::kLayerNorm:
      return static_cast<double>(node.type().shape.back());
    default:
      return OpPattern(node.kind()) == PatternKind::kCommReduce ||
                     node.kind() == OpKind::kGlobalAvgPool2d
                 ? elements(node.input(0).type()) / elements(node.type())
                 : 1;
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

// Returns a random number in [-1, 1), and the next `state` (xorshift64).
double NextSide(uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<double>(state >> 32) / 2147483648.0 - 1;
}

// The root of the mean square of all finite elements.
template <typename T>
double UsualSize(absl::Span<const T> values) {
  double sum = 0, count = 0;
  for (const T value : values) {
    if (!std::isfinite(value)) continue;
    sum += static_cast<double>(value) * static_cast<double>(value);
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / count);
}

// Moves each element, which is a sum of `terms` terms, by at most sqrt(terms)
// units in the last place. The terms of a sum that is close to 0 cancel each
// other, and its error is that of larger sums.
template <typename T>
void AddNoise(double terms, NDArray& result) {
  NDArray noisy(result.dtype(), result.shape());
  const absl::Span<const T> from = result.data<T>();
  const absl::Span<T> to = noisy.data<T>();
  const T least = terms > 1 ? static_cast<T>(UsualSize(from)) : 0;
  const double units = std::sqrt(terms);
  uint64_t state = noise_state;
  for (size_t i = 0; i < from.size(); ++i) {
    const double side = NextSide(state);
    const T unit =
        std::max(std::abs(from[i]), least) * std::numeric_limits<T>::epsilon();
    to[i] = from[i] + static_cast<T>(side * units) * unit;
    if (!std::isfinite(to[i])) to[i] = from[i];
  }
  noise_state = state;
  result = std::move(noisy);
}

// Moves one element in twelve of a 16-bit float type to a neighbour.
void AddNoiseTo16Bits(NDArray& result) {
  const double epsilon = result.dtype() == DType::Float16() ? 0x1p-10 : 0x1p-7;
  NDArray noisy = result.Clone();
  uint64_t state = noise_state;
  for (int64_t i = 0; i < result.num_elements(); ++i) {
    const double side = NextSide(state);
    const double value = LoadFloat(result, i);
    if (std::abs(side) < 11.0 / 12 || !std::isfinite(value)) continue;
    // This is between 0.75 and 1.5 units in the last place.
    StoreFloat(noisy, i, value + std::copysign(0.75 * epsilon * value, side));
    if (!std::isfinite(LoadFloat(noisy, i))) StoreFloat(noisy, i, value);
  }
  noise_state = state;
  result = std::move(noisy);
}

void AddNoise(const Node& node, std::vector<NDArray>& results) {
  if (node.kind() == OpKind::kConstant ||
      OpPattern(node.kind()) == PatternKind::kInjective) {
    return;
  }
  const double terms = NumTerms(node);
  for (NDArray& result : results) {
    if (result.dtype() == DType::Float32()) AddNoise<float>(terms, result);
    if (result.dtype() == DType::Float64()) AddNoise<double>(terms, result);
    if (result.dtype().is_float() && result.dtype().bits() == 16) {
      AddNoiseTo16Bits(result);
    }
  }
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
    if (noise_state != 0) AddNoise(node, *results);
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

ScopedRoundingNoise::ScopedRoundingNoise(uint64_t seed) {
  CHECK_NE(seed, 0u);
  CHECK_EQ(noise_state.exchange(seed), 0u);
}

ScopedRoundingNoise::~ScopedRoundingNoise() { noise_state = 0; }

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

}  // namespace assay::graph
