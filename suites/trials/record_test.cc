// Tests the files of a calibration, and the checked-in calibrations: each is of
// the current method, each report matches its trials, and the error rates of
// verdicts are within their guarantees.
#include "suites/trials/record.h"

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/comparison/run_to_verdict.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(RecordTest, GoesOnWhereItStopped) {
  const auto dir = TempDir::Create();
  ASSERT_TRUE(dir.ok());
  Trial trial;
  trial.regime = "idle";
  trial.subject = "add";
  trial.seed = 7;
  Batch batch;
  batch.regime = "idle";
  batch.method = "m1";
  {
    auto record = CalibrationRecord::Open(dir->path(), "m1");
    ASSERT_TRUE(record.ok()) << record.status();
    EXPECT_FALSE(record->trials.Has(trial));
    ASSERT_TRUE(record->trials.Append(trial).ok());
    ASSERT_TRUE(record->batches.Append(batch).ok());
  }
  auto record = CalibrationRecord::Open(dir->path(), "m1");
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_TRUE(record->trials.Has(trial));
  trial.threads = 2;
  EXPECT_FALSE(record->trials.Has(trial));
  const auto other = CalibrationRecord::Open(dir->path(), "m2");
  EXPECT_THAT(std::string(other.status().message()),
              HasSubstr("has trials of the method m1, not m2"));
}

struct Machine {
  std::string folder;
  std::vector<Trial> trials;
  std::vector<Batch> batches;
};

std::vector<Machine> CheckedIn() {
  std::vector<Machine> machines;
  for (const auto& entry :
       std::filesystem::directory_iterator("reports/calibration")) {
    if (!entry.is_directory()) continue;
    const std::string folder = entry.path().string();
    machines.push_back(
        {folder,
         ParseRecords<Trial>(ReadFile(JoinPath(folder, "trials.csv")).value())
             .value(),
         ParseRecords<Batch>(ReadFile(JoinPath(folder, "batches.csv")).value())
             .value()});
  }
  return machines;
}

// If this test fails, verdicts are reached in another way than when their error
// rates were measured: run //suites:calibration again.
TEST(CheckedInTest, CalibrationsAreOfTheCurrentMethod) {
  EXPECT_FALSE(CheckedIn().empty());
  for (const Machine& machine : CheckedIn()) {
    EXPECT_FALSE(machine.batches.empty());
    for (const Batch& batch : machine.batches) {
      EXPECT_EQ(batch.method, MethodDigest({})) << machine.folder;
      EXPECT_NE(batch.commit, "") << machine.folder;
    }
  }
}

TEST(CheckedInTest, ReportsMatchTheirTrials) {
  for (const Machine& machine : CheckedIn()) {
    const auto report = ReadFile(JoinPath(machine.folder, "report.txt"));
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(*report, EndsWith("\n\n" + CalibrationReport(machine.batches,
                                                             machine.trials)));
  }
}

TEST(CheckedInTest, ErrorRatesAreWithinTheirGuarantees) {
  for (const Machine& machine : CheckedIn()) {
    int64_t unchanged = 0, regressed = 0, equivalent = 0, nights = 0;
    int64_t slower = 0, found = 0;
    for (const Trial& trial : machine.trials) {
      if (trial.share == 0) {
        ++unchanged;
        regressed += trial.verdict == Verdict::kRegressed;
        equivalent += trial.verdict == Verdict::kEquivalent;
        nights += trial.suite_alarm;
      } else {
        ++slower;
        found += trial.verdict == Verdict::kRegressed;
      }
    }
    const auto rate = [](int64_t count, int64_t of) {
      return static_cast<double>(count) / static_cast<double>(of);
    };
    EXPECT_GE(unchanged, 400) << machine.folder;
    EXPECT_LE(rate(regressed, unchanged), 0.005) << machine.folder;
    EXPECT_GE(rate(equivalent, unchanged), 0.8) << machine.folder;
    EXPECT_EQ(nights, 0) << machine.folder;
    EXPECT_GE(slower, 200) << machine.folder;
    EXPECT_GE(rate(found, slower), 0.95) << machine.folder;
  }
}

}  // namespace
}  // namespace assay::suites
