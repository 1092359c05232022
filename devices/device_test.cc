#include "devices/device.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::devices {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// Tests run in the root of the workspace's runfiles.
constexpr char kFolder[] = "devices";

constexpr char kBoard[] = R"pb(
  name: "board"
  title: "a board"
  target: "llvm -mtriple=aarch64-linux-gnu"
  emulator { program: "qemu-aarch64" cpu: "cortex-a53" timeout_s: 10 }
  timing { number: 1 repeat: 2 })pb";

TEST(DeviceTest, LoadsAllDevicesOfTheRepository) {
  const absl::StatusOr<std::vector<std::string>> names = ListDevices(kFolder);
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_THAT(*names,
              IsSupersetOf({"host", "neoverse_n1", "pynq", "rpi3b", "rpi4b"}));
  for (const std::string& name : *names) {
    const absl::StatusOr<Device> device = LoadDevice(name, kFolder);
    EXPECT_TRUE(device.ok()) << device.status();
  }
}

TEST(DeviceTest, LoadsHostAndRaspberryPi) {
  const absl::StatusOr<Device> host = LoadDevice("host", kFolder);
  ASSERT_TRUE(host.ok()) << host.status();
  EXPECT_TRUE(host->has_in_process());
  EXPECT_FALSE(IsEmulated(*host));
  EXPECT_EQ(host->default_threads(), 0);

  const absl::StatusOr<Device> rpi3b = LoadDevice("rpi3b", kFolder);
  ASSERT_TRUE(rpi3b.ok()) << rpi3b.status();
  EXPECT_TRUE(IsEmulated(*rpi3b));
  EXPECT_EQ(rpi3b->target(),
            "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53");
  EXPECT_EQ(rpi3b->emulator().cpu(), "cortex-a53");
}

TEST(DeviceTest, LoadsBoardPolicies) {
  const absl::StatusOr<Device> rpi4b = LoadDevice("rpi4b", kFolder);
  ASSERT_TRUE(rpi4b.ok()) << rpi4b.status();
  EXPECT_EQ(rpi4b->tracker_key(), "rpi4b");
  EXPECT_EQ(rpi4b->timing().repeat(), 1);
  EXPECT_GT(rpi4b->board_timing().repeat(), 1);
  EXPECT_GT(rpi4b->board_timing().cooldown_ms(), 0);
  EXPECT_TRUE(rpi4b->thermal().reject_throttled());
}

TEST(DeviceTest, SetsDefaultsOfBoards) {
  const absl::StatusOr<Device> board = ParseDevice(kBoard, "f");
  ASSERT_TRUE(board.ok()) << board.status();
  EXPECT_EQ(board->tracker_key(), "board");
  EXPECT_EQ(board->board_timing().repeat(), 2);
  EXPECT_FALSE(board->has_thermal());

  const absl::StatusOr<Device> other =
      ParseDevice(absl::StrCat(kBoard, "tracker_key: 'Shelf-2.b' ",
                               "board_timing { number: 3 repeat: 4 }",
                               "thermal { max_celsius: 65.5 max_wait_s: 60 }"),
                  "f");
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->tracker_key(), "Shelf-2.b");
  EXPECT_EQ(other->timing().repeat(), 2);
  EXPECT_EQ(other->board_timing().repeat(), 4);
  EXPECT_EQ(other->thermal().max_celsius(), 65.5);
  EXPECT_FALSE(other->thermal().reject_throttled());
}

TEST(DeviceTest, UnknownNameErrorListsKnownDevices) {
  for (const char* name : {"rpi5", "../devices/host", "", "Host"}) {
    const absl::Status status = LoadDevice(name, kFolder).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(status.message(),
                HasSubstr(absl::StrCat("there is no device `", name,
                                       "`; there are: ")));
    EXPECT_THAT(status.message(), HasSubstr("host, "));
  }
}

TEST(DeviceTest, LoadsFileByPathIfNameMatches) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::string good = JoinPath(dir->path(), "board.textproto");
  ASSERT_TRUE(WriteFileAtomic(good, kBoard).ok());
  const absl::StatusOr<Device> device = LoadDevice(good, kFolder);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ(device->title(), "a board");

  const std::string other = JoinPath(dir->path(), "other.textproto");
  ASSERT_TRUE(WriteFileAtomic(other, kBoard).ok());
  EXPECT_EQ(LoadDevice(other, kFolder).status().message(),
            absl::StrCat("`", other,
                         "`: `name` is `board`; it must be the file's name "
                         "without `.textproto`"));
  EXPECT_THAT(LoadDevice(JoinPath(dir->path(), "none.textproto"), kFolder)
                  .status()
                  .message(),
              HasSubstr("none.textproto"));
}

