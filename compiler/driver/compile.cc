#include "compiler/driver/compile.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "compiler/codegen/llvm/codegen.h"
#include "compiler/codegen/llvm/host_target.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/plan.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/passes/pipeline.h"
#include "compiler/graph/printer.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/conv2d_layout.h"
#include "compiler/ops/kernel.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/verifier.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;

std::optional<graph::ConvBlocks> ChooseBlocks(const target::Target& target,
                                              const graph::Conv2dAttrs& attrs,
                                              const graph::TensorType& data,
                                              const graph::TensorType& weights,
                                              int64_t max_winograd) {
  const auto layout =
      ops::ChooseConv2dLayout(target, attrs, data, weights, max_winograd);
  if (!layout.has_value()) return std::nullopt;
  return graph::ConvBlocks{layout->in_block, layout->out_block,
                           layout->winograd, layout->weight_block};
}

absl::Status OptimizeGraph(Graph& graph, const target::Target& target,
                           const CompileOptions& options, DumpDir& dump) {
  if (dump.enabled()) {
    dump.Write("graph.000.imported.txt", graph::ToString(graph));
  }
  graph::PipelineOptions pipeline;
  pipeline.choose_conv_blocks = [&](const graph::Conv2dAttrs& attrs,
                                    const graph::TensorType& data,
                                    const graph::TensorType& weights) {
    return ChooseBlocks(target, attrs, data, weights, options.max_winograd);
  };
  pipeline.fusion.enabled = options.fusion;
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
  return graph::RunPasses(graph::DefaultPasses(pipeline), graph, run);
}

// A name for the kernel's function: letters, digits and `_`.
std::string SymbolFor(const Graph& body, size_t index) {
  std::string symbol =
      absl::StrFormat("k%03d_%s", index, KernelKind(body)).substr(0, 60);
  for (char& c : symbol) {
    if (c == '+') c = '_';
  }
  return symbol;
}

// Lowers kernel after kernel; equal kernels share one function.
class KernelLowering {
 public:
  KernelLowering(const target::Target& target, bool verify, DumpDir& dump)
      : target_(target), verify_(verify), dump_(dump) {}

  absl::Status Add(const Node& node) {
    const Graph& body = *node.attrs_as<graph::KernelAttrs>().body;
    ASSAY_ASSIGN_OR_RETURN(const ops::Kernel kernel,
                           ops::BuildKernel(body, target_));
    ASSAY_ASSIGN_OR_RETURN(
        tir::Function function,
        lower::Lower(kernel.schedule, "kernel", kernel.inputs, kernel.outputs));
    // The name stands for the text, so it is given after comparing.
    const auto [known, is_new] =
        symbols_by_text_.try_emplace(tir::ToString(function));
    if (is_new) {
      known->second = SymbolFor(body, functions_.size());
      function.name = known->second;
      Finish(kernel, function);
      if (verify_) ASSAY_RETURN_IF_ERROR(tir::VerifyLowered(functions_.back()));
    }
    symbols_[&node] = known->second;
    return dump_.status();
  }

  const std::vector<tir::Function>& functions() const { return functions_; }
  const absl::flat_hash_map<const Node*, std::string>& symbols() const {
    return symbols_;
  }

 private:
  void Finish(const ops::Kernel& kernel, const tir::Function& function) {
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
    functions_.push_back(tir::LowerLoops(function, observe));
  }

  const target::Target& target_;
  const bool verify_;
  DumpDir& dump_;
  std::vector<tir::Function> functions_;
  absl::flat_hash_map<std::string, std::string> symbols_by_text_;
  absl::flat_hash_map<const Node*, std::string> symbols_;
};

absl::StatusOr<std::string> GenerateCode(
    const std::vector<tir::Function>& functions, const target::Target& target,
    DumpDir& dump) {
  codegen::Options options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  if (dump.enabled()) {
    options.dump = [&](absl::string_view kernel, absl::string_view kind,
                       absl::string_view text) {
      dump.Write(absl::StrCat("kernel.", kernel, ".", kind), text);
    };
  }
  ASSAY_ASSIGN_OR_RETURN(std::string code, codegen::CompileToSharedObject(
                                               functions, target, options));
  ASSAY_RETURN_IF_ERROR(dump.status());
  return code;
}

}  // namespace

absl::StatusOr<runtime::Artifact> Compile(const Graph& model,
                                          const target::Target& target,
                                          const CompileOptions& options) {
  DumpDir dump(options.dump_dir);
  const std::unique_ptr<Graph> graph = model.Clone();
  ASSAY_RETURN_IF_ERROR(OptimizeGraph(*graph, target, options, dump));
  KernelLowering lowering(target, options.verify, dump);
  for (const Node* node : graph->Nodes()) {
    if (node->kind() != OpKind::kKernel) continue;
    ASSAY_RETURN_IF_ERROR(lowering.Add(*node));
  }
  ASSAY_ASSIGN_OR_RETURN(runtime::Artifact artifact,
                         BuildPlan(*graph, lowering.symbols()));
  if (!lowering.functions().empty()) {
    ASSAY_ASSIGN_OR_RETURN(artifact.code,
                           GenerateCode(lowering.functions(), target, dump));
  }
  artifact.metadata[runtime::kMetaModel] = model.name();
  artifact.metadata[runtime::kMetaTargetTriple] = target.triple();
  artifact.metadata[runtime::kMetaTargetCpu] = target.cpu();
  artifact.metadata[runtime::kMetaTargetFeatures] =
      absl::StrJoin(target.features(), ",");
  artifact.metadata[runtime::kMetaFusion] = options.fusion ? "on" : "off";
  return artifact;
}

absl::StatusOr<target::Target> ResolveTarget(absl::string_view text) {
  return codegen::ResolveTarget(text);
}

}  // namespace assay::driver
