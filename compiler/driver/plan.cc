#include "compiler/driver/plan.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/memory_plan.h"
#include "compiler/graph/encoding/encode.h"
#include "compiler/ops/kernel/kernel.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using graph::Value;
using runtime::Location;
using runtime::TensorInfo;

int64_t Aligned(int64_t bytes) {
  constexpr int64_t kAlignment = ASSAY_BUFFER_ALIGNMENT;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

absl::string_view BytesOf(const NDArray& array) {
  return {static_cast<const char*>(array.raw()), array.num_bytes()};
}

class Planner {
 public:
  Planner(const Graph& graph, const graph::Views& views,
          const absl::flat_hash_map<const Node*, std::string>& symbols,
          int64_t max_memory)
      : graph_(graph), views_(views), symbols_(symbols), memory_(max_memory) {}

  absl::StatusOr<Plan> Run() {
    ASSAY_RETURN_IF_ERROR(AddOutputs());
    for (size_t i = 0; i < graph_.inputs().size(); ++i) {
      const Node* node = graph_.inputs()[i];
      ASSAY_RETURN_IF_ERROR(Use(node->name(), node->type().num_bytes()));
      AddTensor({const_cast<Node*>(node), 0}, node->name(), Location::kInput,
                static_cast<int64_t>(i));
    }
    for (const Node* node : graph_.Nodes()) {
      ASSAY_RETURN_IF_ERROR(AddNode(*node));
    }
    PlaceSetupConstants();
    BoundOutputs();
    ASSAY_RETURN_IF_ERROR(PlaceArena());
    return Plan{std::move(artifact_), std::move(constants_)};
  }

 private:
  absl::Status Use(const std::string& name, int64_t bytes) {
    ASSAY_RETURN_IF_ERROR(memory_.Check(absl::StrCat("`", name, "`"), bytes));
    memory_.Use(bytes);
    return absl::OkStatus();
  }

  absl::Status AddOutputs() {
    for (size_t i = 0; i < graph_.data_outputs().size(); ++i) {
      const graph::Output& output = graph_.outputs()[i];
      // Nothing writes an output without elements.
      const bool is_empty = output.value.type().num_elements() == 0;
      if (!is_empty && output.value.node->kind() != OpKind::kKernel) {
        return absl::UnimplementedError(
            absl::StrCat("model output `", output.name,
                         "` is a model input or a constant; there is nothing "
                         "to compute"));
      }
      if (!is_empty && indices_.contains(output.value)) {
        return absl::UnimplementedError(
            absl::StrCat("model output `", output.name,
                         "` is the same value as another model output"));
      }
      ASSAY_RETURN_IF_ERROR(Use(output.name, output.value.type().num_bytes()));
      // Users select outputs by name.
      AddTensor(output.value,
                output.name.empty() ? absl::StrCat("output", i) : output.name,
                Location::kOutput, static_cast<int64_t>(i));
    }
    return absl::OkStatus();
  }

  // The extents are read after the last call. Outputs are the first tensors.
  void BoundOutputs() {
    const auto end = static_cast<int32_t>(artifact_.calls.size());
    for (size_t i = 0; i < graph_.data_outputs().size(); ++i) {
      const graph::Output& output = graph_.outputs()[i];
      if (!output.is_bounded()) continue;
      const int32_t extent =
          TensorOf(graph_.outputs()[output.extent].value, end);
      artifact_.tensors[i].axis = output.axis;
      artifact_.tensors[i].extent = extent;
    }
  }

  int32_t AddTensor(Value value, const std::string& name, Location location,
                    int64_t position) {
    const int32_t index =
        AddArray(value.type().stored(), name, location, position);
    indices_[value] = index;
    return index;
  }

  int32_t AddArray(const graph::ArrayType& array, const std::string& name,
                   Location location, int64_t position) {
    artifact_.tensors.push_back(
        {name, array.dtype, array.shape, location, position, -1, -1});
    return static_cast<int32_t>(artifact_.tensors.size()) - 1;
  }

  absl::Status AddNode(const Node& node) {
    if (node.kind() == OpKind::kConstant) return AddConstant(node);
    if (node.kind() == OpKind::kKernel && !views_.elided.contains(&node)) {
      AddCall(node);
    }
    return absl::OkStatus();
  }

  // Constants with equal elements that are stored in the same way have one
  // place.
  absl::Status AddConstant(const Node& node) {
    const NDArray& value = node.attrs_as<graph::ConstantAttrs>().value;
    const graph::TensorType& type = node.type();
    const bool is_setup = symbols_.contains(&node);
    std::vector<Placed>& candidates = placed_[absl::HashOf(BytesOf(value))];
    const auto place = std::find_if(
        candidates.begin(), candidates.end(), [&](const Placed& other) {
          return BytesOf(other.value) == BytesOf(value) && other.type == type;
        });
    const Value constant = {const_cast<Node*>(&node), 0};
    if (place == candidates.end()) {
      ASSAY_ASSIGN_OR_RETURN(
          const int32_t tensor,
          is_setup ? AddSetup(node) : AddParam(constant, value));
      candidates.push_back({value, type, tensor});
    } else if (is_setup) {
      indices_[constant] = place->tensor;
    } else {
      AddTensor(constant, node.name(), Location::kParam,
                artifact_.tensors[place->tensor].position);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int32_t> AddParam(Value constant, const NDArray& value) {
    const int64_t size = Aligned(constant.type().num_bytes());
    ASSAY_RETURN_IF_ERROR(Use(constant.node->name(), size));
    constants_.push_back({value, constant.type().encoding, params_bytes_});
    params_bytes_ += size;
    return AddTensor(constant, constant.node->name(), Location::kParam,
                     constants_.back().position);
  }

  // Returns the tensor in the setup memory. The place of the plain constant is
  // not known yet.
  absl::StatusOr<int32_t> AddSetup(const Node& node) {
    const graph::TensorType plain = node.type().plain();
    const int64_t bytes = node.type().num_bytes();
    ASSAY_RETURN_IF_ERROR(Use(node.name(), Aligned(plain.num_bytes())));
    ASSAY_RETURN_IF_ERROR(Use(node.name(), Aligned(bytes)));
    runtime::KernelCall call;
    call.symbol = symbols_.at(&node);
    call.sources = node.sources();
    call.kind = std::string(graph::OpName(OpKind::kEncode));
    call.bytes = plain.num_bytes() + bytes;
    call.inputs = {AddArray(plain.stored(), node.name(), Location::kParam, 0)};
    call.outputs = {AddTensor({const_cast<Node*>(&node), 0}, node.name(),
                              Location::kSetup, artifact_.setup_bytes)};
    artifact_.setup_bytes += Aligned(bytes);
    setup_constants_.push_back(node.attrs_as<graph::ConstantAttrs>().value);
    artifact_.setup.push_back(std::move(call));
    return artifact_.setup.back().outputs[0];
  }

  // The operand of the first call is the last parameter, so that it can be
  // freed first.
  void PlaceSetupConstants() {
    for (size_t i = setup_constants_.size(); i-- > 0;) {
      TensorInfo& tensor = artifact_.tensors[artifact_.setup[i].inputs[0]];
      tensor.position = params_bytes_;
      constants_.push_back(
          {std::move(setup_constants_[i]), graph::Plain(), params_bytes_});
      params_bytes_ += Aligned(NumBytes(tensor));
    }
  }

  void AddCall(const Node& node) {
    const auto time = static_cast<int32_t>(artifact_.calls.size());
    const Graph& body = *node.attrs_as<graph::KernelAttrs>().body;
    runtime::KernelCall call;
    call.symbol = symbols_.at(&node);
    call.sources = node.sources();
    call.kind = KernelKind(body);
    call.flops = ops::CountFlops(body);
    for (const Value& v : node.inputs()) {
      call.inputs.push_back(TensorOf(v, time));
      call.bytes += v.type().num_bytes();
    }
    for (int i = 0; i < node.num_outputs(); ++i) {
      const Value value = {const_cast<Node*>(&node), i};
      call.outputs.push_back(TensorOf(value, time));
      call.bytes += value.type().num_bytes();
    }
    artifact_.calls.push_back(std::move(call));
  }

  // Returns the tensor of a value that call number `time` uses. A value without
  // a tensor is placed in the arena, or is a view of a value there.
  int32_t TensorOf(Value value, int32_t time) {
    auto known = indices_.find(value);
    if (known == indices_.end()) {
      const graph::View view = views_.RootOf(value);
      const auto [root, is_new] =
          roots_.try_emplace(view.whole, lifetimes_.size());
      if (is_new) {
        lifetimes_.push_back({view.whole.type().num_bytes(), time, time});
      }
      const int32_t index =
          AddTensor(value, value.node->name(), Location::kArena, view.offset);
      arena_[index] = root->second;
      known = indices_.find(value);
    }
    if (const auto live = arena_.find(known->second); live != arena_.end()) {
      lifetimes_[live->second].last_use = time;
    }
    return known->second;
  }

  absl::Status PlaceArena() {
    const MemoryPlan plan = PlanMemory(lifetimes_);
    ASSAY_RETURN_IF_ERROR(memory_.Check(
        absl::StrCat("the arena, in which `", LargestIntermediate(),
                     "` is the largest value,"),
        plan.arena_bytes));
    for (const auto& [tensor, lifetime] : arena_) {
      artifact_.tensors[tensor].position += plan.offsets[lifetime];
    }
    artifact_.arena_bytes = plan.arena_bytes;
    int64_t sum = 0;
    for (const BufferLifetime& buffer : lifetimes_) {
      sum += Aligned(buffer.bytes);
    }
    artifact_.metadata[runtime::kMetaActivationBytes] = absl::StrCat(sum);
    artifact_.metadata[runtime::kMetaLiveBytes] =
        absl::StrCat(LiveBytesLowerBound(lifetimes_));
    return absl::OkStatus();
  }

  std::string LargestIntermediate() const {
    std::string name;
    int64_t most = -1;
    for (const auto& [value, lifetime] : roots_) {
      const int64_t bytes = lifetimes_[lifetime].bytes;
      const std::string& other = value.node->name();
      if (std::tie(most, name) < std::tie(bytes, other)) {
        most = bytes;
        name = other;
      }
    }
    return name;
  }

  const Graph& graph_;
  const graph::Views& views_;
  const absl::flat_hash_map<const Node*, std::string>& symbols_;
  MemoryBudget memory_;
  runtime::Artifact artifact_;
  absl::flat_hash_map<Value, int32_t> indices_;
  // A constant, and the tensor that kernels read.
  struct Placed {
    NDArray value;
    graph::TensorType type;
    int32_t tensor = 0;
  };
  absl::flat_hash_map<size_t, std::vector<Placed>> placed_;  // by hash of bytes
  std::vector<PlannedConstant> constants_;
  std::vector<NDArray> setup_constants_;  // the operands of the setup calls
  int64_t params_bytes_ = 0;
  // Indices into lifetimes_ of the root values in the arena (which are not
  // views of other values) and of the tensors there.
  absl::flat_hash_map<Value, size_t> roots_;
  absl::flat_hash_map<int32_t, size_t> arena_;
  std::vector<BufferLifetime> lifetimes_;
};

}  // namespace

absl::StatusOr<Plan> BuildPlan(
    const Graph& graph, const graph::Views& views,
    const absl::flat_hash_map<const Node*, std::string>& symbols,
    int64_t max_memory) {
  return Planner(graph, views, symbols, max_memory).Run();
}

void AddParams(std::vector<PlannedConstant> constants,
               runtime::Artifact& artifact) {
  int64_t size = 0;
  for (const TensorInfo& tensor : artifact.tensors) {
    if (tensor.location != Location::kParam) continue;
    size = std::max(size, tensor.position + Aligned(NumBytes(tensor)));
  }
  artifact.params.reserve(static_cast<size_t>(size));
  for (PlannedConstant& planned : constants) {
    const PlannedConstant constant = std::exchange(planned, {});
    const auto stored = graph::Encode(constant.value, constant.encoding);
    CHECK(stored.ok()) << stored.status().message();
    artifact.params.resize(static_cast<size_t>(constant.position));
    const absl::string_view bytes = BytesOf(*stored);
    artifact.params.append(bytes.data(), bytes.size());
  }
  artifact.params.resize(static_cast<size_t>(size));
}

std::string KernelKind(const Graph& body) {
  std::vector<absl::string_view> all, computing;
  for (const Node* node : body.Nodes()) {
    if (node->kind() == OpKind::kInput || node->kind() == OpKind::kConstant) {
      continue;
    }
    all.push_back(graph::OpName(node->kind()));
    if (graph::OpPattern(node->kind()) != graph::PatternKind::kInjective) {
      computing.push_back(all.back());
    }
  }
  return absl::StrJoin(computing.empty() ? all : computing, "+");
}

}  // namespace assay::driver
