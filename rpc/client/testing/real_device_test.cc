// Measures with the program //rpc:tracker, and with the service of a device and
// its real workers.
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/client/remote_runner.h"
#include "rpc/facts/facts_message.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/security/private_file.h"
#include "rpc/security/token_file.h"
#include "rpc/server/registration/registration.h"
#include "rpc/server/testing/device_fixture.h"
#include "rpc/transport/channel.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/device_facts.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/spawn.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class RealDeviceTest : public testing::Test {
 protected:
  RealDeviceTest() {
    std::string tokens;
    for (const auto& [role, name] :
         {std::pair(Role::kUser, "anna"),
          std::pair(Role::kDevice, TestDevice::kName)}) {
      const std::string token = *NewToken();
      absl::StrAppend(&tokens, *TokenLine(role, name, token));
      EXPECT_TRUE(WritePrivateFile(Path(name), token).ok());
    }
    EXPECT_TRUE(WriteFileAtomic(Path("tokens"), tokens).ok());
    StartTracker("127.0.0.1:0");
    Register();
    options_.tracker = ClientOf("anna");
    options_.wish = {"host", /*priority=*/0, /*wait_seconds=*/20};
    options_.signing_key = device_.client_key;
  }
  ~RealDeviceTest() override {
    registration_ = nullptr;
    runtime::KillSpawned(tracker_);
    fclose(log_file_);
  }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  static TestDeviceOptions DeviceOptions() {
    TestDeviceOptions options;
    options.worker = {"runtime/tools/bench_artifact"};
    // With a sanitizer, the worker reserves terabytes.
    options.sandbox.max_memory_bytes = 0;
    return options;
  }

  void StartTracker(const std::string& address) {
    unlink(Path("port").c_str());
    const auto pid = runtime::Spawn(
        {*runtime::FindRunfile("", "assay/rpc/tracker/service/tracker"),
         absl::StrCat("--listen=", address), "--plain_text",
         absl::StrCat("--tokens=", Path("tokens")),
         absl::StrCat("--state=", Path("state")),
         absl::StrCat("--port_file=", Path("port"))},
        {});
    ASSERT_TRUE(pid.ok()) << pid.status();
    tracker_ = *pid;
    const int64_t end = MonotonicNanos() + 10 * kSecond;
    while (!FileExists(Path("port")) && MonotonicNanos() < end) {
      Clock::Monotonic()->SleepNanos(5'000'000);
    }
    address_ = absl::StrCat("127.0.0.1:", ReadFile(Path("port")).value_or(""));
    while (absl::EndsWith(address_, "\n")) address_.pop_back();
  }

  ClientOptions ClientOf(const std::string& name) const {
    ClientOptions options;
    options.tracker = *ParseAddress(address_);
    options.transport.plain_text = true;
    options.token_file = Path(name);
    return options;
  }

  void Register() {
    RegistrationOptions options;
    options.client = ClientOf(TestDevice::kName);
    options.device = TestDevice::kName;
    options.key = "host";
    options.address = absl::StrCat("127.0.0.1:", device_.listener->port());
    options.heartbeat_nanos = kSecond / 20;
    RegistrationHooks hooks;
    hooks.facts = [] {
      runtime::DeviceFacts facts = runtime::DescribeHost();
      facts.board = "serial-42";
      return FactsMessage(facts);
    };
    hooks.state = [] { return DeviceState(); };
    hooks.health = [] { return Health(); };
    hooks.on_welcome = [this](const std::string& key, int64_t least_token) {
      const absl::Status status = device_.guard.SetKey(key, least_token);
      welcomed_ = true;
      return status;
    };
    hooks.on_ended = [this](int64_t token) { device_.guard.Ended(token); };
    registration_ = std::make_unique<Registration>(options, hooks, &log_);
    // Until then, the device has the key of the fixture and refuses leases of
    // this tracker.
    const int64_t end = MonotonicNanos() + 10 * kSecond;
    while (!welcomed_ && MonotonicNanos() < end) {
      Clock::Monotonic()->SleepNanos(1'000'000);
    }
    ASSERT_TRUE(welcomed_);
  }

  // Waits until the tracker knows the device.
  std::unique_ptr<RemoteRunner> Connect() {
    const int64_t end = MonotonicNanos() + 10 * kSecond;
    while (true) {
      auto runner = RemoteRunner::Create(options_);
      EXPECT_TRUE(runner.ok()) << runner.status();
      const absl::Status status = (*runner)->Connect();
      if (status.ok()) return *std::move(runner);
      if (!absl::IsNotFound(status) || MonotonicNanos() > end) {
        ADD_FAILURE() << status;
        return nullptr;
      }
      Clock::Monotonic()->SleepNanos(20'000'000);
    }
  }

  static float Expected(const runtime::NamedTensors& inputs) {
    return 2 * (inputs[0].value.data<float>()[9] + 9.0f) +
           inputs[1].value.data<float>()[9];
  }
  // A block without samples is a call that does not need inputs.
  static absl::Status Ping(runtime::Session& session) {
    return session.RunBlock(runtime::Block()).status();
  }
  static void ExpectAnswer(runtime::Session& session, int program,
                           const runtime::NamedTensors& inputs) {
    const auto sample = runtime::RunOnce(session, program);
    ASSERT_TRUE(sample.ok()) << sample.status();
    EXPECT_GT(sample->nanos, 0);
    EXPECT_EQ(sample->outputs.at(0).value.data<float>()[9], Expected(inputs));
  }

  const TempDir dir_ = *TempDir::Create();
  FILE* const log_file_ = fopen("/dev/null", "w");
  EventLog log_{log_file_, "server"};
  TestDevice device_{DeviceOptions()};
  pid_t tracker_ = -1;
  std::string address_;
  std::atomic<bool> welcomed_{false};
  std::unique_ptr<Registration> registration_;
  RemoteOptions options_;
  const runtime::Artifact artifact_ = runtime::TestArtifact();
};

