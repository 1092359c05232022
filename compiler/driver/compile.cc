#include "compiler/driver/compile.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/codegen.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/plan.h"
#include "compiler/driver/reproducer.h"
#include "compiler/driver/setup_kernels.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/views.h"
#include "compiler/ops/config.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/kernel/workload.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check_context.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {

using graph::Graph;
using graph::Node;
using graph::OpKind;

namespace {

using Configs = std::map<std::string, std::string>;

// Writes a reproducer of a failure after the graph passes. Returns the text to
// print.
std::string ReproduceKernels(const Graph& kernels, const target::Target& target,
                             const CompileOptions& options,
                             absl::string_view failure) {
  const std::string folder = FailedCheckFolder(options);
  if (folder.empty()) return "";
  Reproducer reproducer;
  reproducer.error = std::string(failure);
  reproducer.target = target.ToString();
  reproducer.kernel.max_error = options.max_error;
  reproducer.graph = kernels.Clone();
  return SaveReproducer(reproducer, folder, "the graph of kernels");
}

// Returns the error bound of `implementation` for the anchor of a kernel; 0 if
// the anchor has no such implementation.
double ErrorBound(const Graph& body, const std::string& implementation) {
  const Node* anchor = ops::AnchorOf(body);
  if (anchor == nullptr) return 0;
  const ops::OpInstance op = ops::InstanceOf(*anchor);
  for (const ops::Implementation& row : ops::Implementations(op.kind)) {
    if (row.name == implementation) return row.ErrorBound(op);
  }
  return 0;
}

// Returns what the table of tuned kernels has for `kernel`.
ops::KernelOptions Tuned(const Node& kernel, const CompileOptions& options) {
  ops::KernelOptions tuned;
  tuned.max_error = options.max_error;
  if (options.tuned.empty()) return tuned;
  const Graph& body = *kernel.attrs_as<graph::KernelAttrs>().body;
  const auto entry = options.tuned.find(ops::WorkloadKey(body));
  if (entry == options.tuned.end()) return tuned;
  if (ErrorBound(body, entry->second.implementation) > options.max_error) {
    return tuned;
  }
  tuned.implementation = entry->second.implementation;
  tuned.config = entry->second.config;
  return tuned;
}

// Removes the entry for `kernel` from `configs`, and returns it, or an empty
// configuration if there is none.
absl::StatusOr<ops::Config> TakeConfig(const Node& kernel, Configs* configs) {
  for (const std::string& source : kernel.sources()) {
    const auto named = configs->find(source);
    if (named == configs->end()) continue;
    absl::StatusOr<ops::Config> config = ops::Config::Parse(named->second);
    if (!config.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the schedule of node `", source, "`: ", config.status().message()));
    }
    configs->erase(named);
    return config;
  }
  return ops::Config();
}

absl::Status LowerKernel(const Node& kernel, const CompileOptions& options,
                         Configs* configs, KernelLowering& lowering) {
  ASSAY_ASSIGN_OR_RETURN(const ops::Config config, TakeConfig(kernel, configs));
  ops::KernelOptions choice = Tuned(kernel, options);
  for (const auto& [name, entity] : config.entries()) {
    choice.config.Set(name, entity);
  }
  ASSAY_ASSIGN_OR_RETURN(const ops::Kernel lowered,
                         lowering.Add(kernel, choice));
  if (!config.entries().empty() && lowered.implementation.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel.Label(), " has no configurations to choose from"));
  }
  return absl::OkStatus();
}

// Compiles the kernels of `graph`, which the passes have made from `model`, to
// an artifact without parameters.
absl::StatusOr<Plan> CompileKernelsOf(const Graph& graph, const Graph& model,
                                      const target::Target& target,
                                      const CompileOptions& options,
                                      DumpDir& dump) {
  const OnCheckFailure on_check_failure([&](absl::string_view failure) {
    return ReproduceKernels(graph, target, options, failure);
  });
  KernelLowering lowering(target, options.verify, dump,
                          FailedCheckFolder(options));
  const graph::Views views = graph::FindViews(graph, ASSAY_BUFFER_ALIGNMENT);
  Configs configs = options.configs;
  for (const Node* node : graph.Nodes()) {
    if (node->kind() != OpKind::kKernel || views.elided.contains(node))
      continue;
    ASSAY_RETURN_IF_ERROR(LowerKernel(*node, options, &configs, lowering));
  }
  if (!configs.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there is a schedule for node `", configs.begin()->first,
        "`, which no kernel of model `", model.name(), "` computes"));
  }
  SetupKernels setup;
  ASSAY_RETURN_IF_ERROR(setup.Add(graph, options.setup, lowering));
  auto symbols = lowering.symbols();
  symbols.insert(setup.symbols().begin(), setup.symbols().end());
  ASSAY_ASSIGN_OR_RETURN(Plan plan,
                         BuildPlan(graph, views, symbols, options.max_memory));
  ASSAY_RETURN_IF_ERROR(
      GenerateCode(lowering, target, options.layout_seed, dump, plan.artifact));
  DescribeArtifact(model, target, options.fusion, lowering, plan.artifact);
  return plan;
}

// Compiles the kernels of `graph`. Drops the graph before the parameters are
// stored, so that constants that are not part of `model` exist only once.
absl::StatusOr<runtime::Artifact> CompileAndRelease(
    std::unique_ptr<Graph> graph, const Graph& model,
    const target::Target& target, const CompileOptions& options,
    DumpDir& dump) {
  ASSAY_ASSIGN_OR_RETURN(
      Plan plan, CompileKernelsOf(*graph, model, target, options, dump));
  graph.reset();
  AddParams(std::move(plan.constants), plan.artifact);
  return std::move(plan.artifact);
}

}  // namespace

absl::StatusOr<runtime::Artifact> Compile(const Graph& model,
                                          const target::Target& target,
                                          const CompileOptions& options) {
  const ScopedCheckContext context("while compiling model", model.name());
  DumpDir dump(options.dump_dir);
  std::unique_ptr<Graph> graph = model.Clone();
  ASSAY_RETURN_IF_ERROR(OptimizeGraph(*graph, target, options, dump));
  return CompileAndRelease(std::move(graph), model, target, options, dump);
}

absl::StatusOr<runtime::Artifact> CompileKernelGraph(
    const Graph& kernels, const target::Target& target,
    const CompileOptions& options) {
  const ScopedCheckContext context("while compiling model", kernels.name());
  ASSAY_RETURN_IF_ERROR(CheckOnlyKernels(kernels));
  DumpDir dump(options.dump_dir);
  return CompileAndRelease(kernels.Clone(), kernels, target, options, dump);
}

absl::StatusOr<target::Target> ResolveTarget(absl::string_view text) {
  return codegen::ResolveTarget(text);
}

}  // namespace assay::driver
