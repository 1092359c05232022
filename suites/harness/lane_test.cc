#include "suites/harness/lane.h"

#include <memory>
#include <string>
#include <utility>

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

class LaneTest : public ::testing::Test {
 protected:
  // Returns the lane of a device whose file has this target and number of
  // threads, and an emulator. A board with `facts_` is leased.
  Lane LaneOf(const std::string& target, int threads) {
    absl::StatusOr<Lane> lane = TryLaneOf(target, threads);
    EXPECT_TRUE(lane.ok()) << lane.status();
    return std::move(*lane);
  }
  absl::StatusOr<Lane> TryLaneOf(const std::string& target, int threads) {
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
    Services services;
    services.folders.devices = devices.path();
    services.tools.make_runner = [this](const auto&, const auto&) {
      return std::make_unique<LeasedRunner>(facts_);
    };
    return MakeLane(options_, services, "board");
  }

  runtime::DeviceFacts facts_ = Facts("rack-1", "usable_processors", "6");
  Options options_;
};

TEST_F(LaneTest, RefusesThreadsThatTheDeviceCannotRun) {
  options_.matrix.threads = {24};
  EXPECT_TRUE(TryLaneOf("llvm", 0).ok());
  options_.matrix.threads = {1, 25};
  EXPECT_EQ(TryLaneOf("llvm", 0).status(),
            absl::InvalidArgumentError(
                "--threads=25: programs may use 6 processors of `board`, on "
                "which at most 24 threads can be measured"));
}

TEST_F(LaneTest, IsAsTheLeaseSays) {
  const Lane leased = LaneOf("llvm", 0);
  EXPECT_TRUE(leased.plan.device.has_in_process());
  EXPECT_EQ(leased.plan.device.timing().repeat(), 7);
  facts_.emulated = true;
  const Lane emulated = LaneOf("llvm", 0);
  EXPECT_TRUE(emulated.plan.device.has_emulator());
  EXPECT_EQ(emulated.plan.device.timing().repeat(), 1);
}

TEST_F(LaneTest, CompilesForTheProcessorsOfTheLeasedDevice) {
  const Lane all = LaneOf("llvm", 0);
  EXPECT_THAT(all.plan.threads, ElementsAre(0));
  EXPECT_EQ(all.plan.device.target(), "llvm -num-cores=6");
  EXPECT_EQ(LaneOf("llvm -num-cores=3", 0).plan.device.target(),
            "llvm -num-cores=3");
  EXPECT_EQ(LaneOf("llvm", 4).plan.device.target(), "llvm");
  options_.matrix.threads = {1, 2};
  EXPECT_EQ(LaneOf("llvm", 0).plan.device.target(), "llvm");
  options_.matrix.threads = {};
  facts_.state["usable_processors"] = "many";
  EXPECT_EQ(LaneOf("llvm", 0).plan.device.target(), "llvm");
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
