#include "suites/model_zoo/outcome.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

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
  const std::string text = absl::StrCat(OutcomeHeader(), OutcomeLine(outcome));
  const auto outcomes = ParseOutcomes(text);
  EXPECT_TRUE(outcomes.ok()) << outcomes.status();
  EXPECT_EQ(outcomes->size(), 1u);
  return outcomes->front();
}

TEST(OutcomeTest, FileKeepsWhatWasMeasured) {
  const ZooOutcome o = RoundTrip(Measured());
  EXPECT_TRUE(SameCase(o, Measured()));
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
    EXPECT_EQ(RoundTrip(o).result, result) << ZooResultName(result);
  }
}

TEST(OutcomeTest, CaseIsWhatTheOutcomeDependsOn) {
  ZooOutcome other = Measured();
  other.result = ZooResult::kWrong;
  EXPECT_TRUE(SameCase(Measured(), other));
  other.dims = "batch=2 sequence=128";
  EXPECT_FALSE(SameCase(Measured(), other));
  other = Measured();
  other.input_values = "sr=8000 n=2";
  EXPECT_FALSE(SameCase(Measured(), other));
  other = Measured();
  other.threads = 1;
  EXPECT_FALSE(SameCase(Measured(), other));
  other = Measured();
  other.program = "4567";
  EXPECT_FALSE(SameCase(Measured(), other));
  other = Measured();
  other.reference = "";
  EXPECT_FALSE(SameCase(Measured(), other));
  other = Measured();
  other.sha256 = "abd";
  EXPECT_FALSE(SameCase(Measured(), other));
}

TEST(OutcomeTest, ErrorNamesTheLine) {
  const std::string text = absl::StrCat(OutcomeHeader(), "a,b\n");
  EXPECT_THAT(std::string(ParseOutcomes(text).status().message()),
              HasSubstr("line 2 is not an outcome: `a,b`"));
}

}  // namespace
}  // namespace assay::suites
