#include "rpc/proxy/device_table.h"

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ProxyLimits SmallLimits() {
  ProxyLimits limits;
  limits.devices = 2;
  limits.streams_per_device = 3;
  limits.calls = 5;
  limits.calls_per_device = 4;
  limits.calls_per_user = 2;
  limits.wait_nanos = 100;
  return limits;
}

class DeviceTableTest : public ::testing::Test {
 protected:
  int64_t Attach(const std::string& device) {
    const auto attached = table_.Attach(device);
    EXPECT_TRUE(attached.ok()) << attached.status();
    return attached->session;
  }

  DeviceTable table_{SmallLimits()};
};

TEST_F(DeviceTableTest, ACallTakesTheStreamThatWaitsLongest) {
  const int64_t session = Attach("a");
  EXPECT_EQ(table_.SessionOf("a"), session);
  EXPECT_EQ(*table_.OpenStream(session, 1), 0);
  EXPECT_EQ(*table_.OpenStream(session, 2), 0);
  EXPECT_EQ(*table_.StartCall(session, "ann", 11, 0), 1);
  EXPECT_EQ(*table_.StartCall(session, "ann", 12, 0), 2);
  EXPECT_EQ(*table_.StartCall(session, "bob", 13, 0), 0);
  EXPECT_EQ(table_.streams(), 2);
  EXPECT_EQ(table_.calls(), 3);
}

TEST_F(DeviceTableTest, AStreamTakesTheCallThatWaitsLongest) {
  const int64_t session = Attach("a");
  EXPECT_EQ(*table_.StartCall(session, "ann", 11, 0), 0);
  EXPECT_EQ(*table_.StartCall(session, "ann", 12, 0), 0);
  EXPECT_EQ(*table_.OpenStream(session, 1), 11);
  EXPECT_EQ(*table_.OpenStream(session, 2), 12);
  EXPECT_EQ(*table_.OpenStream(session, 3), 0);
}

TEST_F(DeviceTableTest, WhatIsGoneIsNotTaken) {
  const int64_t session = Attach("a");
  EXPECT_EQ(*table_.OpenStream(session, 1), 0);
  table_.CloseStream(1);
  EXPECT_EQ(*table_.StartCall(session, "ann", 11, 0), 0);
  table_.EndCall(11);
  EXPECT_EQ(*table_.OpenStream(session, 2), 0);
  table_.CloseStream(2);
  table_.CloseStream(2);
  table_.EndCall(11);
  EXPECT_EQ(table_.streams(), 0);
  EXPECT_EQ(table_.calls(), 0);
}

TEST_F(DeviceTableTest, DevicesDoNotShareStreams) {
  const int64_t a = Attach("a");
  const int64_t b = Attach("b");
  EXPECT_EQ(*table_.OpenStream(a, 1), 0);
  EXPECT_EQ(*table_.StartCall(b, "ann", 11, 0), 0);
  EXPECT_EQ(*table_.OpenStream(b, 2), 11);
}

TEST_F(DeviceTableTest, ASecondAttachReplacesTheFirst) {
  const int64_t first = Attach("a");
  EXPECT_EQ(*table_.OpenStream(first, 1), 0);
  EXPECT_EQ(*table_.StartCall(first, "ann", 11, 0), 1);
  EXPECT_EQ(*table_.StartCall(first, "ann", 12, 0), 0);
  const auto second = table_.Attach("a");
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->replaced, first);
  EXPECT_THAT(second->remains.streams, ElementsAre(1));
  EXPECT_THAT(second->remains.waiting_calls, ElementsAre(12));
  EXPECT_EQ(table_.devices(), 1);
  EXPECT_TRUE(absl::IsNotFound(table_.OpenStream(first, 2).status()));
  EXPECT_TRUE(
      absl::IsUnavailable(table_.StartCall(first, "bob", 13, 0).status()));
  // What the first session had still counts until it is gone.
  EXPECT_EQ(table_.streams(), 1);
  EXPECT_EQ(table_.calls(), 2);
  EXPECT_THAT(table_.TakeOverdue(1000), IsEmpty());
  table_.CloseStream(1);
  table_.EndCall(11);
  table_.EndCall(12);
  EXPECT_EQ(table_.streams(), 0);
  EXPECT_EQ(table_.calls(), 0);
}

TEST_F(DeviceTableTest, DetachForgetsTheDevice) {
  const int64_t session = Attach("a");
  EXPECT_EQ(*table_.OpenStream(session, 1), 0);
  EXPECT_THAT(table_.Detach(session).streams, ElementsAre(1));
  EXPECT_THAT(table_.Detach(session).streams, IsEmpty());
  EXPECT_EQ(table_.SessionOf("a"), 0);
  EXPECT_EQ(table_.devices(), 0);
}

