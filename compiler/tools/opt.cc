#include "compiler/tools/opt.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/plan.h"
#include "compiler/driver/reproducer.h"
#include "compiler/driver/stages.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/parser.h"
#include "compiler/graph/pipeline/pipeline.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/views.h"
#include "runtime/abi/abi.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/check_context.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::tools {
namespace {

using graph::Graph;
using graph::Node;

absl::StatusOr<std::unique_ptr<Graph>> Load(const OptOptions& options) {
  if (absl::EndsWith(options.model, ".onnx")) {
    frontend::ImportOptions import;
    import.dims = options.dims;
    import.max_memory = options.compile.max_memory;
    import.warn = [](const std::string& warning) {
      std::cerr << "warning: " << warning << "\n";
    };
    ASSAY_ASSIGN_OR_RETURN(frontend::ImportedModel model,
                           frontend::ImportOnnxFile(options.model, import));
    return std::move(model.graph);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(options.model));
  return graph::ParseGraph(text);
}

// Returns the kernel counts and memory of the plan, without generating code.
absl::StatusOr<std::string> Summary(const Graph& graph, int64_t max_memory) {
  const graph::Views views = graph::FindViews(graph, ASSAY_BUFFER_ALIGNMENT);
  absl::flat_hash_map<const Node*, std::string> symbols;
  for (const Node* node : graph.Nodes()) {
    if (node->kind() == graph::OpKind::kKernel) symbols[node] = "kernel";
  }
  ASSAY_ASSIGN_OR_RETURN(const driver::Plan planned,
                         driver::BuildPlan(graph, views, symbols, max_memory));
  const runtime::Artifact& plan = planned.artifact;
  std::map<std::string, int> kinds;
  for (const runtime::KernelCall& call : plan.calls) ++kinds[call.kind];
  std::string text;
  for (const auto& [kind, count] : kinds) {
    absl::StrAppend(&text, absl::StrFormat("%5d  %s\n", count, kind));
  }
  absl::StrAppend(&text, absl::StrFormat("%5d  kernels\n", plan.calls.size()));
  absl::StrAppend(
      &text, "memory of intermediates: ", plan.arena_bytes, " bytes; ",
      plan.metadata.at(runtime::kMetaLiveBytes), " are alive at once, ",
      plan.metadata.at(runtime::kMetaActivationBytes), " are their sum\n");
  return text;
}

}  // namespace

absl::StatusOr<std::string> Optimize(const OptOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget(options.target));
  ASSAY_ASSIGN_OR_RETURN(
      const graph::SelectedPasses selected,
      graph::SelectPasses(graph::Pipeline(), options.compile.passes));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, Load(options));
  const ScopedCheckContext context("while optimizing model", graph->name());
  driver::DumpDir dump(options.compile.dump_dir);
  ASSAY_RETURN_IF_ERROR(
      driver::OptimizeGraph(*graph, target, options.compile, dump));
  std::string text = graph::ToString(*graph);
  if (options.summary) {
    ASSAY_ASSIGN_OR_RETURN(text, Summary(*graph, options.compile.max_memory));
  }
  if (selected.bisected.empty()) return text;
  return absl::StrCat(text, "// ", selected.bisected, "\n");
}

std::string ListPasses() {
  std::string text;
  for (const graph::PipelineStep& step : graph::Pipeline()) {
    absl::StrAppend(&text, step.level, "  ", step.pass, "\n");
  }
  return text;
}

absl::Status Reproduce(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const driver::Reproducer reproducer,
                         driver::ParseReproducer(text));
  return driver::Replay(reproducer);
}

}  // namespace assay::tools
