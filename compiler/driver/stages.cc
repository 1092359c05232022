#include "compiler/driver/stages.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "compiler/codegen/llvm/codegen.h"
#include "compiler/driver/plan.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/passes/pipeline.h"
#include "compiler/graph/printer.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/conv/conv2d_layout.h"
#include "compiler/ops/conv/transposed_conv.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/verifier.h"
#include "runtime/abi/abi.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;

std::optional<graph::ConvBlocks> ChooseBlocks(const target::Target& target,
                                              const graph::Conv2dAttrs& attrs,
                                              const graph::TensorType& data,
                                              const graph::TensorType& weights,
                                              int64_t max_winograd) {
  const auto layout =
      ops::ChooseConv2dLayout(target, attrs, data, weights, max_winograd);
  if (!layout.has_value()) return std::nullopt;
  return graph::ConvBlocks{layout->in_block, layout->out_block,
                           layout->winograd, layout->weight_block,
                           layout->depth,    layout->weight_type};
}

std::optional<graph::ConvBlocks> ChooseBlocks(
    const target::Target& target, const graph::Conv2dTransposeAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights) {
  const auto blocks = ops::ChooseTransposedBlocks(target, attrs, data, weights);
  if (!blocks.has_value()) return std::nullopt;
  return graph::ConvBlocks{blocks->in_block, blocks->out_block};
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

}  // namespace

absl::Status OptimizeGraph(Graph& graph, const target::Target& target,
                           const CompileOptions& options, DumpDir& dump) {
  if (dump.enabled()) {
    dump.Write("graph.000.imported.txt", graph::ToString(graph));
  }
  graph::PipelineOptions pipeline;
  if (options.choose_layout) {
    pipeline.choose_filters = [&](int64_t filters) {
      return ops::PaddedFilters(target, filters);
    };
    pipeline.choose_conv_blocks = [&](const graph::Conv2dAttrs& attrs,
                                      const graph::TensorType& data,
                                      const graph::TensorType& weights) {
      return ChooseBlocks(target, attrs, data, weights, options.max_winograd);
    };
    pipeline.choose_transposed_blocks =
        [&](const graph::Conv2dTransposeAttrs& attrs,
            const graph::TensorType& data, const graph::TensorType& weights) {
          return ChooseBlocks(target, attrs, data, weights);
        };
  }
  pipeline.fusion.enabled = options.fusion;
  pipeline.fusion.view_alignment = ASSAY_BUFFER_ALIGNMENT;
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

absl::StatusOr<ops::Kernel> KernelLowering::Add(
    const Node& node, const ops::KernelOptions& options) {
  const Graph& body = *node.attrs_as<graph::KernelAttrs>().body;
  ASSAY_ASSIGN_OR_RETURN(ops::Kernel kernel,
                         ops::BuildKernel(body, target_, options));
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
  ASSAY_RETURN_IF_ERROR(dump_.status());
  return kernel;
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
  functions_.push_back(tir::LowerLoops(function, observe));
}

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

void DescribeArtifact(const Graph& model, const target::Target& target,
                      bool fusion, runtime::Artifact& artifact) {
  artifact.metadata[runtime::kMetaModel] = model.name();
  artifact.metadata[runtime::kMetaTargetTriple] = target.triple();
  artifact.metadata[runtime::kMetaTargetCpu] = target.cpu();
  artifact.metadata[runtime::kMetaTargetFeatures] =
      absl::StrJoin(target.features(), ",");
  artifact.metadata[runtime::kMetaFusion] = fusion ? "on" : "off";
}

}  // namespace assay::driver
