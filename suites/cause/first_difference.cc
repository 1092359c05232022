#include "suites/cause/first_difference.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

bool HasStage(absl::Span<const DumpedStage> stages, const std::string& name) {
  return absl::c_any_of(
      stages, [&](const DumpedStage& stage) { return stage.name == name; });
}

// Sets the first lines that differ.
void SetLines(absl::string_view base, absl::string_view run,
              StageDifference* difference) {
  const std::vector<absl::string_view> before = absl::StrSplit(base, '\n');
  const std::vector<absl::string_view> after = absl::StrSplit(run, '\n');
  const auto [b, r] =
      std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  difference->before =
      b == before.end() ? "" : std::string(absl::StripAsciiWhitespace(*b));
  difference->after =
      r == after.end() ? "" : std::string(absl::StripAsciiWhitespace(*r));
}

// The name of a stage of a kernel for people.
std::string KernelStageName(const std::string& stage) {
  if (stage == "te") return "tensor expression";
  if (stage == "schedule") return "schedule";
  if (stage == "lowered") return "lowering";
  if (stage == "ll") return "code generation";
  if (stage == "opt.ll" || stage == "s") return "LLVM";
  return absl::StrCat("loop pass ", stage);
}

}  // namespace

StageDifference CompareStages(absl::Span<const DumpedStage> base,
                              absl::Span<const DumpedStage> run) {
  StageDifference difference;
  size_t i = 0;
  while (i < base.size() && i < run.size() && base[i].text == run[i].text) {
    ++i;
  }
  if (i == base.size() && i == run.size()) return difference;
  const std::string& before = i > 0 ? base[i - 1].text : "";
  if (i == base.size()) {
    difference.stage = run[i].name;
    SetLines(before, run[i].text, &difference);
  } else if (i == run.size()) {
    difference.stage = base[i].name;
    SetLines(base[i].text, before, &difference);
  } else {
    // A pass that does nothing to the part in one of the compilations.
    const bool only_in_run = !HasStage(base, run[i].name);
    difference.stage = only_in_run ? run[i].name : base[i].name;
    SetLines(base[i].text, run[i].text, &difference);
  }
  return difference;
}

absl::StatusOr<StageDifference> FirstDifference(
    const std::vector<std::string>& nodes, const CompiledPart& base,
    const CompiledPart& run) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<DumpedStage> base_graph,
                         GraphStages(base.dump, nodes));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<DumpedStage> run_graph,
                         GraphStages(run.dump, nodes));
  StageDifference difference = CompareStages(base_graph, run_graph);
  if (!difference.stage.empty()) {
    difference.stage = absl::StrCat("graph pass ", difference.stage);
    return difference;
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<DumpedStage> base_kernel,
                         KernelStages(base.dump, base.kernels));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<DumpedStage> run_kernel,
                         KernelStages(run.dump, run.kernels));
  difference = CompareStages(base_kernel, run_kernel);
  if (!difference.stage.empty()) {
    difference.stage = KernelStageName(difference.stage);
  }
  return difference;
}

}  // namespace assay::suites
