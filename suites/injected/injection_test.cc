#include "suites/injected/injection.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/injected/record.h"
#include "suites/injected/slowdown.h"
#include "suites/trials/record_file.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(InjectionTest, DefaultPlanHasEverySlowdownWithEachNumberOfThreads) {
  std::set<std::pair<std::string, int>> combinations;
  std::map<bool, int> count;
  std::set<std::string> layouts;
  const std::vector<Injection> plan = PlanInjections({});
  for (const Injection& injection : plan) {
    ++count[injection.is_control()];
    if (injection.is_control()) {
      EXPECT_THAT(injection.flags, HasSubstr("--layout_seed="));
      EXPECT_EQ(injection.nodes, "");
      layouts.insert(injection.flags);
    } else {
      combinations.emplace(injection.suite + " " + injection.flags,
                           injection.threads);
    }
  }
  EXPECT_EQ(count[false], 20);
  EXPECT_EQ(count[true], 20);
  EXPECT_EQ(layouts.size(), 20u);
  EXPECT_EQ(combinations.size(), 2 * Slowdowns().size());
  for (size_t i = 0; i < plan.size(); ++i) {
    for (size_t j = 0; j < plan.size(); ++j) {
      EXPECT_EQ(SameParameters(plan[i], plan[j]), i == j);
    }
  }
}

TEST(InjectionTest, PlansOfKindsArePartsOfThePlan) {
  InjectionOptions options;
  options.kinds = {"depthwise"};
  const std::vector<Injection> all = PlanInjections({});
  const std::vector<Injection> part = PlanInjections(options);
  EXPECT_FALSE(part.empty());
  EXPECT_LT(part.size(), all.size());
  for (const Injection& injection : part) {
    if (!injection.is_control()) EXPECT_EQ(injection.kind, "depthwise");
    int found = 0;
    for (const Injection& other : all)
      found += SameParameters(injection, other);
    EXPECT_EQ(found, 1);
  }
}

Injection GoodTry() {
  Injection injection;
  injection.kind = "depthwise";
  injection.suite = "mobilenet --variant=v2";
  injection.flags = "--schedule=a=t=1 --schedule=b=t=1";
  injection.nodes = "a b";
  injection.stage = "schedule";
  injection.cause = "schedule: x.split(8) -> x.split(4)";
  injection.seed = 0xfedcba9876543210u;
  injection.commit = "abc+";
  injection.method = "m1";
  injection.budget_s = 30;
  injection.exit_code = 1;
  injection.verdict = Verdict::kRegressed;
  injection.change = 0.025;
  injection.lower = 0.02;
  injection.upper = 0.03;
  injection.loads = 20;
  injection.named = "b";
  injection.kernels_ms = 0.105;
  injection.whole_ms = 0.1;
  injection.seconds = 40;
  injection.good = IsGood(injection);
  return injection;
}

Injection GoodControl() {
  Injection injection;
  injection.kind = "control";
  injection.suite = "resnet18";
  injection.threads = 2;
  injection.flags = "--layout_seed=1";
  injection.verdict = Verdict::kEquivalent;
  injection.change = -0.002;
  injection.loads = 60;
  injection.good = IsGood(injection);
  return injection;
}

TEST(InjectionTest, GoodTriesNameTheKernelAndAddUp) {
  EXPECT_TRUE(GoodTry().good);
  Injection missed = GoodTry();
  missed.exit_code = 0;
  EXPECT_FALSE(IsGood(missed));
  Injection misnamed = GoodTry();
  misnamed.named = "c";
  EXPECT_FALSE(IsGood(misnamed));
  misnamed.named = "";
  EXPECT_FALSE(IsGood(misnamed));
  Injection other_stage = GoodTry();
  other_stage.cause = "lowering: for -> for";
  EXPECT_FALSE(IsGood(other_stage));
  other_stage.cause = "";
  EXPECT_FALSE(IsGood(other_stage));
  Injection incomplete = GoodTry();
  incomplete.kernels_ms = 0.08;
  EXPECT_FALSE(IsGood(incomplete));
  // If the whole network changes, only the verdict counts.
  incomplete.nodes = "";
  EXPECT_TRUE(IsGood(incomplete));
}

TEST(InjectionTest, GoodControlsAreMeasured) {
  EXPECT_TRUE(GoodControl().good);
  Injection alarm = GoodControl();
  alarm.exit_code = 1;
  EXPECT_FALSE(IsGood(alarm));
  Injection identical = GoodControl();
  identical.loads = 0;
  EXPECT_FALSE(IsGood(identical));
}

TEST(InjectionTest, TriesAndControlsMustBothBeGoodEnough) {
  std::vector<Injection> injections(19, GoodTry());
  injections.push_back(GoodControl());
  EXPECT_TRUE(AreGoodEnough(injections));
  injections.push_back(GoodTry());
  injections.back().good = false;
  EXPECT_TRUE(AreGoodEnough(injections));
  injections[19].good = false;
  EXPECT_FALSE(AreGoodEnough(injections));
}

TEST(InjectionTest, ParsesWhatItWrites) {
  for (const Injection& injection : {GoodTry(), GoodControl(), Injection()}) {
    const auto read = ParseRecords<Injection>(RecordLine(injection));
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ(RecordLine(read->front()), RecordLine(injection));
    EXPECT_TRUE(SameParameters(read->front(), injection));
  }
}

TEST(InjectionTest, DescribesWhatIsNotGood) {
  EXPECT_THAT(Describe(GoodTry()),
              HasSubstr("exit code 1, regressed, +2.5 % in 20 loads, most of "
                        "it in b; kernels +0.105 of +0.100 ms (+5 %); "
                        "cause: schedule: x.split(8) -> x.split(4)"));
  EXPECT_THAT(Describe(GoodTry()), Not(HasSubstr("not good")));
  Injection missed = GoodTry();
  missed.good = false;
  EXPECT_THAT(Describe(missed), HasSubstr("<- not good"));
}

TEST(ReportTest, CountsTriesAndControls) {
  std::vector<Injection> injections(9, GoodTry());
  injections.push_back(GoodTry());
  injections.back().named = "c";
  injections.back().good = false;
  injections.push_back(GoodControl());
  const std::string report = InjectionReport(injections);
  EXPECT_THAT(report, HasSubstr("90.0 [55.5, 99.7]"));     // good tries
  EXPECT_THAT(report, HasSubstr("100.0 [69.2, 100.0]"));   // regressed
  EXPECT_THAT(report, HasSubstr("9 of 10  10 of 10"));     // named, stage
  EXPECT_THAT(report, HasSubstr("2.5     5.0       40"));  // medians
  EXPECT_THAT(report, HasSubstr("100.0 [2.5, 100.0]"));    // good controls
  EXPECT_THAT(report, HasSubstr("0.20"));                  // largest change
}

TEST(ReportTest, MayBeEmpty) {
  EXPECT_THAT(InjectionReport({}), HasSubstr("Controls"));
}

}  // namespace
}  // namespace assay::suites
