// Tests rows that are compiled as a log of the tuner says.
#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/baseline/baseline.h"
#include "runtime/base/file.h"
#include "suites/harness/run.h"
#include "suites/harness/testing/suite_fixture.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class RunTuningTest : public SuiteFixture {
 protected:
  RunTuningTest() {
    options_.matrix.fusion = {true, false};
    options_.matrix.tuning = TuningRows::kBoth;
    script_.tunable = {"host x86_64-fake-2c-00000000 2"};
    script_.samples = {10};
  }

  // Returns the variants of the rows.
  std::vector<std::string> Variants() const {
    std::vector<std::string> variants;
    for (const reports::Row& row : result_.rows) {
      variants.push_back(row.cell.device + " " +
                         VariantName(row.cell.variant, '/'));
    }
    return variants;
  }

  std::vector<Verdict> Verdicts() const {
    std::vector<Verdict> verdicts;
    for (const reports::Row& row : result_.rows) {
      verdicts.push_back(row.verdict);
    }
    return verdicts;
  }

  int64_t Logged(const std::string& line) const {
    return std::count(script_.log.begin(), script_.log.end(), line);
  }
};

TEST_F(RunTuningTest, BothAreVariantsOfTheMatrix) {
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Variants(),
              ElementsAre("host fusion_on", "host fusion_on/tuned",
                          "host fusion_off", "host fusion_off/tuned"));
  // Each is compiled once.
  for (const char* variant : {"on", "on tuned", "off", "off tuned"}) {
    EXPECT_EQ(Logged(std::string("compile host ") + variant), 1);
  }
  options_.matrix.tuning = TuningRows::kTuned;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Variants(),
              ElementsAre("host fusion_on/tuned", "host fusion_off/tuned"));
  options_.matrix.tuning = TuningRows::kNone;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Variants(), ElementsAre("host fusion_on", "host fusion_off"));
}

TEST_F(RunTuningTest, SamplesOfVariantsAlternate) {
  options_.matrix.fusion = {true};
  EXPECT_EQ(Run(), 0);
  std::vector<std::string> samples;
  for (const std::string& line : script_.log) {
    if (line.compare(0, 7, "measure") == 0) samples.push_back(line);
  }
  ASSERT_GE(samples.size(), 16u);
  for (size_t round = 0; round < 8; ++round) {
    EXPECT_NE(samples[2 * round], samples[2 * round + 1]) << round;
  }
}

TEST_F(RunTuningTest, MeasuresTheSpeedupOfFusionAndOfTuning) {
  script_.slowness["first tuned"] = 0.5;
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 4u);
  const auto unfused = [this](size_t row) {
    return result_.rows[row].comparison.speedup_vs_unfused;
  };
  const auto untuned = [this](size_t row) {
    return result_.rows[row].comparison.speedup_vs_untuned;
  };
  EXPECT_EQ(unfused(0)->value, 1);
  EXPECT_FALSE(untuned(0).has_value());
  EXPECT_EQ(unfused(1)->value, 1);
  EXPECT_EQ(untuned(1)->value, 2);
  EXPECT_EQ(untuned(1)->lower, 2);
  EXPECT_FALSE(unfused(2).has_value());
  EXPECT_FALSE(untuned(2).has_value());
  EXPECT_FALSE(unfused(3).has_value());
  EXPECT_EQ(untuned(3)->value, 2);
  EXPECT_THAT(out_, HasSubstr("vs untuned: speedup of tuning"));

  // There is nothing to compare with.
  options_.matrix.tuning = TuningRows::kTuned;
  EXPECT_EQ(Run(), 0);
  EXPECT_FALSE(untuned(0).has_value());
}

TEST_F(RunTuningTest, RowsSayHowTheyWereTuned) {
  options_.matrix.fusion = {true};
  options_.matrix.tuning_log = "/a.jsonl";
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 2u);
  EXPECT_EQ(result_.rows[0].build.tuning_digest, "");
  EXPECT_THAT(result_.rows[0].reproduce, Not(HasSubstr("tuning")));
  EXPECT_EQ(result_.rows[1].build.tuning_digest, "records");
  EXPECT_THAT(result_.rows[1].reproduce,
              HasSubstr(" --fusion=on --tuning=tuned --tuning_log=/a.jsonl "));
  EXPECT_THAT(out_, HasSubstr("\nnet on host, fusion on, tuned, 2 threads: 1 "
                              "of 1 kernels has another configuration\n"));
}