TEST_F(RealDeviceTest, MeasuresAPair) {
  // The state is read before the first block.
  options_.thermal = {/*max_celsius=*/120, /*max_wait_seconds=*/1};
  const auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  EXPECT_EQ(runner->facts().fingerprint, runtime::DescribeHost().fingerprint);
  EXPECT_EQ(runner->facts().board, "serial-42");
  runtime::Artifact other = artifact_;
  other.calls.back().symbol = "test_lazy_add";
  runtime::LoadOptions options;
  options.threads = 1;
  options.placement_seed = 7;
  auto pair = runner->Load({&artifact_, &other}, options);
  ASSERT_TRUE(pair.ok()) << pair.status();
  EXPECT_EQ((*pair)->threads(), 1);
  for (const uint64_t seed : {1, 2}) {
    const runtime::NamedTensors inputs = runtime::SeededInputs(artifact_, seed);
    ASSERT_TRUE((*pair)->SetInputs(inputs).ok());
    ExpectAnswer(**pair, 0, inputs);
  }
  runtime::Block block;
  block.samples.assign(20, {/*program=*/0, /*number=*/10, /*warmup_runs=*/1});
  block.samples[3].program = 1;
  block.min_sample_nanos = 10'000;
  const auto samples = (*pair)->RunBlock(block);
  ASSERT_TRUE(samples.ok()) << samples.status();
  EXPECT_EQ(samples->size(), 20u);
  EXPECT_GE(samples->at(0).nanos, 10'000);
  const auto calls =
      runtime::TimeCalls(**pair, /*program=*/1, /*flush_cache_bytes=*/1 << 20);
  ASSERT_TRUE(calls.ok()) << calls.status();
  EXPECT_EQ(calls->size(), 3u);
  // An error of the block leaves the session usable.
  block.samples[0].number = int64_t{1} << 40;
  EXPECT_TRUE(absl::IsInvalidArgument((*pair)->RunBlock(block).status()));
  EXPECT_TRUE((*pair)->RunBlock(runtime::Block()).ok());
}

TEST_F(RealDeviceTest, RunsSetupCallsWhenItLoads) {
  const auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  const runtime::Artifact setup = runtime::TestSetupArtifact();
  const runtime::NamedTensors inputs = runtime::SeededInputs(artifact_, 1);
  runtime::LoadOptions options;
  options.threads = 1;
  for (const uint64_t seed : {0, 7}) {
    options.placement_seed = seed;
    for (const std::vector<const runtime::Artifact*>& artifacts :
         std::vector<std::vector<const runtime::Artifact*>>{
             {&setup}, {&artifact_, &setup}}) {
      const auto session = runner->Load(artifacts, options);
      ASSERT_TRUE(session.ok()) << session.status();
      ASSERT_TRUE((*session)->SetInputs(inputs).ok());
      const int last = static_cast<int>(artifacts.size()) - 1;
      ExpectAnswer(**session, last, inputs);
      ExpectAnswer(**session, last, inputs);
      const auto calls = runtime::TimeCalls(**session, last);
      ASSERT_TRUE(calls.ok()) << calls.status();
      EXPECT_EQ(calls->size(), 3u);
    }
  }
  runtime::Artifact broken = setup;
  broken.setup[0].symbol = "test_missing";
  const absl::Status missing = runner->Load({&broken}, {1}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(missing)) << missing;
}

TEST_F(RealDeviceTest, SessionsTakeTurns) {
  const auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  runtime::Artifact other = artifact_;
  other.metadata["note"] = "another artifact";
  const auto first = *runner->Load({&artifact_}, {1});
  const auto second = *runner->Load({&other}, {1});
  const runtime::NamedTensors inputs = runtime::SeededInputs(artifact_, 1);
  const runtime::NamedTensors others = runtime::SeededInputs(artifact_, 2);
  ASSERT_TRUE(first->SetInputs(inputs).ok());
  ASSERT_TRUE(second->SetInputs(others).ok());
  for (int i = 0; i < 2; ++i) {
    ExpectAnswer(*first, 0, inputs);
    ExpectAnswer(*second, 0, others);
  }
}

TEST_F(RealDeviceTest, ErrorsAreThoseOfALocalSession) {
  const auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  const auto session = *runner->Load({&artifact_}, {1});
  runtime::NamedTensors inputs = runtime::SeededInputs(artifact_, 1);
  inputs.push_back({"q", inputs[0].value});
  const absl::Status unknown = session->SetInputs(inputs);
  EXPECT_TRUE(absl::IsNotFound(unknown)) << unknown;
  runtime::Artifact broken = artifact_;
  broken.calls[0].symbol = "test_missing";
  const absl::Status missing = runner->Load({&broken}, {1}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(missing)) << missing;
}

TEST_F(RealDeviceTest, UnsignedArtifactsAreRefused) {
  options_.signing_key = *SigningKey::Generate();
  const auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  const absl::Status status = runner->Load({&artifact_}, {1}).status();
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
}

TEST_F(RealDeviceTest, MeasuresWhileTheTrackerRestarts) {
  const auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  const auto session = *runner->Load({&artifact_}, {1});
  const runtime::NamedTensors inputs = runtime::SeededInputs(artifact_, 1);
  ASSERT_TRUE(session->SetInputs(inputs).ok());
  runtime::KillSpawned(tracker_);
  ExpectAnswer(*session, 0, inputs);
  StartTracker(address_);
  ExpectAnswer(*session, 0, inputs);
}

TEST_F(RealDeviceTest, TheNextClientWaitsForTheDevice) {
  auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  const auto session = *runner->Load({&artifact_}, {1});
  int place = 0;
  options_.place = [&](int number, double) { place = number; };
  auto next = *RemoteRunner::Create(options_);
  std::thread releaser([&] {
    Clock::Monotonic()->SleepNanos(kSecond / 5);
    runner->Cancel();
  });
  const int64_t start = MonotonicNanos();
  ASSERT_TRUE(next->Connect().ok());
  EXPECT_LT(MonotonicNanos() - start, 5 * kSecond);
  releaser.join();
  EXPECT_EQ(place, 1);
  EXPECT_TRUE(absl::IsCancelled(Ping(*session)));
  const auto load = next->Load({&artifact_}, {1});
  EXPECT_TRUE(load.ok()) << load.status();
}

TEST_F(RealDeviceTest, ALostDeviceIsReplaced) {
  const auto runner = Connect();
  ASSERT_NE(runner, nullptr);
  const auto session = *runner->Load({&artifact_}, {1});
  const runtime::NamedTensors inputs = runtime::SeededInputs(artifact_, 1);
  ASSERT_TRUE(session->SetInputs(inputs).ok());
  // The tracker ends the leases of a device that does not send heartbeats, and
  // tells the device when it returns.
  registration_ = nullptr;
  Clock::Monotonic()->SleepNanos(kSecond * 55 / 10);
  Register();
  const int64_t end = MonotonicNanos() + 10 * kSecond;
  absl::Status lost;
  while (lost.ok() && MonotonicNanos() < end) {
    lost = Ping(*session);
  }
  EXPECT_TRUE(absl::IsAborted(lost)) << lost;
  EXPECT_TRUE(absl::StartsWith(lost.message(), "the lease of board was lost"))
      << lost;
  const auto again = runner->Load({&artifact_}, {1});
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_TRUE((*again)->SetInputs(inputs).ok());
  ExpectAnswer(**again, 0, inputs);
}

}  // namespace
}  // namespace assay::rpc
