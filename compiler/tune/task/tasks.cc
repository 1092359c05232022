#include "compiler/tune/task/tasks.h"

#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/isolate_kernel.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/views.h"
#include "compiler/ops/instance_text.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/kernel/workload.h"
#include "runtime/abi/abi.h"
#include "runtime/base/status_macros.h"

namespace assay::tune {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;

// What the passes choose for a convolution.
struct ConvChoice {
  std::string algorithm;  // empty if it is exact
  int64_t block = 0;      // of output channels

  bool operator<(const ConvChoice& other) const {
    return std::tie(algorithm, block) < std::tie(other.algorithm, other.block);
  }
};

ConvChoice ChoiceOf(const ops::OpInstance& op, const target::Target& target) {
  ConvChoice choice;
  choice.block = ops::BlockOf(op.output);
  for (const ops::Implementation& row : ops::Implementations(op.kind)) {
    if (row.inexact != nullptr && row.applies(op, target)) {
      choice.algorithm = row.inexact->name(op);
    }
  }
  return choice;
}

// Times with which the passes prefer an algorithm, and then a block.
ops::EncodingTimes Prefer(const ConvChoice& choice,
                          const target::Target& target) {
  ops::EncodingTimes times;
  times.conv2d = [choice,
                  &target](const ops::OpInstance& op) -> std::optional<double> {
    const ConvChoice other = ChoiceOf(op, target);
    return 1 + (other.algorithm != choice.algorithm ? 100 : 0) +
           (other.block != choice.block ? 10 : 0);
  };
  // A conversion costs less than any preference, but not nothing: otherwise the
  // operators after a convolution might get another layout than its result, and
  // would not become its epilogue.
  times.conversion = [](const graph::TensorType&) { return 1e-3; };
  return times;
}

// Times that record what the passes ask for.
ops::EncodingTimes Record(const target::Target& target,
                          std::set<ConvChoice>* choices) {
  ops::EncodingTimes times;
  times.conv2d = [choices,
                  &target](const ops::OpInstance& op) -> std::optional<double> {
    choices->insert(ChoiceOf(op, target));
    return 1;
  };
  times.conversion = [](const graph::TensorType&) { return 0.0; };
  return times;
}

absl::StatusOr<Task> TaskOf(const Node& kernel, std::string key) {
  const Graph& body = *kernel.attrs_as<graph::KernelAttrs>().body;
  Task task;
  task.workload = ops::WorkloadText(body);
  if (const Node* anchor = ops::AnchorOf(body); anchor != nullptr) {
    task.anchor = ops::InstanceText(ops::InstanceOf(*anchor));
  }
  task.flops = ops::CountFlops(body);
  ASSAY_ASSIGN_OR_RETURN(task.kernel, driver::IsolateKernel(kernel, key));
  task.key = std::move(key);
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    const Node& operand = *kernel.input(i).node;
    if (operand.kind() != OpKind::kConstant) continue;
    task.constants.push_back(
        {i, operand.attrs_as<graph::ConstantAttrs>().value});
  }
  return task;
}

class Extraction {
 public:
  Extraction(const Graph& model, const target::Target& target)
      : model_(model), target_(target) {}

  // Adds the kernels that `options` lead to. `counts` says whether they are
  // those of the model without tuning.
  absl::Status Add(const driver::CompileOptions& options, bool counts) {
    const std::unique_ptr<Graph> graph = model_.Clone();
    driver::DumpDir dump("");
    ASSAY_RETURN_IF_ERROR(
        driver::OptimizeGraph(*graph, target_, options, dump));
    const graph::Views views = graph::FindViews(*graph, ASSAY_BUFFER_ALIGNMENT);
    for (const Node* node : graph->Nodes()) {
      if (node->kind() != OpKind::kKernel) continue;
      if (views.elided.contains(node)) continue;  // computes nothing
      ASSAY_RETURN_IF_ERROR(Add(*node, counts));
    }
    return absl::OkStatus();
  }

  std::vector<Task> Take() { return std::move(tasks_); }

 private:
  absl::Status Add(const Node& kernel, bool counts) {
    std::string key =
        ops::WorkloadKey(*kernel.attrs_as<graph::KernelAttrs>().body);
    const auto [known, is_new] = positions_.try_emplace(key, tasks_.size());
    if (is_new) {
      ASSAY_ASSIGN_OR_RETURN(Task task, TaskOf(kernel, std::move(key)));
      tasks_.push_back(std::move(task));
    }
    Task& task = tasks_[known->second];
    if (counts) ++task.calls;
    for (const std::string& source : kernel.sources()) {
      if (!absl::c_linear_search(task.nodes, source)) {
        task.nodes.push_back(source);
      }
    }
    return absl::OkStatus();
  }

  const Graph& model_;
  const target::Target& target_;
  std::vector<Task> tasks_;
  absl::flat_hash_map<std::string, size_t> positions_;  // by key
};

}  // namespace

absl::StatusOr<std::vector<Task>> ExtractTasks(
    const Graph& model, const target::Target& target,
    const driver::CompileOptions& options, LayoutChoices layouts) {
  Extraction extraction(model, target);
  driver::CompileOptions variant = options;
  variant.dump_dir.clear();
  ASSAY_RETURN_IF_ERROR(extraction.Add(variant, /*counts=*/true));
  if (layouts == LayoutChoices::kDefault || !options.choose_layout) {
    return extraction.Take();
  }
  std::set<ConvChoice> choices;
  variant.encoding_times = Record(target, &choices);
  Extraction ignored(model, target);
  ASSAY_RETURN_IF_ERROR(ignored.Add(variant, /*counts=*/false));
  for (const ConvChoice& choice : choices) {
    variant.encoding_times = Prefer(choice, target);
    ASSAY_RETURN_IF_ERROR(extraction.Add(variant, /*counts=*/false));
  }
  return extraction.Take();
}

}  // namespace assay::tune
