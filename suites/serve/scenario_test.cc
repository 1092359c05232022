#include "suites/serve/scenario.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(ScenarioTest, NamesAreParsed) {
  EXPECT_EQ(ScenarioNames().size(), 4u);
  for (const std::string& name : ScenarioNames()) {
    EXPECT_EQ(ScenarioName(ParseScenario(name)), name);
  }
}

// The numbers are those of mlperf.conf of LoadGen.
TEST(ScenarioTest, RulesAreThoseOfMlperf) {
  EXPECT_EQ(MlperfRules(Scenario::kSingleStream).min_queries, 64);
  EXPECT_EQ(MlperfRules(Scenario::kMultiStream).min_queries, 662);
  EXPECT_EQ(MlperfRules(Scenario::kServer).min_queries, 662);
  EXPECT_EQ(MlperfRules(Scenario::kOffline).min_queries, 24576);
  EXPECT_EQ(MlperfRules(Scenario::kServer).min_duration_s, 600);
  EXPECT_EQ(PercentileOf(Scenario::kSingleStream), 0.9);
  EXPECT_EQ(PercentileOf(Scenario::kMultiStream), 0.99);
  EXPECT_EQ(SamplesPerQuery(Scenario::kMultiStream), 8);
}

TEST(ScenarioTest, ShortRunsAreLongEnoughForAnInterval) {
  EXPECT_EQ(ShortRules(Scenario::kSingleStream).min_queries, 36);
  EXPECT_EQ(ShortRules(Scenario::kServer).min_queries, 368);
}

}  // namespace
}  // namespace assay::suites