TEST(DeviceTest, SyntaxErrorsNameFileLineAndColumn) {
  EXPECT_EQ(ParseDevice("name: \"x\"\ntitel: \"y\"\n", "x.textproto")
                .status()
                .message(),
            "`x.textproto:2:6`: Message type \"assay.devices.Device\" has no "
            "field named \"titel\".");
  EXPECT_THAT(
      ParseDevice("timing { number: many }", "x.textproto").status().message(),
      HasSubstr("`x.textproto:1:18`: Expected integer, got: many"));
}

TEST(DeviceTest, ErrorsNameTheInvalidField) {
  ASSERT_TRUE(ParseDevice(kBoard, "f").ok());
  // A replacement in a valid file, and the expected error.
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } kCases[] = {
      {"name: \"board\"", "", "`name` is ``"},
      {"\"board\"", "\"Board 3\"", "`name` is `Board 3`"},
      {"\"a board\"", "\"\"", "`title` is missing"},
      {"target: \"llvm -mtriple=aarch64-linux-gnu\"", "",
       "`target` is missing"},
      {"timing { number: 1 repeat: 2 }", "", "`timing` is missing"},
      {"number: 1", "", "`timing.number` is less than 1"},
      {"repeat: 2", "repeat: 0", "`timing.repeat` is less than 1"},
      {"repeat: 2", "repeat: 2 warmup: -1", "`timing.warmup` is negative"},
      {"repeat: 2", "repeat: 2 min_repeat_ms: -1",
       "`timing.min_repeat_ms` is negative"},
      {"repeat: 2", "repeat: 2 cooldown_ms: -1",
       "`timing.cooldown_ms` is negative"},
      {"timing {", "default_threads: -1 timing {",
       "`default_threads` is negative"},
      {"timing {", "tracker_key: 'a/b' timing {", "`tracker_key` is `a/b`"},
      {"timing {", "board_timing { number: 1 } timing {",
       "`board_timing.repeat` is less than 1"},
      {"timing {", "thermal { max_wait_s: 1 } timing {",
       "`thermal.max_celsius` is 0; it must be from 30 to 120"},
      {"timing {", "thermal { max_celsius: nan max_wait_s: 1 } timing {",
       "`thermal.max_celsius` is nan"},
      {"timing {", "thermal { max_celsius: 121 max_wait_s: 1 } timing {",
       "`thermal.max_celsius` is 121"},
      {"timing {", "thermal { max_celsius: 70 } timing {",
       "`thermal.max_wait_s` is 0; it must be from 1 to 3600"},
      {"timing {", "thermal { max_celsius: 70 max_wait_s: 3601 } timing {",
       "`thermal.max_wait_s` is 3601"},
      {"qemu-aarch64", "/bin/sh", "`emulator.program` is `/bin/sh`"},
      {"cpu: \"cortex-a53\"", "", "`emulator.cpu` is missing"},
      {"timeout_s: 10", "", "`emulator.timeout_s` is less than 1"},
  };
  const std::string long_key(61, 'k');
  EXPECT_THAT(
      ParseDevice(absl::StrCat(kBoard, "tracker_key: '", long_key, "'"), "f")
          .status()
          .message(),
      HasSubstr("at most 60 letters"));
  for (const auto& c : kCases) {
    const std::string text = absl::StrReplaceAll(kBoard, {{c.from, c.to}});
    ASSERT_NE(text, kBoard) << c.from;
    const absl::Status status = ParseDevice(text, "f").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(c.message));
    EXPECT_THAT(status.message(), HasSubstr("`f"));
  }
}

TEST(DeviceTest, ADeviceThatCanOnlyBeLeasedHasNoRunner) {
  const auto device = ParseDevice(
      "name: \"x\" title: \"x\" target: \"llvm\" "
      "timing { number: 1 repeat: 1 }",
      "f");
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ(device->runner_case(), Device::RUNNER_NOT_SET);
  EXPECT_FALSE(IsEmulated(*device));
}

}  // namespace
}  // namespace assay::devices
