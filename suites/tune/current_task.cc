#include "suites/tune/current_task.h"

#include <string>
#include <utility>
#include <vector>

#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/kernel/workload.h"
#include "compiler/ops/op_instance.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/template_digest.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

using graph::Graph;
using graph::Node;

absl::StatusOr<CurrentTask> CurrentTaskOf(const Graph& kernel,
                                          const target::Target& target) {
  CurrentTask task;
  ASSAY_ASSIGN_OR_RETURN(task.template_digest,
                         tune::TemplateDigest(kernel, target));
  const Node& node = *kernel.outputs().front().value.node;
  const Node* anchor = ops::AnchorOf(*node.attrs_as<graph::KernelAttrs>().body);
  if (anchor == nullptr) return task;
  ASSAY_ASSIGN_OR_RETURN(
      const tune::SearchSpace space,
      tune::SpaceOf(ops::InstanceOf(*anchor), target, /*exact=*/false));
  const auto choice = space.At(space.default_point());
  task.default_point = {choice.implementation, choice.config};
  return task;
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

}  // namespace assay::suites
