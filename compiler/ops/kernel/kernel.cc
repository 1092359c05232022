#include "compiler/ops/kernel/kernel.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/data_movement/data_movement.h"
#include "compiler/ops/data_movement/encode_steps.h"
#include "compiler/ops/data_movement/transposed_tiles.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "compiler/ops/kernel/inlined_op.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/op_instance.h"
#include "compiler/ops/schedule_generic.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::ops {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;

// Which implementation schedules the kernel, and around which stage.
struct Anchor {
  OpInstance op;
  te::Tensor stage;
  Candidate choice;  // without implementation: an injective kernel
};

// The implementation that the options name or the strategy prefers, with the
// configuration that the options override.
absl::StatusOr<Candidate> Choose(const Node& node, const target::Target& target,
                                 const KernelOptions& options) {
  const OpInstance op = InstanceOf(node);
  std::vector<Candidate> candidates;
  std::string which = "implementation";
  for (Candidate& candidate : Strategy(op, target)) {
    if (candidate.implementation->ErrorBound(op) > options.max_error) {
      which = options.max_error == 0
                  ? "exact implementation"
                  : absl::StrCat("implementation with an error of at most ",
                                 options.max_error);
      continue;
    }
    candidates.push_back(std::move(candidate));
  }
  if (!options.implementation.empty()) {
    std::vector<std::string> names;
    for (Candidate& candidate : candidates) {
      names.push_back(candidate.implementation->name);
      if (names.back() != options.implementation) continue;
      Candidate named = std::move(candidate);
      candidates = {};
      candidates.push_back(std::move(named));
      names.clear();
      break;
    }
    if (!names.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          node.Label(), ": no ", which, " `", options.implementation,
          "` applies; there is `", absl::StrJoin(names, "`, `"), "`"));
    }
  }
  if (candidates.empty()) {
    return absl::UnimplementedError(absl::StrCat(
        node.Label(), ": no ", which, " applies on ", target.ToString()));
  }
  Candidate best = std::move(candidates.front());
  const auto config = best.space.Override(best.config, options.config);
  if (!config.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        node.Label(), ", implementation `", best.implementation->name,
        "`: ", config.status().message()));
  }
  best.config = *config;
  return best;
}

// A constant of one element becomes part of the expression. A larger one has no
// storage in a kernel and is an error.
absl::StatusOr<te::Tensor> ConstantCompute(const Node& node) {
  const NDArray& value = node.attrs_as<graph::ConstantAttrs>().value;
  if (value.num_elements() != 1) {
    return absl::UnimplementedError(
        absl::StrCat("constant ", node.Label(),
                     " inside a kernel has more than one element"));
  }
  const DType type = value.dtype();
  if (type.is_float()) {
    return Fill(value.shape(), expr::Const(type, LoadFloat(value, 0)));
  }
  return Fill(value.shape(), expr::ConstInt(type, LoadInt(value, 0)));
}

// The operator with implementations becomes the anchor; fusion puts at most
// one of them into a kernel.
absl::StatusOr<te::Tensor> ComputeNode(const Node& node,
                                       const std::vector<te::Tensor>& operands,
                                       const target::Target& target,
                                       const KernelOptions& options,
                                       Anchor& anchor) {
  if (node.kind() == OpKind::kConstant) return ConstantCompute(node);
  const KernelRule rule = KernelRuleOf(node.kind());
  if (rule.inlined != nullptr) {
    return InlineOp(node, rule, operands);
  }
  if (rule.implementations.empty()) {
    return absl::UnimplementedError(absl::StrCat(
        node.Label(), ": no kernel can be generated for this operator"));
  }
  if (anchor.choice.implementation != nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        node.Label(), " in one kernel with ",
        anchor.choice.implementation->name, "; only one can be scheduled"));
  }
  ASSAY_ASSIGN_OR_RETURN(anchor.choice, Choose(node, target, options));
  anchor.op = InstanceOf(node);
  anchor.stage = anchor.choice.implementation->compute(
      anchor.op, operands, target, anchor.choice.config);
  return anchor.stage;
}

}  // namespace

absl::StatusOr<Kernel> BuildKernel(const Graph& body,
                                   const target::Target& target,
                                   const KernelOptions& options) {
  absl::flat_hash_map<graph::Value, te::Tensor> tensors;
  std::vector<te::Tensor> inputs;
  Anchor anchor;
  for (const Node* node : body.inputs()) {
    const graph::ArrayType array = node->type().stored();
    inputs.push_back(te::Placeholder(array.shape, array.dtype,
                                     absl::StrCat("p", inputs.size())));
    tensors[{const_cast<Node*>(node)}] = inputs.back();
  }
  for (Node* node : body.Nodes()) {
    if (node->kind() == OpKind::kInput) continue;
    std::vector<te::Tensor> operands;
    for (const graph::Value& v : node->inputs()) {
      operands.push_back(tensors.at(v));
    }
    ASSAY_ASSIGN_OR_RETURN(
        const te::Tensor first,
        ComputeNode(*node, operands, target, options, anchor));
    tensors[{node}] = first;
    for (int i = 1; i < node->num_outputs(); ++i) {
      tensors[{node, i}] = te::OutputsOf(first)[i];
    }
  }
  std::vector<te::Tensor> outputs;
  for (const graph::Output& output : body.outputs()) {
    const te::Tensor& tensor = tensors.at(output.value);
    outputs.push_back(tensor.is_placeholder() ? Copy(tensor) : tensor);
  }
  if (outputs.size() > 1 && anchor.choice.implementation == nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        "kernel `", body.name(), "` has ", outputs.size(),
        " outputs, which only one operator with as many results can have"));
  }
  const te::Tensor& output = outputs[0];
  Kernel kernel{inputs, outputs, schedule::Schedule(outputs), "", {}, 0, ""};
  const Implementation* row = anchor.choice.implementation;
  if (row == nullptr) {
    if (!ScheduleTransposedTiles(kernel.schedule, output, target) &&
        !ScheduleFilterTiles(kernel.schedule, output, target)) {
      ScheduleInjective(kernel.schedule, output, target);
    }
  } else {
    kernel.implementation = row->name;
    kernel.config = anchor.choice.config;
    kernel.error_bound = row->ErrorBound(anchor.op);
    if (row->inexact != nullptr) {
      kernel.inexact_algorithm = row->inexact->name(anchor.op);
    }
    row->schedule(kernel.schedule, anchor.op, anchor.stage, output, target,
                  kernel.config);
  }
  ASSAY_RETURN_IF_ERROR(kernel.schedule.status());
  return kernel;
}

int64_t CountFlops(const Graph& body) {
  int64_t total = 0;
  for (const Node* node : body.Nodes()) {
    if (node->kind() != OpKind::kInput && node->kind() != OpKind::kConstant) {
      total += Flops(InstanceOf(*node));
    }
  }
  return total;
}

}  // namespace assay::ops
