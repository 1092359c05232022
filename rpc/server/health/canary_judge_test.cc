#include "rpc/server/health/canary_judge.h"

#include <cstdint>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/server/health/canary.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr int64_t kUsual = 10'000'000;

class CanaryJudgeTest : public testing::Test {
 protected:
  // Adds runs that take `ratio` times as long as usual.
  static void Add(CanaryJudge& judge, double ratio, int number = 1) {
    for (int i = 0; i < number; ++i) {
      const absl::Status status =
          judge.Add({static_cast<int64_t>(ratio * kUsual), /*right=*/true});
      EXPECT_TRUE(status.ok()) << status;
    }
  }
  static void AddWrong(CanaryJudge& judge) {
    EXPECT_TRUE(judge.Add({kUsual, /*right=*/false}).ok());
  }
  static double Usual(const CanaryJudge& judge) {
    return static_cast<double>(judge.usual_nanos()) / kUsual;
  }

  const TempDir dir_ = *TempDir::Create();
  const std::string path_ = JoinPath(dir_.path(), "canary.json");
};

TEST_F(CanaryJudgeTest, ThreeSlowRunsAreAProblem) {
  CanaryJudge judge("", "board");
  EXPECT_EQ(judge.usual_nanos(), 0);
  Add(judge, 1, 10);
  EXPECT_EQ(judge.problem(), "");
  Add(judge, 1.36, 2);
  EXPECT_EQ(judge.problem(), "");
  EXPECT_TRUE(judge.unsettled());
  Add(judge, 1.36);
  EXPECT_EQ(judge.problem(),
            "the canary took 13.60 ms and usually takes 10.00 ms");
  EXPECT_TRUE(judge.unsettled());
  EXPECT_DOUBLE_EQ(Usual(judge), 1);
}

TEST_F(CanaryJudgeTest, ThreeGoodRunsEndAProblem) {
  CanaryJudge judge("", "board");
  Add(judge, 1, 10);
  Add(judge, 2, 3);
  Add(judge, 1, 2);
  EXPECT_NE(judge.problem(), "");
  EXPECT_TRUE(judge.last_was_good());
  Add(judge, 2);
  EXPECT_FALSE(judge.last_was_good());
  Add(judge, 1, 2);
  EXPECT_NE(judge.problem(), "");
  Add(judge, 1);
  EXPECT_EQ(judge.problem(), "");
  EXPECT_FALSE(judge.unsettled());
}

TEST_F(CanaryJudgeTest, DisturbedRunsAreNoProblem) {
  CanaryJudge judge("", "board");
  Add(judge, 1, 10);
  for (int i = 0; i < 100; ++i) {
    Add(judge, 5, 2);
    Add(judge, 1.19);
    EXPECT_EQ(judge.problem(), "");
  }
}

TEST_F(CanaryJudgeTest, AWrongAnswerIsAProblemAtOnce) {
  CanaryJudge judge("", "board");
  EXPECT_FALSE(judge.last_was_good());
  AddWrong(judge);
  EXPECT_FALSE(judge.last_was_good());
  EXPECT_EQ(judge.problem(), "the canary computed a wrong result");
  EXPECT_EQ(judge.usual_nanos(), 0);
  Add(judge, 1, 2);
  AddWrong(judge);
  Add(judge, 1, 2);
  EXPECT_NE(judge.problem(), "");
  Add(judge, 1);
  EXPECT_EQ(judge.problem(), "");
}

TEST_F(CanaryJudgeTest, LearnsTheUsualTimeWithFiveRuns) {
  CanaryJudge judge("", "board");
  Add(judge, 3);
  Add(judge, 1, 3);
  EXPECT_TRUE(judge.unsettled());
  Add(judge, 5);
  EXPECT_FALSE(judge.unsettled());
  EXPECT_DOUBLE_EQ(Usual(judge), 1);
  EXPECT_EQ(judge.problem(), "");
  Add(judge, 3, 3);
  EXPECT_NE(judge.problem(), "");
}

TEST_F(CanaryJudgeTest, ADeviceThatWasSlowAtFirstIsLearnedAgain) {
  CanaryJudge judge("", "board");
  Add(judge, 2, 10);
  Add(judge, 1, 31);
  EXPECT_DOUBLE_EQ(Usual(judge), 1);
  Add(judge, 2, 3);
  EXPECT_NE(judge.problem(), "");
}

TEST_F(CanaryJudgeTest, SlownessThatGrowsLittleByLittleIsFound) {
  CanaryJudge judge("", "board");
  double ratio = 1;
  while (judge.problem().empty() && ratio < 3) {
    Add(judge, ratio);
    ratio *= 1.001;
  }
  EXPECT_GT(ratio, 1.3);
  EXPECT_LT(ratio, 1.34);
}

