#include "rpc/query/render_list.h"

#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "rpc/proto/facts.pb.h"
#include "rpc/proto/tracker.pb.h"

namespace assay::rpc {
namespace {

ListAnswer SomeList() {
  ListAnswer list;
  ListedDevice* busy = list.add_devices();
  busy->set_device("rack1-1");
  busy->set_key("rpi3b");
  busy->set_state(ListedDevice::LEASED);
  busy->set_seconds_in_state(12);
  busy->set_holder("anna");
  busy->mutable_health()->set_canary_nanos(1'010'000);
  busy->mutable_health()->set_usual_canary_nanos(1'000'000);
  busy->mutable_device_state()->set_load(0.94);
  busy->mutable_device_state()->set_temperature_celsius(48.13);
  DeviceFacts& facts = *busy->mutable_facts();
  facts.set_board("serial 17");
  (*facts.mutable_identity())["cpu"] = "cortex-a53";
  (*facts.mutable_state())["governor"] = "performance";
  ListedDevice* broken = list.add_devices();
  broken->set_device("rack1-2");
  broken->set_key("rpi3b");
  broken->set_state(ListedDevice::QUARANTINED);
  broken->set_seconds_in_state(7200);
  broken->set_reason("the canary is 2.1 times as slow as usual");
  ListedDevice* free = list.add_devices();
  free->set_device("pynq");
  free->set_key("pynq");
  ListedRequest* request = list.add_queue();
  request->set_key("rpi3b");
  request->set_user("ben");
  request->set_waited_seconds(3);
  request->set_wait_seconds(-1);
  return list;
}

TEST(RenderListTest, TextHasATableOfKeysDevicesAndQueue) {
  EXPECT_EQ(ListText(SomeList()),
            R"(key    free  pending  total
pynq      1        0      1
rpi3b     0        1      2

device   key    state        for    holder  canary  load    °C  note
rack1-1  rpi3b  leased       12 s   anna      101%   0.9  48.1
rack1-2  rpi3b  quarantined  2.0 h                              the canary is 2.1 times as slow as usual
pynq     pynq   free         0 s

place  key    user  priority  waited  about
    1  rpi3b  ben          0     3 s
)");
}

TEST(RenderListTest, JsonHasTheSame) {
  const auto json = nlohmann::json::parse(ListJson(SomeList()));
  EXPECT_EQ(json["keys"][1]["pending"], 1);
  EXPECT_EQ(json["devices"][0]["state"], "leased");
  EXPECT_EQ(json["devices"][0]["holder"], "anna");
  EXPECT_EQ(json["devices"][0]["health"]["canary_nanos"], 1'010'000);
  EXPECT_EQ(json["devices"][0]["device_state"],
            nlohmann::json({{"load", 0.94}, {"temperature_celsius", 48.13}}));
  EXPECT_EQ(json["devices"][0]["facts"]["board"], "serial 17");
  EXPECT_EQ(json["devices"][0]["facts"]["identity"]["cpu"], "cortex-a53");
  EXPECT_EQ(json["devices"][0]["facts"]["state"]["governor"], "performance");
  EXPECT_FALSE(json["devices"][1].contains("holder"));
  EXPECT_EQ(json["devices"][1]["reason"],
            "the canary is 2.1 times as slow as usual");
  EXPECT_EQ(json["queue"][0]["user"], "ben");
  EXPECT_FALSE(json["queue"][0].contains("wait_seconds"));
}

TEST(RenderListTest, JsonOfBytesThatAreNoTextIsValid) {
  ListAnswer list;
  list.add_devices()->mutable_facts()->set_board("\xff\xfe");
  EXPECT_TRUE(nlohmann::json::accept(ListJson(list)));
}

TEST(RenderListTest, DurationsHaveOneUnit) {
  EXPECT_EQ(Duration(0.4), "0 s");
  EXPECT_EQ(Duration(119), "119 s");
  EXPECT_EQ(Duration(180), "3 min");
  EXPECT_EQ(Duration(7200), "2.0 h");
  EXPECT_EQ(Duration(200'000), "2.3 d");
}

TEST(RenderListTest, NamesCannotForgeRowsOrChangeTheTerminal) {
  ListAnswer list;
  ListedDevice* device = list.add_devices();
  device->set_device("a\nb");
  device->set_key("\x1b[31mkey");
  device->set_holder(
      "\x9b"
      "1m\r");
  device->set_reason("\x1b]0;title\x07");
  ListedRequest* request = list.add_queue();
  request->set_key("k\n");
  request->set_user("\x7f");
  const std::string text = ListText(list);
  EXPECT_NE(text.find("a b"), std::string::npos) << text;
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || (c >= 0x20 && c != 0x7f) || (c & 0x80) != 0);
  }
  EXPECT_EQ(text.find('\x9b'), std::string::npos);
}

}  // namespace
}  // namespace assay::rpc
