#include "rpc/tracker/book_snapshot.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/lease_options.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// One device is leased, one is in quarantine, and one is free. Three requests
// wait, one of which is detached.
BookSnapshot SnapshotOfAFarm() {
  LeaseOptions options;
  options.lease_nanos = 10 * kSecond;
  options.detached_nanos = 30 * kSecond;
  LeaseBook book(options);
  book.ConfirmTokens(10);
  EXPECT_TRUE(book.AddDevice("a", "rpi3b", 0).ok());
  EXPECT_TRUE(book.AddDevice("b", "rpi3b", 0).ok());
  EXPECT_TRUE(book.AddDevice("c", "pynq", 0).ok());
  const auto ask = [&book](const std::string& ticket, const std::string& user,
                           int64_t priority) {
    const Request request = {ticket, user, "rpi3b", priority, 0};
    EXPECT_TRUE(book.Enqueue(request, 1000 * kSecond, kSecond).ok()) << ticket;
  };
  ask("t1", "ann", 0);
  book.Advance(kSecond);
  EXPECT_TRUE(book.Heartbeat("a", "canary 1.02", 2 * kSecond).ok());
  EXPECT_TRUE(book.SetQuarantine("b", "slow", 2 * kSecond).ok());
  ask("t2", "bob", 0);
  ask("t3", "eve", 0);
  ask("t4", "joe", 1);
  book.Detach("t2", 2 * kSecond);
  book.Advance(2 * kSecond);
  return book.Snapshot(2 * kSecond);
}

TEST(BookSnapshotTest, CountsDevicesAndRequestsOfKeys) {
  const BookSnapshot snapshot = SnapshotOfAFarm();
  ASSERT_EQ(snapshot.keys.size(), 2u);
  EXPECT_EQ(snapshot.keys[0].key, "pynq");
  EXPECT_EQ(snapshot.keys[0].free, 1);
  EXPECT_EQ(snapshot.keys[0].leased, 0);
  EXPECT_EQ(snapshot.keys[0].pending, 0);
  EXPECT_EQ(snapshot.keys[0].total, 1);
  EXPECT_EQ(snapshot.keys[1].key, "rpi3b");
  EXPECT_EQ(snapshot.keys[1].free, 0);
  EXPECT_EQ(snapshot.keys[1].leased, 1);
  EXPECT_EQ(snapshot.keys[1].pending, 3);
  EXPECT_EQ(snapshot.keys[1].total, 2);
}

TEST(BookSnapshotTest, ShowsDevices) {
  const BookSnapshot snapshot = SnapshotOfAFarm();
  ASSERT_EQ(snapshot.devices.size(), 3u);
  EXPECT_EQ(snapshot.devices[0].device, "a");
  EXPECT_EQ(snapshot.devices[0].key, "rpi3b");
  EXPECT_EQ(snapshot.devices[0].state, DeviceState::kLeased);
  EXPECT_EQ(snapshot.devices[0].since_nanos, kSecond);
  EXPECT_EQ(snapshot.devices[0].health, "canary 1.02");
  ASSERT_TRUE(snapshot.devices[0].lease.has_value());
  EXPECT_EQ(snapshot.devices[0].lease->user, "ann");
  EXPECT_EQ(snapshot.devices[1].device, "b");
  EXPECT_EQ(snapshot.devices[1].state, DeviceState::kQuarantined);
  EXPECT_EQ(snapshot.devices[1].since_nanos, 2 * kSecond);
  EXPECT_EQ(snapshot.devices[1].quarantine, "slow");
  EXPECT_FALSE(snapshot.devices[1].lease.has_value());
  EXPECT_EQ(snapshot.devices[2].device, "c");
  EXPECT_EQ(snapshot.devices[2].state, DeviceState::kFree);
  EXPECT_EQ(snapshot.devices[2].since_nanos, 0);
}

TEST(BookSnapshotTest, ShowsTheQueueInOrder) {
  const BookSnapshot snapshot = SnapshotOfAFarm();
  ASSERT_EQ(snapshot.queue.size(), 3u);
  EXPECT_EQ(snapshot.queue[0].request.ticket, "t4");
  EXPECT_EQ(snapshot.queue[0].place, 1);
  EXPECT_EQ(snapshot.queue[0].expected_wait_nanos, 10 * kSecond);
  EXPECT_EQ(snapshot.queue[0].deadline_nanos, 1000 * kSecond);
  EXPECT_EQ(snapshot.queue[1].request.ticket, "t3");
  EXPECT_EQ(snapshot.queue[1].place, 2);
  EXPECT_EQ(snapshot.queue[1].expected_wait_nanos, 20 * kSecond);
  EXPECT_EQ(snapshot.queue[2].request.ticket, "t2");
  EXPECT_EQ(snapshot.queue[2].place, 0);
  EXPECT_EQ(snapshot.queue[2].expected_wait_nanos, -1);
  EXPECT_EQ(snapshot.queue[2].deadline_nanos, 32 * kSecond);
}

}  // namespace
}  // namespace assay::rpc::tracker
