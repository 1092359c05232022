#include "reports/history/events.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/history/testing/world.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A comparison without errors.
SideBySide Exact(double change) {
  const stats::Verdict verdict = change > 0.01    ? stats::Verdict::kRegressed
                                 : change < -0.01 ? stats::Verdict::kImproved
                                                  : stats::Verdict::kEquivalent;
  return {verdict, change, change - 0.001, change + 0.001, true};
}

class EventsTest : public ::testing::Test {
 protected:
  void Measure(int nights) {
    for (int i = 0; i < nights; ++i) world_.MeasureNight();
  }

  // Returns the events of this metric of a cell; -1 stands for all cells.
  std::vector<Event> EventsOf(int cell, Metric metric = Metric::kLatency) {
    const AnalyzedHistory history = AnalyzeHistory(world_.history());
    std::vector<Event> events;
    for (const Event& event : history.events) {
      const Series& series = history.series[event.series];
      if (series.metric != metric) continue;
      if (cell >= 0 && series.row->cell.model != "net" + std::to_string(cell)) {
        continue;
      }
      events.push_back(event);
    }
    return events;
  }

  int64_t Published() {
    int64_t count = 0;
    for (const Event& event : AnalyzeHistory(world_.history()).events) {
      count += event.published;
    }
    return count;
  }

  WorldOptions options_;
  World world_{options_, Exact};
};

TEST_F(EventsTest, NothingHappensWithoutACause) {
  Measure(100);
  EXPECT_TRUE(EventsOf(-1).empty());
  EXPECT_TRUE(EventsOf(-1, Metric::kLoad).empty());
}

TEST_F(EventsTest, SlowerCodeIsPublishedTheSameNight) {
  Measure(2);
  world_.ChangeCode(3, 0.02);
  Measure(1);
  const std::vector<Event> events = EventsOf(3);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].point, 2u);
  EXPECT_EQ(CausesText(events[0].causes), "code");
  EXPECT_TRUE(events[0].published);
  EXPECT_NEAR(*events[0].change, 0.02, 1e-9);
  EXPECT_EQ(events[0].what, "code of 1 of 4 kernels: k3");
  EXPECT_EQ(events[0].reason, "side by side: regressed");
  EXPECT_EQ(Published(), 1);
}

TEST_F(EventsTest, OtherCodeThatIsNotSlowerIsNotPublished) {
  Measure(2);
  world_.ChangeCode(3, 0);
  world_.ChangeCode(4, -0.1);
  Measure(10);
  EXPECT_EQ(EventsOf(3).at(0).reason, "side by side: equivalent");
  EXPECT_EQ(EventsOf(4).at(0).reason, "side by side: improved");
  EXPECT_EQ(Published(), 0);
}

TEST_F(EventsTest, SlowerLayoutIsPublishedAsLayout) {
  Measure(2);
  world_.ChangeLayout(3, 0.05);
  Measure(2);
  const Event event = EventsOf(3).at(0);
  EXPECT_EQ(CausesText(event.causes), "layout");
  EXPECT_TRUE(event.published);
}

TEST_F(EventsTest, MachineIsNeverPublished) {
  Measure(80);
  world_.ChangeMachine(/*recorded=*/true, 0.3);
  Measure(40);
  world_.ChangeMachine(/*recorded=*/false, 0.3);
  Measure(80);
  EXPECT_EQ(Published(), 0);
  const std::vector<Event> events = EventsOf(5);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(CausesText(events[0].causes), "machine");
  EXPECT_THAT(events[0].what, HasSubstr("kernel: 6.1.1, before 6.1.0; "));
  EXPECT_EQ(CausesText(events[1].causes), "machine");
  EXPECT_EQ(events[1].point, 120u);
  EXPECT_THAT(events[1].what, HasSubstr("unchanged programs took +3"));
  EXPECT_EQ(events[1].reason, "the program is the same");
}

