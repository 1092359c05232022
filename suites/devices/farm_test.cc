#include "suites/devices/farm.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/client/testing/fake_device.h"
#include "rpc/client/testing/fake_tracker.h"
#include "runtime/base/file.h"
#include "runtime/measure/device_facts.h"

namespace assay::suites {
namespace {

using rpc::FakeTracker;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FarmTest : public testing::Test {
 protected:
  FarmTest() {
    options_.tracker = tracker_.address();
    options_.plain_text = true;
    options_.token_file = JoinPath(dir_.path(), "token");
    options_.wait_s = 10;
    EXPECT_TRUE(
        WriteFileAtomic(options_.token_file, std::string(64, 'u')).ok());
    EXPECT_EQ(chmod(options_.token_file.c_str(), 0600), 0);
    tracker_.Change([this](FakeTracker::Script* script) {
      script->address = device_.address();
    });
    board_.set_name("rpi3b");
    board_.set_tracker_key("rpi3b");
    board_.set_target("llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53");
  }

  absl::StatusOr<std::string> BoardOfRunner(const devices::Device& device) {
    Farm farm(options_, [this](const std::string& text) { progress_ = text; });
    const auto runner = farm.Open(device, nullptr);
    if (!runner.ok()) return runner.status();
    return (*runner)->facts().board;
  }

  const TempDir dir_ = *TempDir::Create();
  FakeTracker tracker_;
  rpc::FakeDevice device_;
  FarmOptions options_;
  devices::Device board_;
  std::string progress_;
};

TEST_F(FarmTest, LeasesTheKeyOfTheDevice) {
  tracker_.Change([](FakeTracker::Script* script) { script->key = "Shelf-2"; });
  board_.set_tracker_key("Shelf-2");
  const auto board = BoardOfRunner(board_);
  ASSERT_TRUE(board.ok()) << board.status();
  EXPECT_EQ(*board, "rack1-03");
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::released),
            std::set<int64_t>{1});
}

TEST_F(FarmTest, SaysWhatItWaitsFor) {
  tracker_.Change([&](FakeTracker::Script* script) {
    script->places.resize(1);
    script->places[0].set_place(2);
    script->places[0].set_wait_seconds(40.3);
  });
  ASSERT_TRUE(BoardOfRunner(board_).ok());
  EXPECT_EQ(progress_, "waiting for rpi3b: place 2, about 40 s");
  tracker_.Change([&](FakeTracker::Script* script) {
    script->places[0].set_wait_seconds(-1);
  });
  ASSERT_TRUE(BoardOfRunner(board_).ok());
  EXPECT_EQ(progress_, "waiting for rpi3b: place 2");
}

TEST_F(FarmTest, AMissingDeviceIsAnErrorOfTheInfrastructure) {
  board_.set_tracker_key("rpi9");
  EXPECT_EQ(BoardOfRunner(board_).status(),
            absl::UnavailableError(
                "no device has the key `rpi9`; there are `rpi3b`"));
  tracker_.Change([](FakeTracker::Script* script) {
    script->acquire = {absl::ResourceExhaustedError("too many requests"),
                       absl::PermissionDeniedError("users have 0 to 50")};
  });
  board_.set_tracker_key("rpi3b");
  EXPECT_TRUE(absl::IsUnavailable(BoardOfRunner(board_).status()));
  EXPECT_TRUE(absl::IsPermissionDenied(BoardOfRunner(board_).status()));
}

TEST_F(FarmTest, ErrorsHaveTheNamesOfTheFlagsOfSuites) {
  options_.plain_text = false;
  EXPECT_THAT(BoardOfRunner(board_).status().message(),
              AllOf(HasSubstr("`--tracker_tls=DIR`"),
                    HasSubstr("`--tracker_plain_text`")));
  options_.plain_text = true;
  options_.signing_key = "/no/such/key";
  EXPECT_TRUE(absl::IsNotFound(BoardOfRunner(board_).status()));
}

TEST_F(FarmTest, CodeForThisProcessorDoesNotRunOnAnother) {
  board_.set_target("llvm -mcpu=native");
  const absl::Status status = BoardOfRunner(board_).status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(status.message(), StartsWith("the tracker lends rack1-03, whose "
                                           "processor (aarch64-fake-4c-"));
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::released),
            std::set<int64_t>{1});
}

TEST_F(FarmTest, TheSameProcessorHasTheSameFeatures) {
  runtime::DeviceFacts here = runtime::DescribeHost();
  EXPECT_TRUE(CheckSameProcessor(here, here).ok());
  for (const std::string key : {"arch", "cpu", "features"}) {
    runtime::DeviceFacts other = here;
    other.identity[key] += "x";
    EXPECT_FALSE(CheckSameProcessor(here, other).ok());
    other.identity.erase(key);
    EXPECT_FALSE(CheckSameProcessor(here, other).ok());
    EXPECT_FALSE(CheckSameProcessor(other, here).ok());
  }
  runtime::DeviceFacts more_memory = here;
  more_memory.identity["memory"] = "96 GiB";
  EXPECT_TRUE(CheckSameProcessor(here, more_memory).ok());
  here.emulated = true;
  EXPECT_FALSE(CheckSameProcessor(more_memory, here).ok());
}

TEST_F(FarmTest, ASignalWhileWaitingWithdrawsTheRequest) {
  tracker_.Change(
      [](FakeTracker::Script* script) { script->never_free = true; });
  std::thread interrupter([this] {
    tracker_.WaitUntil(
        [](const FakeTracker::Script& s) { return s.tickets.size() == 1; });
    kill(getpid(), SIGTERM);
  });
  // The signal would end this process.
  signal(SIGTERM, SIG_IGN);
  EXPECT_TRUE(absl::IsCancelled(BoardOfRunner(board_).status()));
  signal(SIGTERM, SIG_DFL);
  interrupter.join();
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::withdrawn).size(), 1u);
}

}  // namespace
}  // namespace assay::suites