TEST_F(RunTuningTest, NeedsRecordsOfTheDeviceAndThreads) {
  for (const TuningRows rows : {TuningRows::kTuned, TuningRows::kBoth}) {
    options_.matrix.tuning = rows;
    options_.matrix.threads = {2, 1};
    EXPECT_EQ(Run(), 2);
    EXPECT_EQ(message_, "no records of host x86_64-fake-2c-00000000 1");
    EXPECT_THAT(script_.log, IsEmpty());
    options_.matrix.threads = {};
    options_.matrix.devices = {"host", "board"};
    EXPECT_EQ(Run(), 2);
    EXPECT_THAT(message_, HasSubstr("no records of board emulated-board"));
    options_.matrix.devices = {"host"};
  }
}

TEST_F(RunTuningTest, AutoOmitsRowsWithoutRecords) {
  options_.matrix.tuning = TuningRows::kAuto;
  options_.matrix.fusion = {true};
  options_.matrix.devices = {"host", "board"};
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Variants(), ElementsAre("host fusion_on", "host fusion_on/tuned",
                                      "board fusion_on"));
}

TEST_F(RunTuningTest, CellsSelectsTunedRows) {
  options_.matrix.cells = {"*/tuned/*"};
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Variants(),
              ElementsAre("host fusion_on/tuned", "host fusion_off/tuned"));
}

TEST_F(RunTuningTest, TunedRowsHaveTheirOwnBaseline) {
  options_.matrix.fusion = {true};
  script_.slowness["first tuned"] = 0.5;
  BlessOnce();
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Verdicts(), ElementsAre(Verdict::kPass, Verdict::kPass));
  EXPECT_NEAR(*result_.rows[0].comparison.baseline_ms, 10, 1e-9);
  EXPECT_NEAR(*result_.rows[1].comparison.baseline_ms, 5, 1e-9);

  // Tuned rows are not compared with what untuned rows took.
  options_.matrix.tuning = TuningRows::kNone;
  options_.comparison.baseline = JoinPath(dir_.path(), "untuned");
  BlessOnce();
  options_.matrix.tuning = TuningRows::kBoth;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Verdicts(), ElementsAre(Verdict::kPass, Verdict::kNoBaseline));
}

TEST_F(RunTuningTest, TunedRowsAreComparedWithTunedArtifacts) {
  options_.matrix.fusion = {true};
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  EXPECT_EQ(Run(), 0);
  const std::string tuned = result_.rows[1].build.artifact_digest;
  EXPECT_NE(tuned, result_.rows[0].build.artifact_digest);

  options_.comparison.against = options_.output.out;
  options_.output = {};
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Verdicts(),
              ElementsAre(Verdict::kEquivalent, Verdict::kEquivalent));
  script_.build = "second";
  script_.slowness["second tuned"] = 1.5;
  options_.comparison.budget_s = options_.comparison.max_budget_s = 0.5;
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(result_.rows[1].verdict, Verdict::kRegressed);
  EXPECT_EQ(result_.rows[1].comparison.paired->artifact_digest, tuned);
}

TEST_F(RunTuningTest, ResumedRunMeasuresOnlyWhatOtherRecordsTuned) {
  options_.matrix.devices = {"host", "board"};
  options_.matrix.tuning = TuningRows::kAuto;
  options_.output.store = JoinPath(dir_.path(), "store");
  options_.output.resume = true;
  const auto run_half = [this] {
    script_.fail_on_board = true;
    EXPECT_EQ(Run(), 2);
    script_.fail_on_board = false;
  };
  run_half();
  EXPECT_EQ(Logged("evaluate tuned"), 6);  // three examples of two rows
  run_half();
  EXPECT_EQ(Logged("evaluate tuned"), 0);
  script_.tuning_digest = "other records";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Logged("evaluate tuned"), 6);
  EXPECT_EQ(Logged("measure 1"), 0);  // untuned rows were recorded
  ASSERT_EQ(result_.rows.size(), 6u);
  EXPECT_EQ(result_.rows[1].build.tuning_digest, "other records");
}

}  // namespace
}  // namespace assay::suites
