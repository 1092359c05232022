#include "rpc/farm/device_counts.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

std::string Parsed(const std::string& text) {
  const auto counts = ParseDeviceCounts(text);
  if (!counts.ok()) return std::string(counts.status().message());
  std::string result;
  for (const DeviceCount& device : *counts) {
    absl::StrAppend(&result, device.count, " ", device.key, ";");
  }
  return result;
}

TEST(DeviceCountsTest, Parses) {
  EXPECT_EQ(Parsed("host"), "1 host;");
  EXPECT_EQ(Parsed("host,rpi3b:2"), "1 host;2 rpi3b;");
  EXPECT_EQ(Parsed("a:32,b:32"), "32 a;32 b;");
}

TEST(DeviceCountsTest, RejectsOtherTexts) {
  for (const char* text :
       {"", "host,", "host:0", "host:-1", "host:x", "host:1:2", "a/b", "../x",
        "..", "host:65", "host: 1"}) {
    EXPECT_NE(Parsed(text).find("` is not `KEY`"), std::string::npos) << text;
  }
  // The names of devices are longer than those of keys.
  EXPECT_EQ(Parsed(std::string(61, 'x')), "1 " + std::string(61, 'x') + ";");
  EXPECT_NE(Parsed(std::string(62, 'x')).find("is not `KEY`"),
            std::string::npos);
  EXPECT_EQ(Parsed("host,host:2"), "`host` occurs twice");
  EXPECT_EQ(Parsed("a:64,b"),
            "a farm on one machine has at most 64 devices, not 65");
}

}  // namespace
}  // namespace assay::rpc
