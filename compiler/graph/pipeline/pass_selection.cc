#include "compiler/graph/pipeline/pass_selection.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

const PipelineStep* Find(absl::Span<const PipelineStep> pipeline,
                         absl::string_view name) {
  const auto it =
      std::find_if(pipeline.begin(), pipeline.end(),
                   [&](const PipelineStep& step) { return step.pass == name; });
  return it == pipeline.end() ? nullptr : &*it;
}

std::string KnownNames(absl::Span<const PipelineStep> pipeline) {
  std::vector<std::string> names;
  for (const PipelineStep& step : pipeline) {
    names.push_back(absl::StrCat("`", step.pass, "`"));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return absl::StrJoin(names, ", ");
}

absl::StatusOr<std::vector<PipelineStep>> ParseNames(
    absl::Span<const PipelineStep> pipeline, absl::string_view flag,
    const std::string& text) {
  std::vector<PipelineStep> steps;
  for (const absl::string_view name :
       absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    const PipelineStep* step = Find(pipeline, name);
    if (step == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", flag, "` has `", name, "`, which is no pass; ",
                       "there are ", KnownNames(pipeline)));
    }
    steps.push_back(*step);
  }
  return steps;
}

absl::StatusOr<std::vector<PipelineStep>> StepsOfLevel(
    absl::Span<const PipelineStep> pipeline, int level) {
  if (level < 0 || level > kMaxOptLevel) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--opt_level` is ", level, "; it must be from 0 to ", kMaxOptLevel));
  }
  std::vector<PipelineStep> steps;
  for (const PipelineStep& step : pipeline) {
    if (step.level <= level) steps.push_back(step);
  }
  return steps;
}

// Drops the steps from `limit` on that are not required.
SelectedPasses Limited(const std::vector<PipelineStep>& steps, int limit) {
  SelectedPasses selected;
  const int count = static_cast<int>(steps.size());
  for (int i = 0; i < count; ++i) {
    if (limit < 0 || i < limit || steps[i].level == 0) {
      selected.names.emplace_back(steps[i].pass);
    }
  }
  if (limit < 0) return selected;
  const int ran = std::min(limit, count);
  selected.bisected = absl::StrCat(
      "ran ", ran, " of ", count, " passes; ",
      ran == 0 ? "none but those required"
               : absl::StrCat("the last is ", steps[ran - 1].pass));
  return selected;
}

}  // namespace

absl::StatusOr<SelectedPasses> SelectPasses(
    absl::Span<const PipelineStep> pipeline, const PassSelection& selection) {
  absl::StatusOr<std::vector<PipelineStep>> steps =
      selection.passes.empty()
          ? StepsOfLevel(pipeline, selection.level)
          : ParseNames(pipeline, "--passes", selection.passes);
  ASSAY_RETURN_IF_ERROR(steps.status());
  ASSAY_ASSIGN_OR_RETURN(const std::vector<PipelineStep> skipped,
                         ParseNames(pipeline, "--skip_passes", selection.skip));
  for (const PipelineStep& skip : skipped) {
    if (skip.level == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--skip_passes` has `", skip.pass,
                       "`, without which no model can be compiled"));
    }
    steps->erase(std::remove_if(steps->begin(), steps->end(),
                                [&](const PipelineStep& step) {
                                  return step.pass == skip.pass;
                                }),
                 steps->end());
  }
  return Limited(*steps, selection.bisect_limit);
}

}  // namespace assay::graph