TEST_F(DeviceTableTest, NumbersAreLimited) {
  const int64_t a = Attach("a");
  const int64_t b = Attach("b");
  const auto third = table_.Attach("c");
  EXPECT_TRUE(absl::IsResourceExhausted(third.status()));
  EXPECT_TRUE(table_.Attach("b").ok());  // replaces one

  for (const int64_t stream : {1, 2, 3}) {
    EXPECT_TRUE(table_.OpenStream(a, stream).ok());
  }
  EXPECT_TRUE(absl::IsResourceExhausted(table_.OpenStream(a, 4).status()));
  // The streams of an earlier session count, too.
  const int64_t again = Attach("a");
  const auto stream = table_.OpenStream(again, 4).status();
  EXPECT_TRUE(absl::IsResourceExhausted(stream));
  EXPECT_THAT(stream.message(), HasSubstr("`a` has 3 streams"));
  table_.CloseStream(1);
  EXPECT_TRUE(table_.OpenStream(again, 4).ok());
  EXPECT_FALSE(table_.OpenStream(b, 5).ok());  // was replaced
}

TEST_F(DeviceTableTest, CallsAreLimited) {
  const int64_t a = Attach("a");
  const int64_t b = Attach("b");
  EXPECT_TRUE(table_.StartCall(a, "ann", 1, 0).ok());
  EXPECT_TRUE(table_.StartCall(a, "ann", 2, 0).ok());
  const auto user = table_.StartCall(b, "ann", 3, 0).status();
  EXPECT_TRUE(absl::IsResourceExhausted(user));
  EXPECT_THAT(user.message(), HasSubstr("the user `ann` has 2 calls"));
  EXPECT_TRUE(table_.StartCall(a, "bob", 3, 0).ok());
  EXPECT_TRUE(table_.StartCall(a, "bob", 4, 0).ok());
  const auto device = table_.StartCall(a, "eve", 5, 0).status();
  EXPECT_TRUE(absl::IsResourceExhausted(device));
  EXPECT_THAT(device.message(), HasSubstr("the device `a` has 4 calls"));
  EXPECT_TRUE(table_.StartCall(b, "eve", 5, 0).ok());
  const auto all = table_.StartCall(b, "eve", 6, 0).status();
  EXPECT_TRUE(absl::IsResourceExhausted(all));
  EXPECT_THAT(all.message(), HasSubstr("the proxy has 5 calls"));
  table_.EndCall(1);
  EXPECT_TRUE(table_.StartCall(b, "ann", 6, 0).ok());
}

TEST_F(DeviceTableTest, CallsDoNotWaitForEver) {
  const int64_t session = Attach("a");
  EXPECT_EQ(*table_.StartCall(session, "ann", 11, 0), 0);
  EXPECT_EQ(*table_.StartCall(session, "ann", 12, 50), 0);
  EXPECT_THAT(table_.TakeOverdue(99), IsEmpty());
  EXPECT_THAT(table_.TakeOverdue(100), ElementsAre(11));
  EXPECT_THAT(table_.TakeOverdue(149), IsEmpty());
  // The call that waits no more is not given to a stream.
  EXPECT_EQ(*table_.OpenStream(session, 1), 12);
  EXPECT_THAT(table_.TakeOverdue(1000), IsEmpty());
  EXPECT_EQ(table_.calls(), 2);
}

TEST_F(DeviceTableTest, NothingIsLeftAfterRandomOperations) {
  Rng rng(1);
  std::map<int64_t, bool> streams;
  std::map<int64_t, bool> calls;
  int64_t number = 0;
  for (int64_t step = 0; step < 20000; ++step) {
    const std::string device = absl::StrCat("d", rng.UniformInt(0, 2));
    const int64_t session = rng.UniformInt(0, 9) == 0
                                ? rng.UniformInt(0, 50)
                                : table_.SessionOf(device);
    switch (rng.UniformInt(0, 7)) {
      case 0:
        if (rng.UniformInt(0, 9) == 0) (void)table_.Attach(device);
        break;
      case 1:
        if (rng.UniformInt(0, 9) == 0) table_.Detach(session);
        break;
      case 2:
      case 3:
        if (table_.OpenStream(session, ++number).ok()) streams[number] = true;
        break;
      case 4:
      case 5:
        if (table_.StartCall(session, device, ++number, step).ok()) {
          calls[number] = true;
        }
        break;
      case 6:
        if (!streams.empty()) {
          table_.CloseStream(streams.begin()->first);
          streams.erase(streams.begin());
        }
        break;
      default:
        if (!calls.empty()) {
          table_.EndCall(calls.begin()->first);
          calls.erase(calls.begin());
        }
        table_.TakeOverdue(step);
    }
    ASSERT_EQ(table_.streams(), streams.size());
    ASSERT_EQ(table_.calls(), calls.size());
    ASSERT_LE(table_.devices(), SmallLimits().devices);
    ASSERT_LE(table_.calls(), SmallLimits().calls);
  }
  EXPECT_GT(number, 1000);
  for (const auto& [stream, open] : streams) table_.CloseStream(stream);
  for (const auto& [call, running] : calls) table_.EndCall(call);
  EXPECT_EQ(table_.streams(), 0);
  EXPECT_EQ(table_.calls(), 0);
}

}  // namespace
}  // namespace assay::rpc
