#include "suites/trials/record.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/binomial.h"
#include "reports/stats/summary.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/trials/report_text.h"

namespace assay::suites {
namespace {

struct Tally {
  int64_t trials = 0, regressed = 0, improved = 0, equivalent = 0, covered = 0;
  std::vector<double> seconds, changes;

  void Add(const Trial& trial) {
    ++trials;
    regressed += trial.verdict == stats::Verdict::kRegressed;
    improved += trial.verdict == stats::Verdict::kImproved;
    equivalent += trial.verdict == stats::Verdict::kEquivalent;
    covered += trial.lower <= 0 && trial.upper >= 0;
    seconds.push_back(trial.seconds);
    changes.push_back(trial.change);
  }
};

std::string Seconds(const std::vector<double>& seconds, double percent) {
  return absl::StrFormat("%.1f", stats::Percentile(seconds, percent));
}

std::string BatchTable(const std::vector<Batch>& batches) {
  constexpr char kFormat[] =
      "%-20s %-12s %-12s %-8s %9s %6s %8s %13s %13s %6s\n";
  std::string text = absl::StrFormat(kFormat, "date", "commit", "method",
                                     "regime", "processes", "trials",
                                     "budget s", "load", "steal %", "duty");
  for (const Batch& b : batches) {
    absl::StrAppendFormat(&text, kFormat, b.date, b.commit.substr(0, 12),
                          b.method, b.regime, absl::StrCat(b.processes),
                          absl::StrCat(b.trials), absl::StrCat(b.budget_s),
                          absl::StrCat(b.load_before, " .. ", b.load_after),
                          absl::StrCat(b.steal_before, " .. ", b.steal_after),
                          absl::StrFormat("%.2f", b.duty));
  }
  return text;
}

std::string VerdictTable(const std::vector<Trial>& trials) {
  std::map<std::tuple<std::string, int, double>, Tally> tallies;
  for (const Trial& trial : trials) {
    tallies[{trial.regime, trial.processes, trial.share}].Add(trial);
  }
  constexpr char kFormat[] = "%-8s %9s %7s %6s %20s %17s %20s %8s %6s\n";
  std::string text = absl::StrFormat(kFormat, "regime", "processes", "share %",
                                     "trials", "regressed %", "improved %",
                                     "equivalent %", "median s", "p95 s");
  for (const auto& [key, tally] : tallies) {
    const auto& [regime, processes, share] = key;
    absl::StrAppendFormat(
        &text, kFormat, regime, absl::StrCat(processes),
        absl::StrFormat("%.1f", 100 * share), absl::StrCat(tally.trials),
        RateText(tally.regressed, tally.trials),
        RateText(tally.improved, tally.trials),
        RateText(tally.equivalent, tally.trials), Seconds(tally.seconds, 50),
        Seconds(tally.seconds, 95));
  }
  return text;
}

std::string SubjectTable(const std::vector<Trial>& trials) {
  std::map<std::tuple<std::string, int, std::string, int, double>, Tally>
      tallies;
  for (const Trial& trial : trials) {
    tallies[{trial.regime, trial.processes, trial.subject, trial.threads,
             trial.share}]
        .Add(trial);
  }
  constexpr char kFormat[] =
      "%-8s %9s %-13s %7s %7s %6s %9s %8s %10s %8s %6s %10s %8s\n";
  std::string text = absl::StrFormat(
      kFormat, "regime", "processes", "subject", "threads", "share %", "trials",
      "regressed", "improved", "equivalent", "median s", "p95 s", "measured %",
      "covers 0");
  for (const auto& [key, tally] : tallies) {
    const auto& [regime, processes, subject, threads, share] = key;
    absl::StrAppendFormat(
        &text, kFormat, regime, absl::StrCat(processes), subject,
        absl::StrCat(threads), absl::StrFormat("%.1f", 100 * share),
        absl::StrCat(tally.trials), absl::StrCat(tally.regressed),
        absl::StrCat(tally.improved), absl::StrCat(tally.equivalent),
        Seconds(tally.seconds, 50), Seconds(tally.seconds, 95),
        absl::StrFormat("%+.2f", 100 * stats::Percentile(tally.changes, 50)),
        share == 0 ? absl::StrCat(tally.covered) : "");
  }
  return text;
}

// Returns the probability that a suite of kSuiteCells cells has an alarm, if
// each cell has one with the probability `rate`.
double NightlyRate(double rate) {
  return 1 - std::pow(1 - rate, static_cast<double>(kSuiteCells));
}

std::string SuiteAlarms(const std::vector<Trial>& trials) {
  std::map<std::pair<std::string, int>, std::pair<int64_t, int64_t>> alarms;
  for (const Trial& trial : trials) {
    if (trial.share != 0) continue;
    auto& [count, of] = alarms[{trial.regime, trial.processes}];
    count += trial.suite_alarm;
    ++of;
  }
  std::string text = absl::StrFormat(
      "False alarms of unchanged programs at the level of a suite of %d cells "
      "with a false\ndiscovery rate of %.0f %%, and the rate of nights with a "
      "false alarm that follows:\n",
      kSuiteCells, 100 * kSuiteFalseDiscoveryRate);
  for (const auto& [key, count] : alarms) {
    const stats::Proportion bounds =
        stats::ClopperPearson(count.first, count.second, kBoundLevel);
    const double rate =
        static_cast<double>(count.first) / static_cast<double>(count.second);
    absl::StrAppendFormat(
        &text,
        "  %s, processes %d: %d of %d; %.0f %% of the nights [%.0f, "
        "%.0f]\n",
        key.first, key.second, count.first, count.second,
        100 * NightlyRate(rate), 100 * NightlyRate(bounds.lower),
        100 * NightlyRate(bounds.upper));
  }
  return text;
}

}  // namespace

absl::StatusOr<CalibrationRecord> CalibrationRecord::Open(
    const std::string& folder, const std::string& method) {
  CalibrationRecord record;
  if (folder.empty()) return record;
  record.folder = folder;
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_ASSIGN_OR_RETURN(
      record.trials, RecordFile<Trial>::Open(JoinPath(folder, "trials.csv")));
  ASSAY_ASSIGN_OR_RETURN(
      record.batches, RecordFile<Batch>::Open(JoinPath(folder, "batches.csv")));
  for (const Batch& batch : record.batches.records()) {
    ASSAY_RETURN_IF_ERROR(CheckMethod(folder, "trials", batch.method, method));
  }
  return record;
}

absl::StatusOr<std::string> CalibrationRecord::WriteReport(
    const runtime::DeviceFacts& machine) const {
  return WriteReportFile(
      folder, machine, CalibrationReport(batches.records(), trials.records()));
}

std::string CalibrationReport(const std::vector<Batch>& batches,
                              const std::vector<Trial>& trials) {
  return absl::StrCat(
      BatchTable(batches), "\n", VerdictTable(trials),
      "\nshare: extra work of the twin, planned; seconds: measured until the "
      "verdict; [bounds] at 95 %\n\n",
      SubjectTable(trials),
      "\nmeasured: median of the changes; covers 0: trials whose 99 % interval "
      "contains 0\n\n",
      SuiteAlarms(trials));
}

}  // namespace assay::suites
