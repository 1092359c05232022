#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/binomial.h"
#include "reports/stats/false_discovery.h"
#include "runtime/base/random.h"
#include "suites/comparison/calibration.h"

namespace assay::suites {
namespace {

constexpr double kBoundLevel = 0.95;
constexpr int kCells = 400, kNights = 200;
constexpr double kFalseDiscoveryRate = 0.05;

struct Tally {
  int64_t trials = 0, regressed = 0, improved = 0, equivalent = 0, covered = 0;
  std::vector<double> seconds;
};

// Formats a rate with its bounds, for example `99.0 % [96.4, 99.9]`.
std::string Rate(int64_t count, int64_t of) {
  const stats::Proportion bounds =
      stats::ClopperPearson(count, of, kBoundLevel);
  return absl::StrFormat(
      "%.1f %% [%.1f, %.1f]",
      100 * static_cast<double>(count) / static_cast<double>(of),
      100 * bounds.lower, 100 * bounds.upper);
}

double Quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(q * last + 0.5)];
}

// Returns the number of suites with any alert, where the cells of each suite
// are drawn from the A/A trials of a regime.
int64_t NightsWithAlert(
    const std::vector<std::pair<double, double>>& log_e_values) {
  Rng rng(1);
  int64_t alerts = 0;
  for (int night = 0; night < kNights; ++night) {
    std::vector<double> cells;
    for (int cell = 0; cell < kCells; ++cell) {
      const int64_t i =
          rng.UniformInt(0, static_cast<int64_t>(log_e_values.size()) - 1);
      cells.push_back(log_e_values[static_cast<size_t>(i)].first);
      cells.push_back(log_e_values[static_cast<size_t>(i)].second);
    }
    const std::vector<bool> found =
        stats::Discoveries(cells, kFalseDiscoveryRate);
    alerts += std::find(found.begin(), found.end(), true) != found.end();
  }
  return alerts;
}

}  // namespace

std::string CalibrationReport(const std::vector<Trial>& trials) {
  std::map<std::pair<std::string, double>, Tally> tallies;
  std::map<std::string, std::vector<std::pair<double, double>>> unchanged;
  for (const Trial& trial : trials) {
    Tally& tally = tallies[{trial.regime, trial.share}];
    ++tally.trials;
    tally.regressed += trial.verdict == stats::Verdict::kRegressed;
    tally.improved += trial.verdict == stats::Verdict::kImproved;
    tally.equivalent += trial.verdict == stats::Verdict::kEquivalent;
    tally.covered += trial.covered;
    tally.seconds.push_back(trial.seconds);
    if (trial.share == 0) {
      unchanged[trial.regime].emplace_back(trial.log_e_slower,
                                           trial.log_e_faster);
    }
  }
  constexpr char kFormat[] = "%-7s %6s %7s %23s %23s %23s %7s %7s %23s\n";
  std::string text = absl::StrFormat(kFormat, "regime", "change", "trials",
                                     "regressed", "improved", "equivalent",
                                     "median", "p95", "99 % interval covers");
  for (const auto& [key, tally] : tallies) {
    absl::StrAppendFormat(
        &text, kFormat, key.first, absl::StrFormat("%.1f %%", 100 * key.second),
        absl::StrCat(tally.trials), Rate(tally.regressed, tally.trials),
        Rate(tally.improved, tally.trials),
        Rate(tally.equivalent, tally.trials),
        absl::StrFormat("%.2f s", Quantile(tally.seconds, 0.5)),
        absl::StrFormat("%.2f s", Quantile(tally.seconds, 0.95)),
        Rate(tally.covered, tally.trials));
  }
  text +=
      "\nmedian, p95: of the seconds measured until the verdict; [bounds] "
      "of rates at 95 %\n\n";
  for (const auto& [regime, log_e_values] : unchanged) {
    int64_t covered = 0, of = 0;
    for (const auto& [key, tally] : tallies) {
      if (key.first != regime) continue;
      covered += tally.covered;
      of += tally.trials;
    }
    absl::StrAppendFormat(
        &text,
        "%s: of all intervals at nominal 99 %%, %d of %d hold the true "
        "change: %s\n",
        regime, covered, of, Rate(covered, of));
    const int64_t alerts = NightsWithAlert(log_e_values);
    absl::StrAppendFormat(
        &text,
        "%s: of %d nights of %d unchanged cells each, drawn from these trials, "
        "%d have any alert\nat a false discovery rate of %.0f %%: %s\n",
        regime, kNights, kCells, alerts, 100 * kFalseDiscoveryRate,
        Rate(alerts, kNights));
  }
  return text;
}

}  // namespace assay::suites