TEST_F(CanaryJudgeTest, NoiseIsNoProblem) {
  // The minimum of the repetitions has a long tail on a busy machine.
  std::mt19937 random(7);
  std::exponential_distribution<double> noise(1 / 0.05);
  CanaryJudge judge("", "board");
  for (int i = 0; i < 20'000; ++i) {
    Add(judge, 1 + noise(random));
    EXPECT_EQ(judge.problem(), "");
  }
  EXPECT_NEAR(Usual(judge), 1.035, 0.03);
}

TEST_F(CanaryJudgeTest, ARestartOnAThrottledBoardFindsTheProblem) {
  {
    CanaryJudge judge(path_, "board");
    Add(judge, 1, 10);
  }
  CanaryJudge judge(path_, "board");
  EXPECT_DOUBLE_EQ(Usual(judge), 1);
  EXPECT_FALSE(judge.unsettled());
  Add(judge, 1.4, 3);
  EXPECT_NE(judge.problem(), "");
}

TEST_F(CanaryJudgeTest, TheDriftIsLimitedAcrossRestarts) {
  double ratio = 1;
  for (int restart = 0; restart < 100; ++restart) {
    CanaryJudge judge(path_, "board");
    for (int i = 0; i < 10 && judge.problem().empty(); ++i) {
      Add(judge, ratio);
      ratio *= 1.001;
    }
    if (!judge.problem().empty()) break;
  }
  EXPECT_LT(ratio, 1.34);
}

TEST_F(CanaryJudgeTest, OtherBoardsAndVersionsAreLearnedAnew) {
  {
    CanaryJudge judge(path_, "board");
    Add(judge, 1, 10);
  }
  EXPECT_EQ(CanaryJudge(path_, "other board").usual_nanos(), 0);
  std::string text = *ReadFile(path_);
  const std::string answer = absl::StrCat(kCanaryAnswer);
  ASSERT_NE(text.find(answer), std::string::npos) << text;
  text.replace(text.find(answer), answer.size(), "1");
  ASSERT_TRUE(WriteFileAtomic(path_, text).ok());
  EXPECT_EQ(CanaryJudge(path_, "board").usual_nanos(), 0);
}

TEST_F(CanaryJudgeTest, DamagedFilesAreIgnored) {
  const std::string head =
      absl::StrCat(R"({"fingerprint":"board","answer":)", kCanaryAnswer, ",");
  const std::string valid =
      head + R"("least_median_nanos":7,"good_nanos":[7,7,7,7,7]})";
  ASSERT_TRUE(WriteFileAtomic(path_, valid).ok());
  EXPECT_EQ(CanaryJudge(path_, "board").usual_nanos(), 7);
  for (const std::string& text :
       {std::string(), std::string("[]"), valid.substr(0, valid.size() / 2),
        head + R"("least_median_nanos":7})",
        head + R"("least_median_nanos":-7,"good_nanos":[7,7,7,7,7]})",
        head + R"("least_median_nanos":7.5,"good_nanos":[7,7,7,7,7]})",
        head + R"("least_median_nanos":7,"good_nanos":[7,7,7,7]})",
        head + R"("least_median_nanos":7,"good_nanos":[7,7,7,7,0]})",
        head + R"("least_median_nanos":7,"good_nanos":[7,7,7,7,"7"]})",
        head + R"("least_median_nanos":7,"good_nanos":[7,7,7,7,1e99]})",
        head + R"("least_median_nanos":7,"good_nanos":7})",
        std::string(100'000, '[')}) {
    ASSERT_TRUE(WriteFileAtomic(path_, text).ok());
    CanaryJudge judge(path_, "board");
    EXPECT_EQ(judge.usual_nanos(), 0) << text.substr(0, 200);
    Add(judge, 1, 5);
    EXPECT_DOUBLE_EQ(Usual(judge), 1);
  }
}

TEST_F(CanaryJudgeTest, ASteadyDeviceWritesOnce) {
  CanaryJudge judge(path_, "board");
  Add(judge, 1, 5);
  ASSERT_TRUE(WriteFileAtomic(path_, "unchanged").ok());
  for (int i = 0; i < 100; ++i) Add(judge, i % 2 == 0 ? 1 : 1.005);
  EXPECT_EQ(*ReadFile(path_), "unchanged");
  Add(judge, 0.9, 31);
  EXPECT_NE(*ReadFile(path_), "unchanged");
}

TEST_F(CanaryJudgeTest, AnUnwritableFolderIsAnErrorButNoProblem) {
  CanaryJudge judge("/proc/missing/canary.json", "board");
  absl::Status status;
  for (int i = 0; i < 5; ++i) status = judge.Add({kUsual, true});
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(judge.problem(), "");
  EXPECT_DOUBLE_EQ(Usual(judge), 1);
}

}  // namespace
}  // namespace assay::rpc
