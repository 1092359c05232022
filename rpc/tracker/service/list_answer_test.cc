#include "rpc/tracker/service/list_answer.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/tracker/records.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// A farm with devices that have facts of a kilobyte.
class ListAnswerTest : public ::testing::Test {
 protected:
  ListAnswerTest() {
    facts_.set_board(std::string(1000, 'x'));
    heartbeat_.mutable_health()->set_problem("hot");
    details_.heartbeat = [this](const std::string&) { return &heartbeat_; };
    details_.facts = [this](const std::string&) { return &facts_; };
    details_.asked_nanos = [](const std::string&) { return kSecond; };
  }

  void Add(int devices, int requests) {
    for (int i = 0; i < devices; ++i) {
      snapshot_.devices.push_back({absl::StrCat("device-", i), "rpi3b",
                                   tracker::DeviceState::kFree, 2 * kSecond});
    }
    for (int i = 0; i < requests; ++i) {
      tracker::BookSnapshot::Waiting waiting;
      waiting.request.user = absl::StrCat("user-", i);
      waiting.place = i + 1;
      snapshot_.queue.push_back(waiting);
    }
  }

  ListAnswer Make(size_t max_bytes) {
    const ListAnswer answer =
        MakeListAnswer(snapshot_, details_, 5 * kSecond, max_bytes);
    EXPECT_LE(answer.ByteSizeLong(), max_bytes);
    return answer;
  }

  DeviceFacts facts_;
  Heartbeat heartbeat_;
  ListDetails details_;
  tracker::BookSnapshot snapshot_;
};

TEST_F(ListAnswerTest, ShowsStates) {
  Add(1, 1);
  tracker::BookSnapshot::Device& device = snapshot_.devices[0];
  device.state = tracker::DeviceState::kLeased;
  device.lease.emplace().user = "ann";
  const ListAnswer answer = Make(kMaxListBytes);
  EXPECT_EQ(answer.devices(0).device(), "device-0");
  EXPECT_EQ(answer.devices(0).state(), ListedDevice::LEASED);
  EXPECT_EQ(answer.devices(0).holder(), "ann");
  EXPECT_EQ(answer.devices(0).seconds_in_state(), 3);
  EXPECT_EQ(answer.devices(0).health().problem(), "hot");
  EXPECT_FALSE(answer.devices(0).has_device_state());
  EXPECT_EQ(answer.devices(0).facts().board(), facts_.board());
  EXPECT_EQ(answer.queue(0).user(), "user-0");
  EXPECT_EQ(answer.queue(0).waited_seconds(), 4);
  EXPECT_EQ(answer.omitted(), 0);
}

TEST_F(ListAnswerTest, FactsAreLeftOutFirst) {
  Add(100, 10);
  const ListAnswer answer = Make(50'000);
  EXPECT_EQ(answer.devices_size(), 100);
  EXPECT_EQ(answer.queue_size(), 10);
  EXPECT_EQ(answer.omitted(), 0);
  EXPECT_TRUE(answer.devices(0).has_facts());
  EXPECT_FALSE(answer.devices(99).has_facts());
}

TEST_F(ListAnswerTest, CountsWhatDoesNotFit) {
  Add(100, 10);
  const ListAnswer answer = Make(1000);
  EXPECT_GT(answer.devices_size(), 5);
  EXPECT_GT(answer.omitted(), 0);
  EXPECT_EQ(answer.devices_size() + answer.queue_size() + answer.omitted(),
            110);
}

}  // namespace
}  // namespace assay::rpc
