// Registers a device at the program //rpc:tracker, and looks at it with
// //rpc:query.
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "rpc/program/event_log.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/private_file.h"
#include "rpc/security/token_file.h"
#include "rpc/server/registration/registration.h"
#include "rpc/transport/channel.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/spawn.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

using Json = nlohmann::json;

class RealTrackerTest : public testing::Test {
 protected:
  RealTrackerTest() {
    std::string tokens;
    for (const auto& [role, name] :
         {std::pair(Role::kAdmin, "root"), std::pair(Role::kDevice, "rack1")}) {
      const std::string token = *NewToken();
      absl::StrAppend(&tokens, *TokenLine(role, name, token));
      EXPECT_TRUE(WritePrivateFile(Path(name), token).ok());
    }
    EXPECT_TRUE(WriteFileAtomic(Path("tokens"), tokens).ok());
    StartTracker("127.0.0.1:0");
    options_.client.tracker = *ParseAddress(address_);
    options_.client.transport.plain_text = true;
    options_.client.token_file = Path("rack1");
    options_.device = "rack1";
    options_.key = "rpi3b";
    options_.address = "127.0.0.1:1";
    options_.heartbeat_nanos = 50'000'000;
    hooks_.facts = [] {
      DeviceFacts facts;
      facts.set_fingerprint("aarch64-cortex-a53");
      return facts;
    };
    hooks_.state = [] { return DeviceState(); };
    hooks_.health = [this] {
      const std::lock_guard<std::mutex> lock(mutex_);
      Health health;
      health.set_problem(problem_);
      return health;
    };
    hooks_.on_welcome = [this](const std::string& key, int64_t) {
      const std::lock_guard<std::mutex> lock(mutex_);
      lease_keys_.push_back(key);
      return absl::OkStatus();
    };
    hooks_.on_ended = [](int64_t) {};
  }
  ~RealTrackerTest() override {
    registration_.reset();
    runtime::KillSpawned(tracker_);
    fclose(out_);
  }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }
  static std::string Program(const std::string& path) {
    return runtime::FindRunfile("", absl::StrCat("assay/rpc/", path))
        .value_or("");
  }
  static void WaitFor(const std::function<bool()>& condition,
                      absl::Duration timeout = absl::Seconds(10)) {
    const absl::Time end = absl::Now() + timeout;
    while (!condition()) {
      ASSERT_LT(absl::Now(), end);
      absl::SleepFor(absl::Milliseconds(5));
    }
  }
  void StartTracker(const std::string& address) {
    unlink(Path("port").c_str());
    const auto pid = runtime::Spawn(
        {Program("tracker/service/tracker"), absl::StrCat("--listen=", address),
         "--plain_text", absl::StrCat("--tokens=", Path("tokens")),
         absl::StrCat("--state=", Path("state")),
         absl::StrCat("--port_file=", Path("port"))},
        {});
    ASSERT_TRUE(pid.ok()) << pid.status();
    tracker_ = *pid;
    WaitFor([&] { return FileExists(Path("port")); });
    int port = 0;
    ASSERT_TRUE(absl::SimpleAtoi(*ReadFile(Path("port")), &port));
    address_ = absl::StrCat("127.0.0.1:", port);
  }
  // Returns the entry of the device in the list, or an empty object.
  Json Device(const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> command = {
        Program("query/query"), "--plain_text", "--format=json",
        absl::StrCat("--tracker=", address_),
        absl::StrCat("--token_file=", Path("root"))};
    command.insert(command.end(), flags.begin(), flags.end());
    const auto result = runtime::RunProcess(command, {});
    EXPECT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->exit_code, 0) << result->err;
    const Json list = Json::parse(result->out, nullptr, false);
    if (!list.is_object() || list["devices"].empty()) {
      return Json::object();
    }
    return list["devices"][0];
  }
  void WaitForState(const std::string& state,
                    absl::Duration timeout = absl::Seconds(10)) const {
    WaitFor([&] { return Device().value("state", "") == state; }, timeout);
  }
  void SetProblem(const std::string& problem) {
    const std::lock_guard<std::mutex> lock(mutex_);
    problem_ = problem;
  }

  const TempDir dir_ = *TempDir::Create();
  FILE* const out_ = fopen("/dev/null", "w");
  EventLog log_{out_, "server"};
  pid_t tracker_ = 0;
  std::string address_;
  RegistrationOptions options_;
  RegistrationHooks hooks_;
  std::mutex mutex_;
  std::string problem_;
  std::vector<std::string> lease_keys_;
  std::optional<Registration> registration_;
};

TEST_F(RealTrackerTest, ADeviceIsListedWhileItIsRegistered) {
  registration_.emplace(options_, hooks_, &log_);
  WaitForState("free");
  const Json device = Device();
  EXPECT_EQ(device["device"], "rack1");
  EXPECT_EQ(device["key"], "rpi3b");
  // The device says that it leaves, so the tracker does not wait for heartbeats
  // that are missing.
  registration_.reset();
  WaitForState("lost", absl::Seconds(2));
}

TEST_F(RealTrackerTest, ADeviceWithAProblemIsInQuarantine) {
  registration_.emplace(options_, hooks_, &log_);
  WaitForState("free");
  SetProblem("the canary computed a wrong result");
  WaitForState("quarantined");
  const std::string reason = Device()["reason"];
  EXPECT_NE(reason.find("the canary computed a wrong result"),
            std::string::npos);
  SetProblem("");
  WaitForState("free");

  Device({"--quarantine=rack1", "--reason=new fan"});
  EXPECT_EQ(Device()["reason"], "new fan");
  Device({"--release=rack1"});
  EXPECT_EQ(Device()["state"], "free");
}

TEST_F(RealTrackerTest, ADeviceReturnsWhenTheTrackerWasKilled) {
  registration_.emplace(options_, hooks_, &log_);
  WaitForState("free");
  runtime::KillSpawned(tracker_);
  WaitFor([&] { return !registration_->registered(); });
  StartTracker(address_);
  WaitFor([&] { return registration_->registered(); }, absl::Seconds(3));
  WaitForState("free");
  const std::lock_guard<std::mutex> lock(mutex_);
  ASSERT_EQ(lease_keys_.size(), 2u);
  EXPECT_EQ(lease_keys_[0], lease_keys_[1]);
}

TEST_F(RealTrackerTest, TheNameMustBeThatOfTheToken) {
  options_.device = "rack2";
  registration_.emplace(options_, hooks_, &log_);
  absl::SleepFor(absl::Milliseconds(300));
  EXPECT_FALSE(registration_->registered());
  EXPECT_TRUE(Device().empty());
}

}  // namespace
}  // namespace assay::rpc
