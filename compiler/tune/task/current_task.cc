#include "compiler/tune/task/current_task.h"

#include <utility>
#include <vector>

#include "compiler/ops/kernel/workload.h"
#include "compiler/tune/task/template_digest.h"
#include "runtime/base/status_macros.h"

namespace assay::tune {

using graph::Graph;
using graph::Node;

absl::StatusOr<CurrentTask> CurrentTaskOf(const Graph& kernel,
                                          const target::Target& target) {
  CurrentTask task;
  ASSAY_ASSIGN_OR_RETURN(task.template_digest, TemplateDigest(kernel, target));
  absl::StatusOr<SearchSpace> space = SpaceOfKernel(kernel, target);
  if (absl::IsNotFound(space.status())) return task;  // elementwise
  ASSAY_ASSIGN_OR_RETURN(task.space, std::move(space));
  task.default_point = task.space->At(task.space->default_point());
  return task;
}

absl::StatusOr<CurrentTask> CurrentTaskOf(absl::string_view workload,
                                          absl::string_view target) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target parsed,
                         target::Target::Parse(target));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> kernel,
                         KernelOfWorkload(workload));
  return CurrentTaskOf(*kernel, parsed);
}

absl::StatusOr<std::unique_ptr<Graph>> KernelOfWorkload(
    absl::string_view workload) {
  ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<Graph> body,
                         ops::ParseWorkload(workload));
  auto kernel = std::make_unique<Graph>("kernel");
  std::vector<graph::Value> operands;
  for (const Node* input : body->inputs()) {
    ASSAY_ASSIGN_OR_RETURN(Node * operand,
                           kernel->AddInput(input->name(), input->type()));
    operands.push_back({operand});
  }
  ASSAY_ASSIGN_OR_RETURN(
      Node * node,
      kernel->AddNode(graph::OpKind::kKernel,
                      graph::KernelAttrs{std::move(body)}, operands, "kernel"));
  kernel->AddOutput("out", {node});
  return kernel;
}

}  // namespace assay::tune
