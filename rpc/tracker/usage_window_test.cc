#include "rpc/tracker/usage_window.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {

// Google Test finds operators by the namespace of their operands.
static bool operator==(const UsageRecord& a, const UsageRecord& b) {
  return a.user == b.user && a.minute == b.minute && a.nanos == b.nanos;
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;

TEST(UsageWindowTest, UnknownUserHasNoUse) {
  UsageWindow usage;
  EXPECT_EQ(usage.Nanos("ann", 0), 0);
  EXPECT_THAT(usage.Records(0), IsEmpty());
}

TEST(UsageWindowTest, IncludesDevicesThatAreStillHeld) {
  UsageWindow usage;
  usage.Begin("ann", 10 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 10 * kSecond), 0);
  EXPECT_EQ(usage.Nanos("ann", 25 * kSecond), 15 * kSecond);
  usage.End("ann", 30 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 50 * kSecond), 20 * kSecond);
}

TEST(UsageWindowTest, CountsEachDeviceAndEachUser) {
  UsageWindow usage;
  usage.Begin("ann", 0);
  usage.Begin("ann", 10 * kSecond);
  usage.Begin("bob", 10 * kSecond);
  usage.End("ann", 30 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 40 * kSecond), (10 + 20 + 20 + 10) * kSecond);
  EXPECT_EQ(usage.Nanos("bob", 40 * kSecond), 30 * kSecond);
}

TEST(UsageWindowTest, ForgetsMinutesThatLeaveTheWindow) {
  UsageWindow usage;
  usage.Begin("ann", 30 * kSecond);
  usage.End("ann", 3 * kMinute);  // 30 s, 60 s and 60 s
  EXPECT_EQ(usage.Nanos("ann", 59 * kMinute), 150 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 60 * kMinute - 1), 150 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 60 * kMinute), 120 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 62 * kMinute - 1), 60 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 62 * kMinute), 0);
}

TEST(UsageWindowTest, OneDeviceIsHeldForAtMostAnHour) {
  UsageWindow usage;
  usage.Begin("ann", 0);
  EXPECT_EQ(usage.Nanos("ann", 60 * kMinute - 1), 60 * kMinute - 1);
  EXPECT_EQ(usage.Nanos("ann", 60 * kMinute), 59 * kMinute);
  // Nothing was counted for 1000 minutes.
  EXPECT_EQ(usage.Nanos("ann", 1060 * kMinute + 5), 59 * kMinute + 5);
  usage.End("ann", 1060 * kMinute + 5);
  EXPECT_EQ(usage.Nanos("ann", 5000 * kMinute), 0);
}

TEST(UsageWindowTest, EarlierTimeCountsAsTheLatest) {
  UsageWindow usage;
  usage.Begin("ann", 10 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 20 * kSecond), 10 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 15 * kSecond), 10 * kSecond);
}

TEST(UsageWindowTest, TakesChangedMinutesOfMarkedUsers) {
  UsageWindow usage;
  usage.Begin("ann", 50 * kSecond);
  usage.Begin("bob", 50 * kSecond);
  EXPECT_THAT(usage.TakeChanges(50 * kSecond), IsEmpty());
  usage.End("ann", 70 * kSecond);
  EXPECT_THAT(usage.TakeChanges(70 * kSecond),
              ElementsAre(UsageRecord{"ann", 0, 10 * kSecond},
                          UsageRecord{"ann", 1, 10 * kSecond}));
  EXPECT_THAT(usage.TakeChanges(71 * kSecond), IsEmpty());
  usage.Mark("bob");
  EXPECT_THAT(usage.TakeChanges(130 * kSecond),
              ElementsAre(UsageRecord{"bob", 0, 10 * kSecond},
                          UsageRecord{"bob", 1, 60 * kSecond},
                          UsageRecord{"bob", 2, 10 * kSecond}));
  usage.End("bob", 140 * kSecond);
  EXPECT_THAT(usage.TakeChanges(140 * kSecond),
              ElementsAre(UsageRecord{"bob", 2, 20 * kSecond}));
  // A minute that has not changed is not returned again.
  usage.Begin("ann", 300 * kSecond);
  EXPECT_THAT(usage.TakeChanges(300 * kSecond), IsEmpty());
}

