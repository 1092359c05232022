#include "suites/model_zoo/outcome.h"

#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/trials/record_file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ZooOutcome Measured() {
  ZooOutcome o;
  o.model = "bert_mini";
  o.sha256 = "abc";
  o.dims = "batch=1 sequence=128";
  o.input_values = "sr=16000 n=2";
  o.threads = 2;
  o.reference = "onnxruntime";
  o.program = "0123";
  o.result = ZooResult::kCorrect;
  o.ratio = stats::Ratio{1.25, 1.125, 1.5};
  o.median_ms = 3.5;
  o.compile_ms = 1500;
  o.peak_bytes = 123456789012;
  return o;
}

ZooOutcome RoundTrip(const ZooOutcome& outcome) {
  const auto outcomes = ParseRecords<ZooOutcome>(RecordLine(outcome));
  EXPECT_TRUE(outcomes.ok()) << outcomes.status();
  EXPECT_EQ(outcomes->size(), 1u);
  return outcomes->front();
}

TEST(OutcomeTest, FileKeepsWhatWasMeasured) {
  const ZooOutcome o = RoundTrip(Measured());
  EXPECT_TRUE(SameParameters(o, Measured()));
  EXPECT_EQ(o.result, ZooResult::kCorrect);
  ASSERT_TRUE(o.ratio.has_value());
  EXPECT_EQ(*o.ratio, *Measured().ratio);
  EXPECT_EQ(o.median_ms, 3.5);
  EXPECT_EQ(o.compile_ms, 1500);
  EXPECT_EQ(o.peak_bytes, 123456789012);
  EXPECT_EQ(o.sentence, "");
}

TEST(OutcomeTest, FileKeepsSentencesAndMissingNumbers) {
  ZooOutcome refused;
  refused.model = "m";
  refused.result = ZooResult::kRefused;
  refused.sentence = "node `a,b` has \"x\", which is not supported";
  const ZooOutcome o = RoundTrip(refused);
  EXPECT_EQ(o.result, ZooResult::kRefused);
  EXPECT_EQ(o.sentence, refused.sentence);
  EXPECT_FALSE(o.ratio.has_value());
  EXPECT_FALSE(o.median_ms.has_value());
  EXPECT_FALSE(o.compile_ms.has_value());
  EXPECT_FALSE(o.peak_bytes.has_value());
}

TEST(OutcomeTest, FileKeepsARatioWithoutAnInterval) {
  ZooOutcome o = Measured();
  o.ratio = stats::Ratio();
  o.ratio->value = 1.25;
  EXPECT_EQ(RoundTrip(o).ratio->upper, std::numeric_limits<double>::infinity());
}

TEST(OutcomeTest, FileKeepsEveryResult) {
  for (const ZooResult result :
       {ZooResult::kCorrect, ZooResult::kWrong, ZooResult::kRefused,
        ZooResult::kCrashed, ZooResult::kLate, ZooResult::kFailed,
        ZooResult::kMissing}) {
    ZooOutcome o = Measured();
    o.result = result;
    EXPECT_EQ(RoundTrip(o).result, result) << ToField(result);
  }
}

TEST(OutcomeTest, CaseIsWhatTheOutcomeDependsOn) {
  ZooOutcome other = Measured();
  other.result = ZooResult::kWrong;
  EXPECT_TRUE(SameParameters(Measured(), other));
  other.dims = "batch=2 sequence=128";
  EXPECT_FALSE(SameParameters(Measured(), other));
  other = Measured();
  other.input_values = "sr=8000 n=2";
  EXPECT_FALSE(SameParameters(Measured(), other));
  other = Measured();
  other.threads = 1;
  EXPECT_FALSE(SameParameters(Measured(), other));
  other = Measured();
  other.program = "4567";
  EXPECT_FALSE(SameParameters(Measured(), other));
  other = Measured();
  other.reference = "";
  EXPECT_FALSE(SameParameters(Measured(), other));
  other = Measured();
  other.sha256 = "abd";
  EXPECT_FALSE(SameParameters(Measured(), other));
}

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

TEST(ZooReportTest, LineHasTheMeasurements) {
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

TEST(ZooReportTest, LineOfARefusedModelHasTheSentence) {
  ZooOutcome outcome = Of("net", ZooResult::kRefused);
  outcome.sentence = "`Foo` is not supported";
  EXPECT_EQ(ZooTableLine(outcome, 3),
            "net  refused  -                                -           -  "
            "       -  `Foo` is not supported\n");
}

TEST(ZooReportTest, SummaryCountsResultsAndListsSlowModels) {
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

TEST(ZooReportTest, SummaryWithoutRatiosHasNoMean) {
  const std::string summary =
      ZooSummary({Of("d", ZooResult::kRefused)}, "onnxruntime");
  EXPECT_EQ(summary, "1 model: 1 refused\n");
  EXPECT_THAT(summary, Not(HasSubstr("geometric")));
}

TEST(ZooReportTest, ExitCodeIsThatOfTheWorstResult) {
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
        << ToField(result);
  }
  EXPECT_EQ(ZooExitCode({Of("c", ZooResult::kCrashed),
                         Of("d", ZooResult::kWrong), correct},
                        0),
            ExitCode::kWrongResult);
}

}  // namespace
}  // namespace assay::suites
