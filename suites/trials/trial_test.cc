#include "suites/trials/trial.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/measure/testing/fake_session.h"
#include "suites/trials/record.h"
#include "suites/trials/record_file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

// Makes runs of `session` take 10 us, with noise of up to 5 %.
void SetNoisyRuns(runtime::FakeSession* session) {
  session->run = [rng = Rng(7)](int, int64_t number) mutable {
    return static_cast<int64_t>(10'000.0 * static_cast<double>(number) *
                                (1 + rng.UniformFloat(0, 0.05f)));
  };
}

// A kernel and a copy of it that does a share of extra work.
PairLoader Pair(runtime::FakeSession* session, double share) {
  return [session, share](const PairPlacement&) {
    ProgramPair pair;
    pair.base = {"base", session};
    pair.run = {"copy", session, 0, share};
    return pair;
  };
}

const std::vector<Combination> kCombinations = {{"a", 1}, {"b", 2}};

TEST(TrialTest, PlansMixSharesAndCombinations) {
  CalibrationOptions options;
  options.counts = {{0, 30}, {0.02, 10}};
  const std::vector<Trial> plan =
      PlanTrials(options, "idle", /*processes=*/2, kCombinations);
  ASSERT_EQ(plan.size(), 40u);
  std::map<std::string, int> count;
  int changes = 0;
  for (size_t i = 0; i < plan.size(); ++i) {
    ++count[plan[i].subject + (plan[i].share > 0 ? "+" : "")];
    changes += i > 0 && plan[i].share != plan[i - 1].share;
    EXPECT_EQ(plan[i].threads, plan[i].subject == "a" ? 1 : 2);
    EXPECT_EQ(plan[i].processes, 2);
    EXPECT_GE(plan[i].layout, 1u);
    EXPECT_LE(plan[i].layout, 30u);
  }
  EXPECT_EQ(count, (std::map<std::string, int>{
                       {"a", 15}, {"b", 15}, {"a+", 5}, {"b+", 5}}));
  EXPECT_GT(changes, 6);
  EXPECT_NE(plan[0].seed, plan[1].seed);
}

TEST(TrialTest, LargerPlansContainSmallerOnes) {
  CalibrationOptions few, many;
  few.counts = {{0, 4}};
  many.counts = {{0, 20}};
  const std::vector<Trial> all = PlanTrials(many, "idle", 1, kCombinations);
  for (const Trial& trial : PlanTrials(few, "idle", 1, kCombinations)) {
    int found = 0;
    for (const Trial& other : all) found += SameParameters(trial, other);
    EXPECT_EQ(found, 1);
  }
}

TEST(TrialTest, FindsTheExtraWork) {
  FakeClock clock;
  runtime::FakeSession session(&clock);
  SetNoisyRuns(&session);
  CalibrationOptions options;
  for (const double share : {0.0, 0.05}) {
    Trial trial;
    trial.share = share;
    ASSERT_TRUE(RunTrial(Pair(&session, share), /*number_multiple=*/20, options,
                         &clock, &trial)
                    .ok());
    EXPECT_EQ(trial.verdict, share > 0 ? stats::Verdict::kRegressed
                                       : stats::Verdict::kEquivalent);
    EXPECT_NEAR(trial.change, share, 0.02);
    EXPECT_FALSE(trial.suite_alarm);
    EXPECT_GT(trial.seconds, 0);
    EXPECT_LE(trial.seconds, 20.1);
  }
}

// A false alarm is examined at the level of a suite, too.
TEST(TrialTest, TellsWhetherASuiteWouldGiveTheAlarm) {
  FakeClock clock;
  runtime::FakeSession session(&clock);
  SetNoisyRuns(&session);
  Trial trial;  // with a share of 0, so that the difference is a false alarm
  ASSERT_TRUE(
      RunTrial(Pair(&session, 0.1), 20, CalibrationOptions(), &clock, &trial)
          .ok());
  EXPECT_EQ(trial.verdict, stats::Verdict::kRegressed);
  EXPECT_TRUE(trial.suite_alarm);
}

TEST(TrialTest, BudgetEndsAnUndecidableTrial) {
  FakeClock clock;
  runtime::FakeSession session(&clock);
  SetNoisyRuns(&session);
  CalibrationOptions options;
  options.test.margin = 0.00005;
  options.budget_s = 0.5;
  Trial trial;
  ASSERT_TRUE(RunTrial(Pair(&session, 0), 1, options, &clock, &trial).ok());
  EXPECT_EQ(trial.verdict, stats::Verdict::kInconclusive);
  EXPECT_NEAR(trial.seconds, 0.5, 0.02);
}

Trial Answered(double share, stats::Verdict verdict) {
  Trial trial;
  trial.regime = "idle";
  trial.subject = "k";
  trial.share = share;
  trial.seed = 0xfedcba9876543210u;
  trial.verdict = verdict;
  trial.loads = 80;
  trial.seconds = 0.25;
  trial.change = share;
  trial.lower = share - 0.01;
  trial.upper = share + 0.01;
  return trial;
}

// Expects that the record has this line, also when the line is read again.
template <typename Record>
void ExpectRoundTrip(const Record& record, const std::string& line) {
  EXPECT_EQ(RecordLine(record), line);
  const auto read =
      ParseRecords<Record>(absl::StrCat(Record::kColumns, "\n", line));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(RecordLine(read->front()), line);
}

TEST(TrialTest, ParsesWhatItWrites) {
  ExpectRoundTrip(Answered(0.005, stats::Verdict::kEquivalent),
                  "idle,k,1,1,0.005,0,18364758544493064720,equivalent,0,0,80,"
                  "0.25,0.005,-0.005,0.015,0\n");
}

TEST(BatchTest, ParsesWhatItWrites) {
  ExpectRoundTrip(
      Batch{"2026-01-31T12:00:00Z", "abc+", "0123456789ab", "idle", 2, 40, 20,
            "0.50", "1.20", "0.01", "0.02", 0.25},
      "2026-01-31T12:00:00Z,abc+,0123456789ab,idle,2,40,20,0.50,1.20,0.01,0.02,"
      "0.25\n");
}

TEST(ReportTest, CountsVerdictsAndAlarms) {
  std::vector<Trial> trials;
  for (int i = 0; i < 10; ++i) {
    trials.push_back(Answered(0, stats::Verdict::kEquivalent));
  }
  trials[3].lower = 0.001;
  trials.push_back(Answered(0.02, stats::Verdict::kRegressed));
  const std::string quiet = CalibrationReport({}, trials);
  EXPECT_THAT(quiet, HasSubstr("0.0 [0.0, 30.8]"));      // false alarms
  EXPECT_THAT(quiet, HasSubstr("100.0 [69.2, 100.0]"));  // equivalent
  EXPECT_THAT(quiet, HasSubstr("100.0 [2.5, 100.0]"));   // power
  EXPECT_THAT(quiet, HasSubstr("+2.00"));                // measured
  EXPECT_THAT(quiet, HasSubstr("+0.00        9"));       // covers 0
  EXPECT_THAT(quiet,
              HasSubstr("idle, processes 1: 0 of 10; 0 % of the nights"));
  trials[0].suite_alarm = true;
  EXPECT_THAT(CalibrationReport({}, trials),
              HasSubstr("1 of 10; 100 % of the nights"));
}

}  // namespace
}  // namespace assay::suites
