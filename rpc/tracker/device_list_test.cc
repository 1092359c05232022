#include "rpc/tracker/device_list.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Adds a device that is free since `now`.
Device& AddFree(DeviceList& list, const std::string& id, const std::string& key,
                int64_t now) {
  Device& device = list.Add(id, key, 0);
  device.lost = false;
  EXPECT_TRUE(UpdateState(device, now));
  return device;
}

TEST(DeviceListTest, NewDeviceIsLost) {
  DeviceList list;
  const Device& device = list.Add("board", "rpi3b", 17);
  EXPECT_EQ(device.state, DeviceState::kLost);
  EXPECT_EQ(device.since_nanos, 17);
  EXPECT_EQ(list.Find("board"), &device);
  EXPECT_EQ(list.Find("other"), nullptr);
  EXPECT_EQ(list.size(), 1);
  EXPECT_EQ(list.LongestFree("rpi3b"), nullptr);
  EXPECT_EQ(list.Usable("rpi3b"), 0);
}

TEST(DeviceListTest, LostHidesQuarantineAndQuarantineHidesLease) {
  DeviceList list;
  Device& device = AddFree(list, "board", "rpi3b", 1);
  EXPECT_EQ(StateName(device.state), "free");
  device.lease = Lease();
  EXPECT_TRUE(UpdateState(device, 2));
  EXPECT_EQ(StateName(device.state), "leased");
  EXPECT_EQ(list.Usable("rpi3b"), 1);
  EXPECT_EQ(list.LongestFree("rpi3b"), nullptr);
  device.quarantine = "slow";
  EXPECT_TRUE(UpdateState(device, 3));
  EXPECT_EQ(StateName(device.state), "quarantined");
  EXPECT_EQ(list.Usable("rpi3b"), 0);
  device.lost = true;
  EXPECT_TRUE(UpdateState(device, 4));
  EXPECT_EQ(StateName(device.state), "lost");
}

TEST(DeviceListTest, StateHasItsTime) {
  DeviceList list;
  Device& device = AddFree(list, "board", "rpi3b", 5);
  EXPECT_FALSE(UpdateState(device, 6));
  EXPECT_EQ(device.since_nanos, 5);
  device.lost = true;
  EXPECT_TRUE(UpdateState(device, 7));
  EXPECT_EQ(device.since_nanos, 7);
}

TEST(DeviceListTest, ReturnsTheDeviceThatWasFreeForLongest) {
  DeviceList list;
  AddFree(list, "a", "rpi3b", 30);
  Device& d = AddFree(list, "d", "rpi3b", 20);
  Device& c = AddFree(list, "c", "rpi3b", 20);
  AddFree(list, "b", "pynq", 10);
  EXPECT_EQ(list.LongestFree("rpi3b"), &c);
  c.lease = Lease();
  UpdateState(c, 40);
  EXPECT_EQ(list.LongestFree("rpi3b"), &d);
  EXPECT_EQ(list.LongestFree("rpi4b"), nullptr);
  EXPECT_EQ(list.Usable("rpi3b"), 3);
  EXPECT_EQ(list.Usable("rpi4b"), 0);
}

TEST(DeviceListTest, OldKeyStaysKnown) {
  DeviceList list;
  EXPECT_THAT(list.Keys(), IsEmpty());
  Device& device = AddFree(list, "board", "rpi3b", 1);
  list.ChangeKey(device, "pynq");
  EXPECT_EQ(device.key, "pynq");
  EXPECT_THAT(list.Keys(), ElementsAre("pynq", "rpi3b"));
  EXPECT_TRUE(list.KnowsKey("rpi3b"));
  EXPECT_FALSE(list.KnowsKey("rpi4b"));
  EXPECT_EQ(list.LongestFree("rpi3b"), nullptr);
  EXPECT_EQ(list.LongestFree("pynq"), &device);
}

TEST(DeviceListTest, RemovesDevices) {
  DeviceList list;
  AddFree(list, "board", "rpi3b", 1);
  Device& other = AddFree(list, "other", "rpi3b", 2);
  list.Remove(*list.Find("board"));
  EXPECT_EQ(list.Find("board"), nullptr);
  EXPECT_EQ(list.size(), 1);
  EXPECT_EQ(list.LongestFree("rpi3b"), &other);
  list.Remove(other);
  EXPECT_EQ(list.Usable("rpi3b"), 0);
  EXPECT_TRUE(list.KnowsKey("rpi3b"));
}

}  // namespace
}  // namespace assay::rpc::tracker
