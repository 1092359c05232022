#include "compiler/driver/stages.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "compiler/codegen/codegen.h"
#include "compiler/driver/isolate_kernel.h"
#include "compiler/driver/plan.h"
#include "compiler/driver/reproducer.h"
#include "compiler/graph/index_limits.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/pipeline/pipeline.h"
#include "compiler/graph/printer.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/kernel/kernel_costs.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/verifier.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check_context.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;

// Returns a name of letters, digits and `_` for the kernel's function.
std::string SymbolFor(const Graph& body, size_t index) {
  std::string symbol =
      absl::StrFormat("k%03d_%s", index, KernelKind(body)).substr(0, 60);
  for (char& c : symbol) {
    if (c == '+') c = '_';
  }
  return symbol;
}

// Returns the value of kMetaIndexLimits.
std::string IndexLimitsText(const Graph& model) {
  std::vector<std::string> entries;
  const auto limits = graph::IndexLimits(model);
  for (size_t i = 0; i < limits.size(); ++i) {
    if (limits[i].has_value()) {
      entries.push_back(absl::StrCat(i, ":", *limits[i]));
    }
  }
  return absl::StrJoin(entries, " ");
}

graph::PipelineOptions PipelineFor(const target::Target& target,
                                   const CompileOptions& options) {
  graph::PipelineOptions pipeline;
  pipeline.costs = std::make_shared<ops::KernelCosts>(
      target, ops::KernelCostOptions{options.choose_layout, options.max_error,
                                     options.encoding_times});
  pipeline.fusion.enabled = options.fusion && options.passes.level > 0;
  pipeline.fusion.view_alignment = ASSAY_BUFFER_ALIGNMENT;
  pipeline.max_memory = options.max_memory;
  return pipeline;
}

// Writes the reproducer of a pass and returns the text to add to the error.
std::string ReproducePass(const graph::PassFailure& failure,
                          const std::vector<std::string>& passes,
                          const target::Target& target,
                          const CompileOptions& options) {
  const std::string folder = failure.check_failed ? FailedCheckFolder(options)
                                                  : options.reproducer_dir;
  // A model that is too large is not a compiler bug.
  if (folder.empty() || absl::IsResourceExhausted(failure.status)) return "";
  Reproducer reproducer;
  reproducer.error = std::string(failure.status.message());
  reproducer.target = target.ToString();
  reproducer.fusion = options.fusion && options.passes.level > 0;
  reproducer.choose_layout = options.choose_layout;
  reproducer.max_error = options.max_error;
  reproducer.passes.assign(passes.begin() + failure.index, passes.end());
  reproducer.graph = failure.before.Clone();
  return SaveReproducer(reproducer, folder, "the graph before the pass");
}

}  // namespace

absl::Status CheckOnlyKernels(const Graph& graph) {
  for (const auto& node : graph.node_list()) {
    if (node->kind() == graph::OpKind::kInput ||
        node->kind() == graph::OpKind::kConstant ||
        node->kind() == graph::OpKind::kKernel) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("operator ", node->Label(),
                     " is in no kernel; the graph passes must end with "
                     "`fuse_operators`"));
  }
  return absl::OkStatus();
}

absl::Status OptimizeGraph(Graph& graph, const target::Target& target,
                           const CompileOptions& options, DumpDir& dump) {
  const ScopedCheckContext context("for target",
                                   [&] { return target.ToString(); });
  if (dump.enabled()) {
    dump.Write("graph.000.imported.txt", graph::ToString(graph));
  }
  ASSAY_ASSIGN_OR_RETURN(
      const graph::SelectedPasses selected,
      graph::SelectPasses(graph::Pipeline(), options.passes));
  const graph::PipelineOptions pipeline = PipelineFor(target, options);
  ASSAY_ASSIGN_OR_RETURN(const graph::PassList passes,
                         graph::MakePasses(selected.names, pipeline));
  graph::PassRunOptions run;
  run.verify_changed = options.verify;
  run.after_pass = [&](const graph::PassEvent& event) {
    if (dump.enabled() && event.changed) {
      dump.Write(
          absl::StrFormat("graph.%03d.%s.txt", event.index + 1, event.pass),
          graph::ToString(event.graph));
    }
    return dump.status();
  };
  if (options.reproduce_failed_checks || !options.reproducer_dir.empty()) {
    run.on_failure = [&](const graph::PassFailure& failure) {
      return ReproducePass(failure, selected.names, target, options);
    };
  }
  ASSAY_RETURN_IF_ERROR(graph::RunPasses(passes, graph, run));
  return CheckOnlyKernels(graph);
}