TEST_F(EventsTest, RuntimeAndPolicyAreTheMethod) {
  Measure(2);
  world_.ChangeRuntime(0.1);
  Measure(2);
  world_.ChangePolicy(-0.1);
  Measure(2);
  const std::vector<Event> events = EventsOf(0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(CausesText(events[0].causes), "method");
  EXPECT_EQ(CausesText(events[1].causes), "method");
  EXPECT_EQ(Published(), 0);
}

TEST_F(EventsTest, CodeIsPublishedAlsoIfTheMachineChangesThatNight) {
  Measure(2);
  world_.ChangeCode(3, 0.05);
  world_.ChangeMachine(/*recorded=*/true, -0.1);
  Measure(1);
  const Event event = EventsOf(3).at(0);
  EXPECT_EQ(CausesText(event.causes), "code and machine");
  EXPECT_TRUE(event.published);
  EXPECT_EQ(Published(), 1);
}

TEST_F(EventsTest, SlowerLoadingIsPublishedAfterItLasted) {
  Measure(80);
  world_.ChangeLoad(7, 0.2);
  Measure(5);
  EXPECT_EQ(Published(), 0);
  Measure(10);
  const std::vector<Event> events = EventsOf(7, Metric::kLoad);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].published);
  EXPECT_EQ(events[0].point, 80u);
  EXPECT_NEAR(*events[0].change, 0.22, 0.03);
  EXPECT_TRUE(events[0].causes.none());
  EXPECT_EQ(Published(), 1);
}

TEST_F(EventsTest, FasterLoadingIsShownOnly) {
  Measure(80);
  world_.ChangeLoad(7, -0.2);
  Measure(20);
  const std::vector<Event> events = EventsOf(7, Metric::kLoad);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_FALSE(events[0].published);
  EXPECT_EQ(events[0].reason, "faster");
}

TEST_F(EventsTest, AChangeOfTheMachineExplainsAShift) {
  Measure(80);
  world_.ChangeMachine(/*recorded=*/true, 0);
  Measure(2);
  world_.ChangeLoad(7, 0.2);
  Measure(20);
  const std::vector<Event> events = EventsOf(7, Metric::kLoad);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_FALSE(events[1].published);
  EXPECT_THAT(events[1].reason, HasSubstr("explained by: kernel: 6.1.1"));
}

// A benchmark of another program: the only evidence is its time.
TEST_F(EventsTest, ProgramsWithoutADigestArePublishedAfterAShift) {
  Measure(80);
  world_.ChangeCode(3, 0.2);
  Measure(20);
  std::vector<RunResult> history = world_.history();
  for (RunResult& run : history) {
    run.rows[3].build = BuildFacts();
    run.rows[3].comparison.paired.reset();
  }
  std::vector<Event> published;
  for (const Event& event : AnalyzeHistory(history).events) {
    if (event.published) published.push_back(event);
  }
  ASSERT_EQ(published.size(), 1u);
  EXPECT_EQ(published[0].point, 80u);
  EXPECT_TRUE(published[0].shift.has_value());
}

// A comparison with the artifact of last month also contains older changes.
TEST_F(EventsTest, ComparisonsWithOtherNightsAreNotPublished) {
  Measure(2);
  world_.ChangeCode(3, 0.05);
  Measure(1);
  std::vector<RunResult> history = world_.history();
  history[2].rows[3].comparison.paired->artifact_digest = "of last month";
  for (const Event& event : AnalyzeHistory(history).events) {
    EXPECT_FALSE(event.published);
    EXPECT_THAT(event.reason, Not(HasSubstr("side by side: ")));
  }
  history[2].rows[3].comparison.paired.reset();
  history[2].rows[3].verdict = stats::Verdict::kRegressed;  // a baseline's
  for (const Event& event : AnalyzeHistory(history).events) {
    EXPECT_FALSE(event.published);
  }
}

}  // namespace
}  // namespace assay::reports
