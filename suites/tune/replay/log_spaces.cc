#include "suites/tune/replay/log_spaces.h"

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "compiler/tune/space/search_space.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/current_task.h"

namespace assay::suites {
namespace {

absl::StatusOr<tune::SearchSpace> SpaceOf(const TuningRecord& record) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<graph::Graph> kernel,
                         KernelOfWorkload(record.workload));
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         target::Target::Parse(record.target));
  return tune::SpaceOfKernel(*kernel, target, /*exact=*/false);
}

}  // namespace

LogSpaces SpacesOf(const std::vector<TuningRecord>& records) {
  LogSpaces result;
  // Position of the space of a task, a place and a template; nullopt if the
  // space is not known.
  std::map<std::tuple<std::string, TuningPlace, std::string>,
           std::optional<size_t>>
      positions;
  for (const TuningRecord& record : records) {
    if (record.anchor.empty()) continue;
    const auto [known, is_new] = positions.try_emplace(
        std::tuple(record.task, PlaceOf(record), record.template_digest));
    std::optional<size_t>& position = known->second;
    if (is_new) {
      absl::StatusOr<tune::SearchSpace> space = SpaceOf(record);
      if (space.ok()) {
        position = result.spaces.size();
        result.spaces.push_back({record.task, record.workload, record.anchor,
                                 PlaceOf(record),
                                 MeasuredSpace(*std::move(space))});
      }
    }
    if (!position.has_value() ||
        !result.spaces[*position].measured.Add(record).ok()) {
      ++result.foreign;
    }
  }
  return result;
}

OtherExamples::OtherExamples(const std::vector<LogSpace>& spaces) {
  for (const LogSpace& space : spaces) {
    spaces_.push_back(
        {space.task, space.place,
         tune::ExamplesOf(space.measured.space(), space.measured.Results())});
  }
}

std::vector<tune::Examples> OtherExamples::For(absl::string_view task,
                                               const TuningPlace& place) const {
  std::vector<tune::Examples> examples;
  for (const Space& space : spaces_) {
    if (space.task == task && space.place == place) continue;
    examples.push_back(space.examples);
  }
  return examples;
}

}  // namespace assay::suites