TEST(UsageWindowTest, ChangesAddUpToTheTimeOfAllDevices) {
  UsageWindow usage;
  std::map<std::pair<std::string, int64_t>, int64_t> stored;
  for (int64_t i = 0; i < 300; ++i) {
    usage.Begin("ann", i * 100 * kSecond);
    usage.End("ann", (i * 100 + 70) * kSecond);
    for (const UsageRecord& record :
         usage.TakeChanges((i * 100 + 80) * kSecond)) {
      stored[{record.user, record.minute}] = record.nanos;
    }
  }
  int64_t sum = 0;
  for (const auto& [place, nanos] : stored) sum += nanos;
  EXPECT_EQ(sum, 300 * 70 * kSecond);
}

TEST(UsageWindowTest, RestartContinuesInTheLastMinute) {
  UsageWindow before;
  before.Begin("ann", 0);
  before.End("ann", kMinute + 20 * kSecond);
  before.Begin("bob", 61 * kMinute);
  before.End("bob", 61 * kMinute + 30 * kSecond);
  // The minutes 0 and 1 are no longer in the window.
  EXPECT_THAT(before.Records(61 * kMinute + 40 * kSecond),
              ElementsAre(UsageRecord{"bob", 61, 30 * kSecond}));

  // The clock starts anew.
  UsageWindow after;
  after.Restore({{"ann", 1, 20 * kSecond},
                 {"ann", 2, 5 * kSecond},
                 {"bob", 61, 30 * kSecond}},
                7 * kSecond);
  EXPECT_EQ(after.Nanos("ann", 7 * kSecond), 5 * kSecond);
  EXPECT_EQ(after.Nanos("bob", 7 * kSecond), 30 * kSecond);
  // Minute 62 starts 60 seconds after the restart.
  EXPECT_EQ(after.Nanos("ann", 67 * kSecond - 1), 5 * kSecond);
  EXPECT_EQ(after.Nanos("ann", 67 * kSecond), 0);
  after.Begin("bob", 17 * kSecond);
  after.End("bob", 27 * kSecond);
  EXPECT_THAT(after.TakeChanges(27 * kSecond),
              ElementsAre(UsageRecord{"bob", 61, 40 * kSecond}));
}

TEST(UsageWindowTest, RestoresBeforeTheTimeOfTheMinutes) {
  // The clock of the earlier process had a smaller value.
  UsageWindow usage;
  usage.Restore({{"ann", 3, 9 * kSecond}}, 1'000'000 * kMinute);
  EXPECT_EQ(usage.Nanos("ann", 1'000'000 * kMinute), 9 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 1'000'059 * kMinute), 9 * kSecond);
  EXPECT_EQ(usage.Nanos("ann", 1'000'060 * kMinute), 0);
}

TEST(UsageWindowTest, ForgetsUsersWithoutUse) {
  UsageWindow usage;
  for (int i = 0; i < 100; ++i) {
    const std::string user = "user" + std::to_string(i);
    usage.Begin(user, 0);
    usage.End(user, kSecond);
  }
  EXPECT_EQ(usage.Records(0).size(), 100u);
  EXPECT_EQ(usage.TakeChanges(kSecond).size(), 100u);
  EXPECT_EQ(usage.users(), 100);
  EXPECT_THAT(usage.TakeChanges(90 * kMinute), IsEmpty());
  EXPECT_EQ(usage.users(), 0);
  EXPECT_EQ(usage.Nanos("user7", 90 * kMinute), 0);
}

}  // namespace
}  // namespace assay::rpc::tracker
