#include "suites/devices/device_slot.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "devices/device.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/measure/session.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LeasedRunner : public runtime::Runner {
 public:
  explicit LeasedRunner(runtime::DeviceFacts facts)
      : facts_(std::move(facts)) {}
  runtime::DeviceFacts facts() const override { return facts_; }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const>,
      const runtime::LoadOptions&) override {
    return absl::UnimplementedError("");
  }

 private:
  const runtime::DeviceFacts facts_;
};

runtime::DeviceFacts Facts(const std::string& board, const std::string& key,
                           const std::string& value) {
  runtime::DeviceFacts facts;
  facts.fingerprint = "a53";
  facts.state[key] = value;
  facts.board = board;
  return facts;
}

class LeasedDevices : public DeviceSource {
 public:
  explicit LeasedDevices(runtime::DeviceFacts facts)
      : facts_(std::move(facts)) {}
  absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& /*device*/, BlockLog* /*blocks*/) override {
    return std::make_unique<LeasedRunner>(facts_);
  }

 private:
  const runtime::DeviceFacts facts_;
};

class DeviceSlotTest : public ::testing::Test {
 protected:
  // Returns the slot of a device whose file has this target and number of
  // threads, and an emulator. A board with `facts_` is leased.
  DeviceSlot SlotOf(const std::string& target, int threads) {
    absl::StatusOr<DeviceSlot> slot = TrySlotOf(target, threads);
    EXPECT_TRUE(slot.ok()) << slot.status();
    return std::move(*slot);
  }
  absl::StatusOr<DeviceSlot> TrySlotOf(const std::string& target, int threads) {
    const TempDir devices = TempDir::Create().value();
    const std::string file =
        "name: 'board' title: 'board' target: '" + target +
        "' emulator { program: 'qemu-arm' cpu: 'max' timeout_s: 5 }"
        " default_threads: " +
        std::to_string(threads) +
        " timing { number: 1 repeat: 1 } board_timing { number: 1 repeat: 7 }";
    EXPECT_TRUE(
        WriteFileAtomic(JoinPath(devices.path(), "board.textproto"), file)
            .ok());
    LeasedDevices source(facts_);
    return OpenSlot("board", threads_, {devices.path(), source});
  }

  runtime::DeviceFacts facts_ = Facts("rack-1", "usable_processors", "6");
  std::vector<int> threads_;
};

TEST_F(DeviceSlotTest, RefusesThreadsThatTheDeviceCannotRun) {
  threads_ = {24};
  EXPECT_TRUE(TrySlotOf("llvm", 0).ok());
  threads_ = {1, 25};
  EXPECT_EQ(TrySlotOf("llvm", 0).status(),
            absl::InvalidArgumentError(
                "--threads=25: programs may use 6 processors of `board`, on "
                "which at most 24 threads can be measured"));
}

TEST_F(DeviceSlotTest, IsAsTheLeaseSays) {
  const DeviceSlot leased = SlotOf("llvm", 0);
  EXPECT_TRUE(leased.device.has_in_process());
  EXPECT_EQ(leased.device.timing().repeat(), 7);
  facts_.emulated = true;
  const DeviceSlot emulated = SlotOf("llvm", 0);
  EXPECT_TRUE(emulated.device.has_emulator());
  EXPECT_EQ(emulated.device.timing().repeat(), 1);
}

TEST_F(DeviceSlotTest, CompilesForTheProcessorsOfTheLeasedDevice) {
  const DeviceSlot all = SlotOf("llvm", 0);
  EXPECT_THAT(all.threads, ElementsAre(0));
  EXPECT_EQ(all.device.target(), "llvm -num-cores=6");
  EXPECT_EQ(SlotOf("llvm -num-cores=3", 0).device.target(),
            "llvm -num-cores=3");
  EXPECT_EQ(SlotOf("llvm", 4).device.target(), "llvm");
  threads_ = {1, 2};
  EXPECT_EQ(SlotOf("llvm", 0).device.target(), "llvm");
  threads_ = {};
  facts_.state["usable_processors"] = "many";
  EXPECT_EQ(SlotOf("llvm", 0).device.target(), "llvm");
}

TEST(WhyNotTogetherTest, MachinesOfOneKindInTheSameState) {
  runtime::DeviceFacts first = Facts("rack-1", "kernel", "6.1");
  runtime::DeviceFacts other = first;
  other.board = "rack-2";
  EXPECT_EQ(WhyNotTogether(first, other), "");
  other.state["kernel"] = "6.6";
  EXPECT_THAT(WhyNotTogether(first, other), HasSubstr("kernel"));
  first.emulated = true;
  EXPECT_EQ(WhyNotTogether(first, other), "");
  other.fingerprint = "a72";
  EXPECT_THAT(WhyNotTogether(first, other),
              HasSubstr("another kind than rack-1, a72"));
}

}  // namespace
}  // namespace assay::suites
