// Tests the checked-in calibrations: each report matches its trials, and the
// error rates of verdicts are within their guarantees.
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/comparison/calibration.h"

namespace assay::suites {
namespace {

using ::testing::EndsWith;

constexpr char kFolder[] = "reports/calibration";

std::vector<std::string> Machines() {
  std::vector<std::string> machines;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.is_directory()) machines.push_back(entry.path().string());
  }
  return machines;
}

// The number of trials of a regime with a given share of extra work, and the
// number of those that have one of the given verdicts.
struct Tally {
  double trials = 0, called = 0;
  double Rate() const { return called / trials; }
};
Tally Count(const std::vector<Trial>& trials, const std::string& regime,
            double share, const std::vector<stats::Verdict>& verdicts) {
  Tally tally;
  for (const Trial& trial : trials) {
    if (trial.regime != regime || trial.share != share) continue;
    ++tally.trials;
    for (const stats::Verdict verdict : verdicts) {
      tally.called += trial.verdict == verdict;
    }
  }
  return tally;
}

TEST(CalibrationRecordTest, ReportsMatchTheirTrials) {
  const std::vector<std::string> machines = Machines();
  EXPECT_FALSE(machines.empty());
  for (const std::string& machine : machines) {
    const auto text = ReadFile(JoinPath(machine, "trials.csv"));
    ASSERT_TRUE(text.ok()) << text.status();
    const auto trials = ParseTrials(*text);
    ASSERT_TRUE(trials.ok()) << machine << ": " << trials.status();
    const auto report = ReadFile(JoinPath(machine, "report.txt"));
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(*report, EndsWith("\n\n" + CalibrationReport(*trials)));
  }
}

TEST(CalibrationRecordTest, ErrorRatesAreWithinTheirGuarantees) {
  using stats::Verdict;
  for (const std::string& machine : Machines()) {
    const auto trials =
        ParseTrials(ReadFile(JoinPath(machine, "trials.csv")).value());
    ASSERT_TRUE(trials.ok());
    // The budget of a trial is 3 s, which is short under background load.
    struct Regime {
      const char* name;
      double found_2_percent, found_1_percent;
    };
    for (const Regime& regime :
         {Regime{"idle", 0.99, 0.95}, Regime{"noisy", 0.85, 0.6}}) {
      const std::string where = machine + ", " + regime.name;
      const Tally alarms = Count(*trials, regime.name, 0,
                                 {Verdict::kRegressed, Verdict::kImproved});
      EXPECT_GE(alarms.trials, 100) << where;
      EXPECT_LE(alarms.Rate(), 0.01) << where;
      const auto found = [&](double share) {
        return Count(*trials, regime.name, share, {Verdict::kRegressed}).Rate();
      };
      EXPECT_GE(found(0.05), 1) << where;
      EXPECT_GE(found(0.02), regime.found_2_percent) << where;
      EXPECT_GE(found(0.01), regime.found_1_percent) << where;
    }
  }
}

}  // namespace
}  // namespace assay::suites
