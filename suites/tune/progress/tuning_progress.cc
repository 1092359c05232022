#include "suites/tune/progress/tuning_progress.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "reports/stats/verdict.h"
#include "runtime/text/duration.h"
#include "runtime/text/text_table.h"

namespace assay::suites {
namespace {

using runtime::TextTable;

// Returns the table, which is as wide for one task as for all.
TextTable Table(int tasks, bool with_peak) {
  constexpr TextTable::Side kRight = TextTable::kRight;
  std::vector<TextTable::Column> columns = {
      {"task", kRight, absl::StrCat(tasks, "/", tasks)},
      {"points", kRight, "100000"},
      {"trials", kRight, "10000"},
      {"errors", kRight, "10000"},
      {"default", kRight, "812.3 µs"},
      {"best", kRight, "812.3 µs"},
      {"GFLOP/s", kRight, "1000.0"}};
  if (with_peak) columns.push_back({"peak", kRight, "100%"});
  columns.push_back({"time / default", TextTable::kLeft, "0.79 [0.77, 0.81]"});
  columns.push_back({"verdict", TextTable::kLeft, "inconclusive"});
  columns.push_back({"kernel"});
  return TextTable(columns);
}

double Seconds(int64_t nanos) { return 1e-9 * static_cast<double>(nanos); }

}  // namespace

struct TuningProgress::ActiveTask {
  Task task;
  const PeakRates& peaks;
  int number = 0;
  int64_t start_nanos = 0;
  int64_t measured = 0;  // records that took time
  std::set<std::string> points = {};
  int64_t errors = 0;
  double default_ns = 0;  // 0 if it is not known
  // The best finalist or, while there is none, the best trial.
  double best_relative = 0;  // 0 if no trial has succeeded
  bool has_finalists = false;
  std::string best_implementation = {};
  std::string anchor = {};
  std::optional<TuningVerdict> verdict = std::nullopt;
  std::string step = "starting";  // what happens now

  int64_t trials() const { return static_cast<int64_t>(points.size()); }
  int64_t planned_trials() const {
    return std::min(task.points, task.max_trials);
  }

  // The time of the best point, which does not exceed the peak. nullopt if
  // there is none.
  std::optional<double> BestNanos() const {
    if (best_relative == 0) return std::nullopt;
    const double nanos = best_relative * default_ns;
    const auto limit = RateLimit(peaks, anchor, best_implementation);
    return limit.has_value()
               ? std::max(nanos, static_cast<double>(task.flops) / *limit)
               : nanos;
  }

  std::optional<double> Gflops() const {
    if (best_relative == 0 || task.flops <= 0) return std::nullopt;
    return static_cast<double>(task.flops) / *BestNanos();
  }

  // The share of the peak in percent. nullopt if it is not known.
  std::optional<double> PeakPercent() const {
    const std::optional<double> rate = Gflops();
    const auto arithmetic = ArithmeticOf(anchor, best_implementation);
    if (!rate.has_value() || !arithmetic.has_value()) return std::nullopt;
    const auto peak = peaks.find(*arithmetic);
    if (peak == peaks.end()) return std::nullopt;
    return 100 * *rate / peak->second;
  }

