#include "reports/page/page_model.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "reports/history/cell_name.h"
#include "reports/stats/sign_interval.h"
#include "reports/stats/summary.h"

namespace assay::reports {
namespace {

Night NightOf(size_t run, const Row& row) {
  Night night;
  night.run = run;
  night.verdict = row.verdict;
  const stats::MedianInterval interval =
      stats::SignInterval(InMilliseconds(row.timing.samples_ns), kBandLevel);
  night.median_ms = interval.median;
  if (interval.bounded()) {
    night.lower_ms = interval.lower;
    night.upper_ms = interval.upper;
  }
  return night;
}

// Returns true if the program may have another level from this event on. A
// measurement that found no change does not begin a level.
bool ChangesLevel(const CellEvent& event) {
  return event.metric == Metric::kLatency &&
         (event.event.shift.has_value() || !event.event.causes.same_program());
}

double MedianOf(const std::vector<Night>& nights, size_t first, size_t end) {
  std::vector<double> medians;
  for (size_t i = first; i < end; ++i) medians.push_back(nights[i].median_ms);
  return stats::Median(medians);
}

void AddLevels(Cell& cell) {
  std::vector<size_t> starts = {0};
  for (const CellEvent& event : cell.events) {
    if (!ChangesLevel(event)) continue;
    if (event.night == starts.back()) {
      // The step and the shift of the same night.
      if (!cell.levels.empty() && event.event.change.has_value()) {
        cell.levels.back().change = event.event.change;
      }
      continue;
    }
    LevelChange level;
    level.night = event.night;
    level.change = event.event.change;
    cell.levels.push_back(level);
    starts.push_back(event.night);
  }
  starts.push_back(cell.nights.size());
  for (size_t i = 0; i < cell.levels.size(); ++i) {
    cell.levels[i].before_ms = MedianOf(cell.nights, starts[i], starts[i + 1]);
    cell.levels[i].after_ms =
        MedianOf(cell.nights, starts[i + 1], starts[i + 2]);
  }
}

// Adds the events of a series to its cell. The steps of the program, of the
// method and of the machine are those of the latency; of the other series, only
// the shifts are added.
void AddEvent(const Series& series, const Event& event, Cell& cell) {
  if (series.metric == Metric::kKernel) return;
  if (series.metric != Metric::kLatency && !event.shift.has_value()) return;
  const size_t run = series.points[event.point].run;
  const auto night =
      std::lower_bound(cell.nights.begin(), cell.nights.end(), run,
                       [](const Night& n, size_t r) { return n.run < r; });
  if (night == cell.nights.end() || night->run != run) return;
  cell.events.push_back(
      {static_cast<size_t>(night - cell.nights.begin()), series.metric, event});
}

}  // namespace

PageModel BuildPageModel(absl::Span<const RunResult> history) {
  std::map<CellName, Cell> cells;
  std::map<std::string, SuiteCensus> suites;
  for (size_t run = 0; run < history.size(); ++run) {
    for (const Row& row : history[run].rows) {
      Cell& cell = cells[NameOf(row)];
      cell.row = &row;
      cell.run = run;
      if (!row.timing.samples_ns.empty() && !row.emulated) {
        cell.nights.push_back(NightOf(run, row));
      }
      suites[row.suite].run = run;
    }
  }
  const AnalyzedHistory analyzed = AnalyzeHistory(history);
  for (const Event& event : analyzed.events) {
    const Series& series = analyzed.series[event.series];
    AddEvent(series, event, cells.at(NameOf(*series.row)));
  }
  PageModel model;
  for (auto& [name, cell] : cells) {
    SuiteCensus& suite = suites[cell.row->suite];
    cell.status =
        &StatusOf(cell.run == suite.run ? stats::VerdictName(cell.row->verdict)
                                        : kNotRun);
    ++suite.cells;
    if (cell.status->judged()) {
      ++suite.judged;
    } else {
      ++suite.not_judged[cell.status];
    }
    std::sort(
        cell.events.begin(), cell.events.end(),
        [](const CellEvent& a, const CellEvent& b) {
          return std::make_tuple(a.night, a.metric, a.event.shift.has_value()) <
                 std::make_tuple(b.night, b.metric, b.event.shift.has_value());
        });
    AddLevels(cell);
    model.cells.push_back(std::move(cell));
  }
  std::sort(model.cells.begin(), model.cells.end(),
            [](const Cell& a, const Cell& b) {
              // Pointers into Statuses() are ordered by severity.
              return std::make_pair(a.status, NameOf(*a.row)) <
                     std::make_pair(b.status, NameOf(*b.row));
            });
  for (auto& [name, suite] : suites) {
    suite.suite = name;
    model.suites.push_back(std::move(suite));
  }
  return model;
}

}  // namespace assay::reports
