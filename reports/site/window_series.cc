#include "reports/site/window_series.h"

#include <algorithm>
#include <cmath>

#include "reports/stats/verdict.h"
#include "reports/store/summary/summarize.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

bool SameTexts(const RowSummary& a, const RowSummary& b) {
  return a.program == b.program && a.method == b.method &&
         a.machine == b.machine;
}

}  // namespace

// A series, and the row of its last point.
struct WindowSeries::Growing {
  Series series;
  const RowSummary* last = nullptr;
  uint32_t machine = 0;  // of the last point
};

absl::StatusOr<const std::string*> WindowSeries::MachineName(uint32_t text) {
  std::unique_ptr<std::string>& name = machines_[text];
  if (name == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(const std::string* form, store_.Text(text));
    Row parsed;
    ASSAY_RETURN_IF_ERROR(ParseMachineText(*form, &parsed));
    name = std::make_unique<std::string>(MachineOf(parsed));
  }
  return name.get();
}

// The change between two runs of rows with equal texts. Only the state of the
// machine can be different.
const Change& WindowSeries::EnvironmentChange(uint32_t before, uint32_t after) {
  const auto at = environments_.find({before, after});
  if (at != environments_.end()) return at->second;
  const Row same;
  const Change change = ChangeOfCell({store_.runs()[before].header, same},
                                     {store_.runs()[after].header, same});
  return environments_.emplace(std::make_pair(before, after), change)
      .first->second;
}

absl::StatusOr<const Row*> WindowSeries::RowOf(const RowSummary& summary) {
  std::unique_ptr<Row>& known =
      rows_[{summary.program, summary.method, summary.machine}];
  if (known != nullptr) return known.get();
  auto row = std::make_unique<Row>();
  ASSAY_ASSIGN_OR_RETURN(const std::string* program,
                         store_.Text(summary.program));
  ASSAY_RETURN_IF_ERROR(ParseProgramText(*program, row.get()));
  ASSAY_ASSIGN_OR_RETURN(const std::string* method,
                         store_.Text(summary.method));
  ASSAY_RETURN_IF_ERROR(ParseMethodText(*method, row.get()));
  ASSAY_ASSIGN_OR_RETURN(const std::string* machine,
                         store_.Text(summary.machine));
  ASSAY_RETURN_IF_ERROR(ParseMachineText(*machine, row.get()));
  known = std::move(row);
  return known.get();
}

absl::StatusOr<Change> WindowSeries::ChangeOf(Metric metric,
                                              const RowSummary& before,
                                              const RowSummary& after) {
  if (SameTexts(before, after)) return EnvironmentChange(before.run, after.run);
  ASSAY_ASSIGN_OR_RETURN(const Row* old, RowOf(before));
  ASSAY_ASSIGN_OR_RETURN(const Row* now, RowOf(after));
  const Measured measured_before = {store_.runs()[before.run].header, *old};
  const Measured measured_after = {store_.runs()[after.run].header, *now};
  return metric == Metric::kReference
             ? ChangeOfReference(measured_before, measured_after)
             : ChangeOfCell(measured_before, measured_after);
}

absl::Status WindowSeries::Add(const SummarizedCell& cell,
                               const RowSummary& row, float value,
                               Growing& growing) {
  const double logarithm = std::log(static_cast<double>(value));
  if (!std::isfinite(logarithm)) return absl::OkStatus();
  Series& series = growing.series;
  const RowSummary* last = std::exchange(growing.last, &row);
  if (last == nullptr || last->machine != row.machine) {
    ASSAY_ASSIGN_OR_RETURN(const std::string* machine,
                           MachineName(row.machine));
    growing.machine = series.AddMachine(*machine);
  }
  series.points.push_back({row.run, logarithm, growing.machine});
  if (last == nullptr) return absl::OkStatus();
  if (SameTexts(*last, row) &&
      EnvironmentChange(last->run, row.run).causes.none()) {
    return absl::OkStatus();
  }
  Step step;
  step.point = series.points.size() - 1;
  ASSAY_ASSIGN_OR_RETURN(step.change, ChangeOf(series.metric, *last, row));
  if (step.change.causes.none()) return absl::OkStatus();
  const ComparisonSummary* compared =
      series.metric == Metric::kLatency
          ? StoreSummary::ComparisonOf(cell, row.run)
          : nullptr;
  if (compared != nullptr) {
    ASSAY_ASSIGN_OR_RETURN(const Row* old, RowOf(*last));
    ASSAY_ASSIGN_OR_RETURN(const std::string* base,
                           store_.Text(compared->base));
    step.side_by_side = {static_cast<stats::Verdict>(row.verdict),
                         compared->change, compared->lower, compared->upper,
                         *base == old->build.artifact_digest};
  }
  series.steps.push_back(std::move(step));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<CellSeries>> WindowSeries::Build(
    const Window& window) {
  std::vector<CellSeries> result;
  // True for programs that have a digest, by the text of the program.
  absl::flat_hash_map<uint32_t, bool> has_digest;
  for (size_t i = window.first_cell; i < window.end_cell; ++i) {
    const SummarizedCell& cell = store_.cells()[i];
    Growing latency;
    latency.series.metric = Metric::kLatency;
    Growing load;
    load.series.metric = Metric::kLoad;
    load.series.has_digest = false;
    Growing reference;
    reference.series.metric = Metric::kReference;
    reference.series.has_digest = false;
    auto night = std::lower_bound(
        cell.nights.begin(), cell.nights.end(), window.first,
        [](const RowSummary* n, uint32_t run) { return n->run < run; });
    const auto most =
        std::min<size_t>(window.end - window.first,
                         static_cast<size_t>(cell.nights.end() - night));
    for (Growing* growing : {&latency, &load, &reference}) {
      growing->series.points.reserve(most);
    }
    for (; night != cell.nights.end() && (*night)->run < window.end; ++night) {
      const RowSummary& row = **night;
      ASSAY_RETURN_IF_ERROR(Add(cell, row, row.load, load));
      ASSAY_RETURN_IF_ERROR(Add(cell, row, row.reference, reference));
      const auto known = has_digest.try_emplace(row.program, true);
      if (known.second) {
        ASSAY_ASSIGN_OR_RETURN(const Row* parsed, RowOf(row));
        known.first->second = !parsed->build.artifact_digest.empty();
      }
      const bool has = known.first->second;
      if (has && row.run < window.first_with_digest) continue;
      latency.series.has_digest &= has;
      ASSAY_RETURN_IF_ERROR(Add(cell, row, row.median, latency));
    }
    for (Growing* growing : {&latency, &load, &reference}) {
      if (growing->series.points.empty()) continue;
      result.push_back({i, std::move(growing->series)});
    }
  }
  return result;
}

}  // namespace assay::reports
