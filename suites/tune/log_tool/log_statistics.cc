#include "suites/tune/log_tool/log_statistics.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/summary.h"
#include "runtime/text/text_table.h"
#include "suites/tune/log/task_name.h"

namespace assay::suites {
namespace {

using runtime::TextTable;

constexpr double kNearlyBest = 0.95;
constexpr size_t kShownDigits = 6;  // of a template digest

using RunKey =
    std::tuple<TuningPlace, std::string, std::string, std::string, int64_t>;

RunKey KeyOf(const TuningRecord& record) {
  return {PlaceOf(record), record.task, record.template_digest, record.tuner,
          record.seed};
}

TuningRun RunOf(const std::vector<const TuningRecord*>& records) {
  TuningRun run;
  run.record = *records.back();
  std::set<std::string> points;
  std::vector<double> relatives;  // of the trials, in order; 0 if one failed
  for (const TuningRecord* record : records) {
    if (record->verdict.has_value()) {
      ++run.comparisons;
      continue;
    }
    if (record->loads > 0) {
      ++run.finals;
      continue;
    }
    ++run.trials.at(static_cast<size_t>(record->status));
    points.insert(PointOf(*record).ToString());
    const bool ok = record->status == TrialStatus::kOk;
    relatives.push_back(ok ? RelativeTime(*record) : 0);
    if (ok &&
        (run.best_relative == 0 || relatives.back() < run.best_relative)) {
      run.best_relative = relatives.back();
      run.best_ns = stats::Median(record->samples_ns);
    }
  }
  run.points = static_cast<int64_t>(points.size());
  for (size_t i = 0; i < relatives.size() && run.trials_to_95 == 0; ++i) {
    if (relatives[i] > 0 && run.best_relative >= kNearlyBest * relatives[i]) {
      run.trials_to_95 = static_cast<int64_t>(i) + 1;
    }
  }
  return run;
}

int64_t TotalOf(const StatusCounts& counts) {
  int64_t total = 0;
  for (const int64_t count : counts) total += count;
  return total;
}

TextTable EmptyTable() {
  std::vector<TextTable::Column> columns = {{"task"},
                                            {"kernel"},
                                            {"template"},
                                            {"tuner"},
                                            {"seed", TextTable::kRight},
                                            {"trials", TextTable::kRight}};
  for (size_t i = 0; i < StatusCounts().size(); ++i) {
    columns.push_back(
        {std::string(TrialStatusName(static_cast<TrialStatus>(i))),
         TextTable::kRight});
  }
  for (const char* title : {"points", "finals", "compared", "to 95 %",
                            "best/default", "best(us)", "GFLOP/s"}) {
    columns.push_back({title, TextTable::kRight});
  }
  return TextTable(std::move(columns));
}

std::vector<std::string> RowOf(const TuningRun& run) {
  const TuningRecord& record = run.record;
  std::vector<std::string> row = {
      record.task,
      TaskName(record.workload, record.anchor),
      record.template_digest.substr(0, kShownDigits),
      record.tuner.empty() ? "-" : record.tuner,
      absl::StrCat(record.seed),
      absl::StrCat(TotalOf(run.trials))};
  for (const int64_t count : run.trials) row.push_back(absl::StrCat(count));
  row.push_back(absl::StrCat(run.points));
  row.push_back(absl::StrCat(run.finals));
  row.push_back(absl::StrCat(run.comparisons));
  const bool timed = run.best_ns > 0;
  row.push_back(timed ? absl::StrCat(run.trials_to_95) : "-");
  row.push_back(timed ? absl::StrFormat("%.2f", run.best_relative) : "-");
  row.push_back(timed ? absl::StrFormat("%.1f", run.best_ns * 1e-3) : "-");
  row.push_back(
      timed && record.flops > 0
          ? absl::StrFormat("%.1f",
                            static_cast<double>(record.flops) / run.best_ns)
          : "-");
  return row;
}

std::string Totals(const LogStatistics& statistics) {
  StatusCounts counts = {};
  int64_t finals = 0, comparisons = 0;
  std::set<std::string> devices, tasks, tuners;
  for (const TuningRun& run : statistics.runs) {
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += run.trials[i];
    finals += run.finals;
    comparisons += run.comparisons;
    devices.insert(run.record.device);
    tasks.insert(run.record.task);
    if (!run.record.tuner.empty()) tuners.insert(run.record.tuner);
  }
  std::string text = absl::StrCat(
      statistics.records, " records (", statistics.duplicates,
      " duplicates): ", TotalOf(counts), " trials, ", finals, " finals and ",
      comparisons, " comparisons of ", tasks.size(), " tasks on ",
      devices.size(), devices.size() == 1 ? " device" : " devices", " by ",
      tuners.size(), tuners.size() == 1 ? " tuner" : " tuners",
      "\ntrials by status:");
  for (size_t i = 0; i < counts.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? " " : ", ", counts[i], " ",
                    TrialStatusName(static_cast<TrialStatus>(i)));
  }
  return text + "\n";
}

}  // namespace

LogStatistics MakeLogStatistics(const std::vector<TuningRecord>& records) {
  LogStatistics statistics;
  std::set<std::string> lines;
  std::map<RunKey, std::vector<const TuningRecord*>> runs;
  for (const TuningRecord& record : records) {
    ++statistics.records;
    if (!lines.insert(record.ToJson()).second) {
      ++statistics.duplicates;
      continue;
    }
    runs[KeyOf(record)].push_back(&record);
  }
  for (const auto& [key, of_run] : runs) {
    statistics.runs.push_back(RunOf(of_run));
  }
  return statistics;
}

std::string StatisticsTable(const LogStatistics& statistics) {
  std::string text;
  const std::vector<TuningRun>& runs = statistics.runs;
  for (size_t i = 0; i < runs.size();) {
    const TuningPlace place = PlaceOf(runs[i].record);
    absl::StrAppend(&text, ToString(place), "\n\n");
    TextTable table = EmptyTable();
    for (; i < runs.size() && PlaceOf(runs[i].record) == place; ++i) {
      table.AddRow(RowOf(runs[i]));
    }
    absl::StrAppend(&text, table.ToString(), "\n");
  }
  return text + Totals(statistics);
}

}  // namespace assay::suites
