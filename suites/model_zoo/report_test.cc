#include "suites/model_zoo/report.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ZooOutcome Of(const std::string& model, ZooResult result) {
  ZooOutcome outcome;
  outcome.model = model;
  outcome.result = result;
  return outcome;
}

ZooOutcome WithRatio(const std::string& model, double ratio) {
  ZooOutcome outcome = Of(model, ZooResult::kCorrect);
  outcome.ratio = stats::Ratio{ratio, ratio - 0.125, ratio + 0.125};
  return outcome;
}

TEST(ReportTest, LineHasTheMeasurements) {
  ZooOutcome outcome = WithRatio("net", 1.5);
  outcome.median_ms = 12.3456;
  outcome.compile_ms = 2500;
  outcome.peak_bytes = 250000000;
  EXPECT_EQ(ZooTableHeader(6),
            "model   result   ratio [95 %]            median(ms)  compile(s)  "
            "peak(MB)  remark\n");
  EXPECT_EQ(ZooTableLine(outcome, 6),
            "net     correct  1.50 [1.38, 1.62]           12.346        2.50  "
            "     250\n");
}

TEST(ReportTest, LineOfARefusedModelHasTheSentence) {
  ZooOutcome outcome = Of("net", ZooResult::kRefused);
  outcome.sentence = "`Foo` is not supported";
  EXPECT_EQ(ZooTableLine(outcome, 3),
            "net  refused  -                                -           -  "
            "       -  `Foo` is not supported\n");
}

TEST(ReportTest, SummaryCountsResultsAndListsSlowModels) {
  const std::string summary =
      ZooSummary({WithRatio("a", 2), WithRatio("b", 0.5), WithRatio("c", 0.96),
                  Of("d", ZooResult::kRefused), Of("e", ZooResult::kCrashed),
                  Of("f", ZooResult::kRefused)},
                 "onnxruntime");
  EXPECT_THAT(summary,
              HasSubstr("6 models: 3 correct, 2 refused, 1 crashed\n"));
  EXPECT_THAT(summary, HasSubstr("ratio to onnxruntime: "));
  EXPECT_THAT(summary, HasSubstr("geometric mean of 3: 0.986\n"));
  EXPECT_THAT(summary, HasSubstr("1 below 0.95: b 0.50 [0.38, 0.62]\n"));
}

TEST(ReportTest, SummaryWithoutRatiosHasNoMean) {
  const std::string summary =
      ZooSummary({Of("d", ZooResult::kRefused)}, "onnxruntime");
  EXPECT_EQ(summary, "1 model: 1 refused\n");
  EXPECT_THAT(summary, Not(HasSubstr("geometric")));
}

TEST(ReportTest, ExitCodeIsThatOfTheWorstResult) {
  const ZooOutcome correct = Of("a", ZooResult::kCorrect);
  const ZooOutcome refused = Of("b", ZooResult::kRefused);
  EXPECT_EQ(ZooExitCode({correct, refused}, 0), ExitCode::kPass);
  EXPECT_EQ(ZooExitCode({correct, refused}, 1), ExitCode::kPass);
  EXPECT_EQ(ZooExitCode({correct, refused}, 2), ExitCode::kRegression);
  EXPECT_EQ(ZooExitCode({refused}, 0), ExitCode::kInconclusive);
  EXPECT_EQ(ZooExitCode({}, 0), ExitCode::kInconclusive);
  for (const ZooResult result : {ZooResult::kCrashed, ZooResult::kLate,
                                 ZooResult::kFailed, ZooResult::kMissing}) {
    EXPECT_EQ(ZooExitCode({correct, Of("c", result)}, 2),
              ExitCode::kInfrastructure)
        << ZooResultName(result);
  }
  EXPECT_EQ(ZooExitCode({Of("c", ZooResult::kCrashed),
                         Of("d", ZooResult::kWrong), correct},
                        0),
            ExitCode::kWrongResult);
}

}  // namespace
}  // namespace assay::suites
