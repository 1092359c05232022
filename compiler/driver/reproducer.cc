#include "compiler/driver/reproducer.h"

#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compiler/driver/compile_options.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/plan.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/complete_text.h"
#include "compiler/graph/verifier.h"
#include "compiler/graph/views.h"
#include "compiler/ops/config.h"
#include "compiler/target/target.h"
#include "runtime/abi/abi.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {
namespace {

constexpr char kTitle[] = "assay reproducer";

// Consumes a line `label: value` of `text` and returns the value.
absl::StatusOr<std::string> Field(absl::string_view& text,
                                  absl::string_view label) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('\n', 1));
  absl::string_view line = parts.first;
  if (!absl::ConsumePrefix(&line, absl::StrCat(label, ":"))) {
    return absl::InvalidArgumentError(
        absl::StrCat("the reproducer has `", line.substr(0, 40), "` where `",
                     label, ":` should stand"));
  }
  text = parts.second;
  return std::string(absl::StripPrefix(line, " "));
}

// Returns true if `max_error` limits errors, which NaN does not.
bool IsLimit(double max_error) { return max_error >= 0; }

absl::Status ParseOptions(const std::string& line, Reproducer& reproducer) {
  for (const absl::string_view option :
       absl::StrSplit(line, ' ', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(option, absl::MaxSplits('=', 1));
    double value = 0;
    const bool number = absl::SimpleAtod(parts.second, &value);
    if (number && parts.first == "fusion") {
      reproducer.fusion = value != 0;
    } else if (number && parts.first == "choose_layout") {
      reproducer.choose_layout = value != 0;
    } else if (number && parts.first == "max_error" && IsLimit(value)) {
      reproducer.max_error = value;
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("the reproducer has no option `", option, "`"));
    }
  }
  return absl::OkStatus();
}

// Parses `max_error=0.0001 implementation=conv2d.direct_nchwc`.
absl::Status ParseKernelLine(absl::string_view line,
                             ops::KernelOptions& options) {
  std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  if (!absl::ConsumePrefix(&words.first, "max_error=") ||
      !absl::SimpleAtod(words.first, &options.max_error) ||
      !IsLimit(options.max_error) ||
      !absl::ConsumePrefix(&words.second, "implementation=")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the reproducer has `", line.substr(0, 40), "` in the line `kernel:`"));
  }
  options.implementation = std::string(words.second);
  return absl::OkStatus();
}

// Does what follows the graph passes.
absl::Status CompileKernels(const graph::Graph& graph,
                            const target::Target& target,
                            const ops::KernelOptions& options) {
  ASSAY_RETURN_IF_ERROR(graph::Verify(graph));
  ASSAY_RETURN_IF_ERROR(CheckOnlyKernels(graph));
  DumpDir dump("");
  KernelLowering lowering(target, /*verify=*/true, dump, /*reproducer_dir=*/"");
  const graph::Views views = graph::FindViews(graph, ASSAY_BUFFER_ALIGNMENT);
  for (const graph::Node* node : graph.Nodes()) {
    if (node->kind() != graph::OpKind::kKernel || views.elided.contains(node)) {
      continue;
    }
    ASSAY_RETURN_IF_ERROR(lowering.Add(*node, options).status());
  }
  ASSAY_ASSIGN_OR_RETURN(Plan plan,
                         BuildPlan(graph, views, lowering.symbols(),
                                   std::numeric_limits<int64_t>::max()));
  return GenerateCode(lowering, target, /*layout_seed=*/0, dump, plan.artifact);
}

}  // namespace

std::string ToString(const Reproducer& r) {
  return absl::StrCat(
      kTitle, "\nerror: ", absl::StrReplaceAll(r.error, {{"\n", " "}}),
      "\ntarget: ", r.target, "\noptions: fusion=", r.fusion ? 1 : 0,
      " choose_layout=", r.choose_layout ? 1 : 0, " max_error=", r.max_error,
      "\npasses: ", absl::StrJoin(r.passes, ","),
      "\nkernel: max_error=", r.kernel.max_error,
      " implementation=", r.kernel.implementation,
      "\nconfig: ", r.kernel.config.ToString(), "\ngraph:\n",
      graph::ToCompleteText(*r.graph));
}

absl::StatusOr<Reproducer> ParseReproducer(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, absl::StrCat(kTitle, "\n"))) {
    return absl::InvalidArgumentError(
        absl::StrCat("no reproducer: the first line is not `", kTitle, "`"));
  }
  Reproducer reproducer;
  ASSAY_ASSIGN_OR_RETURN(reproducer.error, Field(text, "error"));
  ASSAY_ASSIGN_OR_RETURN(reproducer.target, Field(text, "target"));
  ASSAY_ASSIGN_OR_RETURN(const std::string options, Field(text, "options"));
  ASSAY_RETURN_IF_ERROR(ParseOptions(options, reproducer));
  ASSAY_ASSIGN_OR_RETURN(const std::string passes, Field(text, "passes"));
  reproducer.passes = absl::StrSplit(passes, ',', absl::SkipEmpty());
  ASSAY_ASSIGN_OR_RETURN(const std::string kernel, Field(text, "kernel"));
  ASSAY_RETURN_IF_ERROR(ParseKernelLine(kernel, reproducer.kernel));
  ASSAY_ASSIGN_OR_RETURN(const std::string config, Field(text, "config"));
  ASSAY_ASSIGN_OR_RETURN(reproducer.kernel.config, ops::Config::Parse(config));
  ASSAY_RETURN_IF_ERROR(Field(text, "graph").status());
  ASSAY_ASSIGN_OR_RETURN(reproducer.graph, graph::ParseCompleteText(text));
  return reproducer;
}

std::string FailedCheckFolder(const CompileOptions& options) {
  if (!options.reproduce_failed_checks) return "";
  return options.reproducer_dir.empty() ? TempFolder() : options.reproducer_dir;
}

std::string SaveReproducer(const Reproducer& reproducer,
                           const std::string& folder, absl::string_view what) {
  const std::string path = JoinPath(
      folder,
      FileName(absl::StrCat(reproducer.graph->name(), ".reproducer.txt")));
  absl::Status written = MakeDirs(folder);
  if (written.ok()) written = WriteFileAtomic(path, ToString(reproducer));
  if (!written.ok()) {
    return absl::StrCat("no reproducer was written: ", written.message());
  }
  return absl::StrCat(what, " is in `", path, "`");
}

absl::Status Replay(const Reproducer& reproducer) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         target::Target::Parse(reproducer.target));
  if (reproducer.passes.empty()) {
    return CompileKernels(*reproducer.graph, target, reproducer.kernel);
  }
  CompileOptions options;
  options.fusion = reproducer.fusion;
  options.choose_layout = reproducer.choose_layout;
  options.max_error = reproducer.max_error;
  options.passes.passes = absl::StrJoin(reproducer.passes, ",");
  options.verify = true;
  options.reproduce_failed_checks = false;
  DumpDir dump("");
  const std::unique_ptr<graph::Graph> graph = reproducer.graph->Clone();
  return OptimizeGraph(*graph, target, options, dump);
}

}  // namespace assay::driver
