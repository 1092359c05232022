#include "compiler/driver/compile_kernel.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/isolate_kernel.h"
#include "compiler/driver/plan.h"
#include "compiler/driver/reproducer.h"
#include "compiler/driver/stages.h"
#include "compiler/ops/config.h"
#include "compiler/ops/instance_text.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "runtime/base/check.h"
#include "runtime/base/check_context.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::KernelAttrs;
using graph::Node;
using graph::OpKind;
using graph::Value;

const Graph& BodyOf(const Node& kernel) {
  return *kernel.attrs_as<KernelAttrs>().body;
}

// Returns the only operator of a kernel that was not fused.
const Node& OperatorOf(const Node& kernel) {
  return *BodyOf(kernel).outputs()[0].value.node;
}

absl::StatusOr<Node*> FindKernel(const Graph& graph, const Node& op) {
  for (Node* node : graph.Nodes()) {
    if (node->kind() == OpKind::kKernel &&
        OperatorOf(*node).kind() == op.kind()) {
      return node;
    }
  }
  return absl::UnimplementedError(
      absl::StrCat(op.Label(), " is not a kernel of its own after the passes"));
}

// Copies nodes into another graph.
class Copier {
 public:
  explicit Copier(Graph& to) : to_(to) {}

  void Map(Value from, Value to) { copies_[from] = to; }
  Value CopyOf(Value from) const { return copies_.at(from); }
  // Returns true if all operands of `node` have been copied.
  bool Ready(const Node& node) const {
    for (const Value& v : node.inputs()) {
      if (copies_.find(v) == copies_.end()) return false;
    }
    return true;
  }

  absl::Status Copy(Node* node) {
    if (node->kind() == OpKind::kInput) {
      ASSAY_ASSIGN_OR_RETURN(Node * input,
                             to_.AddInput(node->name(), node->type()));
      Map({node}, {input});
      return absl::OkStatus();
    }
    std::vector<Value> operands;
    for (const Value& v : node->inputs()) operands.push_back(CopyOf(v));
    Node* copy = to_.AddCopy(*node, operands);
    for (int i = 0; i < node->num_outputs(); ++i) Map({node, i}, {copy, i});
    return absl::OkStatus();
  }

 private:
  Graph& to_;
  absl::flat_hash_map<Value, Value> copies_;
};

// Returns the part of `graph` from its inputs to the operands of `kernel`.
absl::StatusOr<std::unique_ptr<Graph>> Before(const Graph& graph,
                                              const Node* kernel) {
  auto before = std::make_unique<Graph>("before");
  Copier copier(*before);
  for (Node* node : graph.Nodes()) {
    if (node == kernel || !copier.Ready(*node)) continue;
    ASSAY_RETURN_IF_ERROR(copier.Copy(node));
  }
  for (int i = 0; i < kernel->num_inputs(); ++i) {
    before->AddOutput(absl::StrCat("p", i), copier.CopyOf(kernel->input(i)));
  }
  return before;
}

// Returns the part of `graph` from the result of `kernel` to the outputs.
absl::StatusOr<std::unique_ptr<Graph>> After(const Graph& graph, Node* kernel) {
  auto after = std::make_unique<Graph>("after");
  Copier copier(*after);
  ASSAY_ASSIGN_OR_RETURN(Node * input, after->AddInput("out", kernel->type()));
  copier.Map({kernel}, {input});
  for (Node* node : graph.Nodes()) {
    if (node == kernel || node->kind() == OpKind::kInput ||
        !copier.Ready(*node)) {
      continue;
    }
    ASSAY_RETURN_IF_ERROR(copier.Copy(node));
  }
  for (const graph::Output& output : graph.outputs()) {
    after->AddOutput(output.name, copier.CopyOf(output.value));
  }
  return after;
}

std::string KnobText(const ops::ConfigSpace::KnobSpace& knob) {
  return absl::StrCat(knob.name, ": ",
                      absl::StrJoin(knob.candidates, " ",
                                    [](std::string* out, const auto& entity) {
                                      out->append(ops::ToString(entity));
                                    }));
}

std::vector<KernelCandidate> Candidates(const ops::OpInstance& op,
                                        const target::Target& target) {
  std::vector<KernelCandidate> candidates;
  for (const ops::Candidate& c : ops::Strategy(op, target)) {
    KernelCandidate candidate;
    candidate.name = c.implementation->name;
    candidate.exact = c.implementation->inexact == nullptr;
    candidate.model_seconds = c.seconds;
    candidate.points = c.space.size();
    candidate.config = c.config.ToString();
    for (const auto& knob : c.space.knobs()) {
      candidate.knobs.push_back(KnobText(knob));
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace

absl::StatusOr<CompiledOperator> CompileKernel(
    const Graph& model, const target::Target& target,
    const KernelCompileOptions& options) {
  CHECK_EQ(model.outputs().size(), 1u);
  const ScopedCheckContext context("while compiling model", model.name());
  ops::KernelOptions kernel_options;
  kernel_options.implementation = options.implementation;
  kernel_options.max_error = options.max_error;
  ASSAY_ASSIGN_OR_RETURN(kernel_options.config,
                         ops::Config::Parse(options.config));
  DumpDir dump(options.dump_dir);
  CompileOptions passes;
  passes.fusion = false;
  passes.max_error = options.max_error;
  passes.choose_layout = options.choose_layout;
  const std::unique_ptr<Graph> graph = model.Clone();
  ASSAY_RETURN_IF_ERROR(OptimizeGraph(*graph, target, passes, dump));
  ASSAY_ASSIGN_OR_RETURN(Node * node,
                         FindKernel(*graph, *model.outputs()[0].value.node));
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<Graph> alone,
      IsolateKernel(*node, graph::OpName(OperatorOf(*node).kind())));
  const Node* kernel_node = alone->outputs()[0].value.node;

  KernelLowering lowering(target, /*verify=*/false, dump,
                          FailedCheckFolder(passes));
  ASSAY_ASSIGN_OR_RETURN(const ops::Kernel kernel,
                         lowering.Add(*kernel_node, kernel_options));
  if (kernel.implementation.empty() &&
      !(options.implementation.empty() && options.config.empty())) {
    return absl::InvalidArgumentError(
        absl::StrCat(OperatorOf(*node).Label(),
                     " has neither implementations nor configurations to "
                     "choose from"));
  }
  CompiledOperator result;
  ASSAY_ASSIGN_OR_RETURN(Plan plan, BuildPlan(*alone, {}, lowering.symbols()));
  result.artifact = std::move(plan.artifact);
  ASSAY_RETURN_IF_ERROR(
      GenerateCode(lowering, target, /*layout_seed=*/0, dump, result.artifact));
  DescribeArtifact(*alone, target, /*fusion=*/false, lowering, result.artifact);
  AddParams(std::move(plan.constants), result.artifact);
  ASSAY_ASSIGN_OR_RETURN(result.before, Before(*graph, node));
  ASSAY_ASSIGN_OR_RETURN(result.after, After(*graph, node));
  const ops::OpInstance op = ops::InstanceOf(OperatorOf(*node));
  result.instance = ops::InstanceText(op);
  result.symbol = lowering.symbols().at(kernel_node);
  result.implementation = kernel.implementation;
  result.config = kernel.config.ToString();
  result.error_bound = kernel.error_bound;
  result.schedule = kernel.schedule.ToString();
  if (!kernel.implementation.empty())
    result.candidates = Candidates(op, target);
  result.flops = ops::CountFlops(model);
  result.bytes = ops::Bytes(op);
  return result;
}

}  // namespace assay::driver