  void Count(const TuningRecord& record) {
    const bool is_new = points.insert(PointOf(record).ToString()).second;
    if (record.verdict.has_value()) {
      verdict = record.verdict;
      step = absl::StrCat("compared: ",
                          stats::VerdictName(record.verdict->verdict));
      return;
    }
    step = is_new ? absl::StrCat("trial ", trials(), "/", planned_trials())
                  : "measuring the finalists";
    if (record.status != TrialStatus::kOk) {
      ++errors;
      return;
    }
    anchor = record.anchor;
    const std::vector<double>& usual =
        record.default_ns.empty() && default_ns == 0 ? record.samples_ns
                                                     : record.default_ns;
    for (const double ns : usual) {
      default_ns = default_ns == 0 ? ns : std::min(default_ns, ns);
    }
    const double relative = RelativeTime(record);
    const bool is_finalist = record.loads > 0;
    if (best_relative == 0 || (is_finalist && !has_finalists) ||
        (is_finalist == has_finalists && relative < best_relative)) {
      best_relative = relative;
      best_implementation = record.implementation;
      has_finalists = is_finalist;
    }
  }
};

TuningProgress::TuningProgress(const Run& run, std::ostream* out,
                               Progress* progress, Clock* clock)
    : run_(run),
      out_(*out),
      progress_(*progress),
      clock_(*clock),
      start_nanos_(clock->NowNanos()) {}

TuningProgress::~TuningProgress() = default;

void TuningProgress::Start(int device, Task task) {
  auto active = std::make_unique<ActiveTask>(
      ActiveTask{std::move(task), run_.peaks, ++started_, clock_.NowNanos()});
  planned_trials_ += active->planned_trials();
  active_[device] = std::move(active);
  Draw();
}

void TuningProgress::Add(int device, const TuningRecord& record) {
  ++measured_;
  ++active_.at(device)->measured;
  Replay(device, record);
}

void TuningProgress::Replay(int device, const TuningRecord& record) {
  active_.at(device)->Count(record);
  Draw();
}

void TuningProgress::Finish(int device, const absl::Status& status) {
  std::vector<std::string> cells = Cells(*active_.at(device));
  if (!status.ok()) {
    absl::StrAppend(&cells.back(), ": ", status.message());
  }
  TextTable table = Table(run_.tasks, !run_.peaks.empty());
  table.AddRow(std::move(cells));
  const std::vector<std::string> lines = absl::StrSplit(table.ToString(), '\n');
  progress_.Clear();
  if (finished_++ == 0) out_ << lines[0] << "\n";
  out_ << lines[1] << "\n" << std::flush;
  active_.erase(device);
  if (!active_.empty()) Draw();
}

// Returns the best rate and its part of the peak, or the best time of a kernel
// without operations.
std::string TuningProgress::Best(const ActiveTask& active) const {
  const std::optional<double> nanos = active.BestNanos();
  if (!nanos.has_value()) return "";
  const std::optional<double> rate = active.Gflops();
  if (!rate.has_value()) {
    return absl::StrCat(", best ", runtime::FormatDuration(1e-9 * *nanos));
  }
  std::string text = absl::StrFormat(", best %.1f GFLOP/s", *rate);
  const std::optional<double> percent = active.PeakPercent();
  if (percent.has_value()) {
    absl::StrAppendFormat(&text, " (%.0f %% of peak)", *percent);
  }
  return text;
}

// Returns the errors and the trials per second of the active tasks, and the
// time left of the run.
std::string TuningProgress::Speed() const {
  const int64_t now = clock_.NowNanos();
  int64_t errors = 0;
  double per_second = 0;
  double left = 0;  // trials
  for (const auto& [device, active] : active_) {
    errors += active->errors;
    if (now > active->start_nanos) {
      per_second += static_cast<double>(active->measured) /
                    Seconds(now - active->start_nanos);
    }
    left += static_cast<double>(
        std::max<int64_t>(active->planned_trials() - active->trials(), 0));
  }
  std::string text;
  if (errors > 0) {
    absl::StrAppend(&text, ", ", errors, errors == 1 ? " error" : " errors");
  }
  if (per_second > 0) {
    absl::StrAppendFormat(&text, ", %.1f trials/s", per_second);
  }
  if (measured_ > 0) {
    const double per_trial =
        Seconds(now - start_nanos_) / static_cast<double>(measured_);
    const double per_task =
        static_cast<double>(planned_trials_) / static_cast<double>(started_);
    left += per_task * (run_.tasks - started_);
    absl::StrAppend(&text, ", ", runtime::HumanSeconds(per_trial * left),
                    " left");
  }
  return text;
}

void TuningProgress::Draw() {
  std::vector<std::string> tasks;
  for (const auto& [device, active] : active_) {
    tasks.push_back(
        absl::StrCat(active->task.name, ": ", active->step, Best(*active)));
  }
  if (tasks.size() == 1) {
    progress_.Say(absl::StrCat("task ", active_.begin()->second->number, "/",
                               run_.tasks, " ", tasks[0], Speed()));
  } else {
    progress_.Say(absl::StrCat(finished_, "/", run_.tasks, " tasks done",
                               Speed(), "; ", absl::StrJoin(tasks, " · ")));
  }
}

std::vector<std::string> TuningProgress::Cells(const ActiveTask& active) const {
  const auto time = [](std::optional<double> ns) {
    return ns.has_value() ? runtime::FormatDuration(1e-9 * *ns) : "-";
  };
  const auto rate = active.Gflops();
  std::vector<std::string> cells = {
      absl::StrCat(active.number, "/", run_.tasks),
      absl::StrCat(active.task.points),
      absl::StrCat(active.trials()),
      absl::StrCat(active.errors),
      active.default_ns > 0 ? time(active.default_ns) : "-",
      time(active.BestNanos()),
      rate.has_value() ? absl::StrFormat("%.1f", *rate) : "-"};
  if (!run_.peaks.empty()) {
    const std::optional<double> percent = active.PeakPercent();
    cells.push_back(percent.has_value() ? absl::StrFormat("%.0f%%", *percent)
                                        : "-");
  }
  if (active.verdict.has_value()) {
    cells.push_back(active.verdict->RatioText());
    cells.emplace_back(stats::VerdictName(active.verdict->verdict));
  } else {
    cells.insert(cells.end(), {"-", "-"});
  }
  cells.push_back(active.task.name);
  return cells;
}

}  // namespace assay::suites