absl::StatusOr<ops::Kernel> KernelLowering::Add(
    const Node& node, const ops::KernelOptions& options) {
  const Graph& body = *node.attrs_as<graph::KernelAttrs>().body;
  const Source source = {&node, options};
  // The symbol that the function gets if no other kernel has the same function.
  const auto symbol = [&, index = functions_.size()] {
    return SymbolFor(body, index);
  };
  const ScopedCheckContext for_target("for target",
                                      [this] { return target_.ToString(); });
  const ScopedCheckContext context("while lowering kernel", symbol);
  const OnCheckFailure on_check_failure([&](absl::string_view failure) {
    return Reproduce(source, symbol(), failure);
  });
  ASSAY_ASSIGN_OR_RETURN(ops::Kernel kernel,
                         ops::BuildKernel(body, target_, options));
  ASSAY_ASSIGN_OR_RETURN(
      tir::Function function,
      lower::Lower(kernel.schedule, "kernel", kernel.inputs, kernel.outputs));
  // The name is not part of the text that is compared; it is set afterwards.
  const auto [known, is_new] =
      symbols_by_text_.try_emplace(tir::ToString(function));
  if (is_new) {
    known->second = symbol();
    function.name = known->second;
    sources_[known->second] = source;
    Finish(kernel, function);
    if (verify_) ASSAY_RETURN_IF_ERROR(tir::VerifyLowered(functions_.back()));
  }
  symbols_[&node] = known->second;
  if (!kernel.inexact_algorithm.empty()) {
    inexact_algorithms_.insert(kernel.inexact_algorithm);
  }
  ASSAY_RETURN_IF_ERROR(dump_.status());
  return kernel;
}

std::string KernelLowering::Reproduce(const std::string& symbol,
                                      absl::string_view failure) const {
  return Reproduce(sources_.at(symbol), symbol, failure);
}

std::string KernelLowering::Reproduce(const Source& source,
                                      const std::string& symbol,
                                      absl::string_view failure) const {
  if (reproducer_dir_.empty()) return "";
  absl::StatusOr<std::unique_ptr<Graph>> alone =
      IsolateKernel(*source.node, symbol);
  if (!alone.ok()) {
    return absl::StrCat("no reproducer was written: ",
                        alone.status().message());
  }
  Reproducer reproducer;
  reproducer.error = absl::StrCat("kernel ", symbol, ": ", failure);
  reproducer.target = target_.ToString();
  reproducer.kernel = source.options;
  reproducer.graph = *std::move(alone);
  return SaveReproducer(reproducer, reproducer_dir_, "the kernel");
}

void KernelLowering::Finish(const ops::Kernel& kernel,
                            const tir::Function& function) {
  const std::string prefix = absl::StrCat("kernel.", function.name);
  if (dump_.enabled()) {
    dump_.Write(prefix + ".0.te.txt", te::ToString(kernel.outputs));
    dump_.Write(prefix + ".1.schedule.txt", kernel.schedule.ToString());
    dump_.Write(prefix + ".2.lowered.tir.txt", tir::ToString(function));
  }
  int step = 3;
  const auto observe = [&](absl::string_view pass, bool changed,
                           const tir::Function& result) {
    if (dump_.enabled() && changed) {
      dump_.Write(absl::StrCat(prefix, ".", step, ".", pass, ".tir.txt"),
                  tir::ToString(result));
    }
    ++step;
  };
  functions_.push_back(tir::LowerLoops(function, target_.kind(), observe));
}

absl::Status GenerateCode(const KernelLowering& lowering,
                          const target::Target& target, uint64_t layout_seed,
                          DumpDir& dump, runtime::Artifact& artifact) {
  const std::vector<tir::Function>& functions = lowering.functions();
  codegen::Options options;
  options.layout_seed = layout_seed;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.on_failed_check = [&](absl::string_view kernel,
                                absl::string_view failure) {
    return lowering.Reproduce(std::string(kernel), failure);
  };
  if (dump.enabled()) {
    options.dump = [&](absl::string_view kernel, absl::string_view suffix,
                       absl::string_view text) {
      dump.Write(absl::StrCat("kernel.", kernel, ".", suffix), text);
    };
  }
  ASSAY_ASSIGN_OR_RETURN(codegen::CodeModule module,
                         codegen::Generate(functions, target, options));
  ASSAY_RETURN_IF_ERROR(dump.status());
  absl::flat_hash_map<absl::string_view, std::string> digests;
  for (size_t i = 0; i < functions.size(); ++i) {
    digests[functions[i].name] = std::move(module.digests[i]);
  }
  for (auto* calls : {&artifact.setup, &artifact.calls}) {
    for (runtime::KernelCall& call : *calls) {
      call.code_digest = digests.at(call.symbol);
    }
  }
  artifact.code_kind = std::move(module.kind);
  artifact.code = std::move(module.code);
  return absl::OkStatus();
}

void DescribeArtifact(const Graph& model, const target::Target& target,
                      bool fusion, const KernelLowering& lowering,
                      runtime::Artifact& artifact) {
  artifact.metadata[runtime::kMetaModel] = model.name();
  artifact.metadata[runtime::kMetaTargetTriple] = target.triple();
  artifact.metadata[runtime::kMetaTargetCpu] = target.cpu();
  artifact.metadata[runtime::kMetaTargetFeatures] =
      absl::StrJoin(target.features(), ",");
  artifact.metadata[runtime::kMetaFusion] = fusion ? "on" : "off";
  const std::string limits = IndexLimitsText(model);
  if (!limits.empty()) artifact.metadata[runtime::kMetaIndexLimits] = limits;
  if (!lowering.inexact_algorithms().empty()) {
    artifact.metadata[runtime::kMetaAlgorithms] =
        absl::StrJoin(lowering.inexact_algorithms(), ", ");
  }
}

}  // namespace assay::driver
