#include "rpc/client/remote_runner.h"

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "rpc/client/testing/fake_device.h"
#include "rpc/client/testing/fake_tracker.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/clock.h"
#include "runtime/base/sha256.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::rpc {
namespace {

using runtime::Artifact;
using runtime::Session;
using Calls = std::vector<std::string>;
using Script = FakeDevice::Script;

constexpr int64_t kSecond = 1'000'000'000;

class RemoteRunnerTest : public testing::Test {
 protected:
  RemoteRunnerTest() {
    tracker_.Change([this](FakeTracker::Script* script) {
      script->address = device_.address();
    });
    device_.Change([this](Script* script) {
      script->call_nanos = {1, 2, 3};
      script->outputs = runtime::SerializeTensors(outputs_);
    });
    options_.tracker = tracker_.Options();
    options_.wish = {"rpi3b", /*priority=*/0, /*wait_seconds=*/10};
    options_.patience_seconds = 3;
    options_.remark = [this](const std::string& text) { remarks_ = text; };
    other_.params.back() ^= 1;
  }

  void Connect() {
    auto runner = RemoteRunner::Create(options_);
    ASSERT_TRUE(runner.ok()) << runner.status();
    runner_ = *std::move(runner);
    const absl::Status connected = runner_->Connect();
    ASSERT_TRUE(connected.ok()) << connected;
  }

  std::unique_ptr<Session> Load(std::vector<const Artifact*> artifacts,
                                runtime::LoadOptions options = {}) {
    auto session = runner_->Load(artifacts, options);
    EXPECT_TRUE(session.ok()) << session.status();
    return session.ok() ? *std::move(session) : nullptr;
  }

  // A block without samples is a call that does not need inputs.
  static absl::Status Ping(Session& session) {
    return session.RunBlock(runtime::Block()).status();
  }

  // Lets the tracker end the lease, and waits until the client knows.
  void LoseLease(Session& session) {
    tracker_.Change([](FakeTracker::Script* script) {
      script->ended_token = script->tokens;
    });
    Fail("RunBlock", absl::AbortedError("the device is lost"));
    EXPECT_TRUE(absl::IsAborted(Ping(session)));
  }

  void Fail(const std::string& call, const absl::Status& error) {
    device_.Change([&](Script* script) { script->errors[call] = {error}; });
  }

  // Returns the calls at the device since the last call of this function.
  Calls Log() {
    Calls log;
    device_.Change([&](Script* script) { log = std::move(script->log); });
    return log;
  }

  FakeTracker tracker_;
  FakeDevice device_;
  const Artifact artifact_ = runtime::TestArtifact();
  Artifact other_ = artifact_;
  const runtime::NamedTensors inputs_ = runtime::SeededInputs(artifact_, 1);
  const runtime::NamedTensors outputs_ = {
      {"y", NDArray(DType::Float32(), {runtime::kTestCount})}};
  RemoteOptions options_;
  std::string remarks_;
  std::unique_ptr<RemoteRunner> runner_;
};

TEST_F(RemoteRunnerTest, MeasuresOnTheLeasedDevice) {
  Connect();
  EXPECT_EQ(runner_->facts().fingerprint, "aarch64-fake-4c-00000000");
  EXPECT_EQ(runner_->facts().board, "rack1-03");
  const auto session = Load({&artifact_});
  EXPECT_EQ(session->threads(), 2);
  EXPECT_EQ(session->facts().board, "rack1-03");
  ASSERT_TRUE(session->SetInputs(inputs_).ok());
  const auto sample = runtime::RunOnce(*session);
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_EQ(sample->nanos, 1000);
  EXPECT_EQ(sample->outputs.at(0).name, "y");
  EXPECT_EQ(runtime::TimeCalls(*session)->size(), 3u);
  EXPECT_EQ(device_.Read(&Script::blobs)
                .at(device_.Read(&Script::opens)[0].artifacts(0).digest()),
            runtime::Serialize(artifact_));
}

TEST_F(RemoteRunnerTest, PassesAllOptionsOfAPair) {
  Connect();
  runtime::LoadOptions options;
  options.threads = 3;
  options.placement_seed = ~uint64_t{0};
  const auto pair = Load({&artifact_, &other_}, options);
  EXPECT_EQ(pair->threads(), 3);
  const OpenRequest open = device_.Read(&Script::opens).at(0);
  EXPECT_EQ(open.threads(), 3);
  EXPECT_EQ(open.placement_seed(), ~uint64_t{0});
  ASSERT_EQ(open.artifacts_size(), 2);
  EXPECT_EQ(open.artifacts(0).digest(),
            Sha256Hex(runtime::Serialize(artifact_)));
  EXPECT_EQ(open.artifacts(1).digest(), Sha256Hex(runtime::Serialize(other_)));
  ASSERT_TRUE(pair->SetInputs(inputs_).ok());
  EXPECT_EQ(runtime::RunOnce(*pair, 1)->nanos, 2000);
}

TEST_F(RemoteRunnerTest, UploadsArtifactsAndInputsOnce) {
  Connect();
  for (int i = 0; i < 3; ++i) {
    const auto session = Load({&artifact_});
    ASSERT_TRUE(session->SetInputs(inputs_).ok());
    ASSERT_TRUE(session->SetInputs(inputs_).ok());
  }
  EXPECT_EQ(device_.Read(&Script::puts), 2);
  const Calls log = Log();
  EXPECT_EQ(absl::c_count(log, "FindBlobs"), 2);
  EXPECT_EQ(absl::c_count(log, "Close"), 3);
  EXPECT_TRUE(device_.Read(&Script::session).empty());
}

TEST_F(RemoteRunnerTest, SignsArtifacts) {
  options_.signing_key = *SigningKey::Generate();
  const auto trusted =
      *TrustedKeys::Parse(*options_.signing_key->PublicPem(), "test");
  Connect();
  Load({&artifact_});
  const OpenRequest::Artifact sent =
      device_.Read(&Script::opens).at(0).artifacts(0);
  EXPECT_TRUE(
      trusted
          .Verify(SignaturePurpose::kArtifact, sent.digest(), sent.signature())
          .ok());
}

TEST_F(RemoteRunnerTest, ADeferredSessionOpensAtItsFirstCall) {
  Connect();
  runtime::LoadOptions options;
  options.deferred = true;
  const auto session = Load({&artifact_}, options);
  EXPECT_EQ(device_.Read(&Script::sessions), 0);
  EXPECT_EQ(session->threads(), 0);
  Fail("Open", absl::InvalidArgumentError("a kernel is missing"));
  EXPECT_EQ(session->SetInputs(inputs_),
            absl::InvalidArgumentError("rack1-03: a kernel is missing"));
}

TEST_F(RemoteRunnerTest, SessionsTakeTurnsOnTheDevice) {
  Connect();
  const auto first = Load({&artifact_}), second = Load({&other_});
  ASSERT_TRUE(second->SetInputs(inputs_).ok());
  ASSERT_TRUE(first->SetInputs(inputs_).ok());  // waits until it is used
  Log();
  ASSERT_TRUE(runtime::RunOnce(*second).ok());
  EXPECT_EQ(Log(), Calls{"RunBlock"});
  ASSERT_TRUE(runtime::RunOnce(*first).ok());
  EXPECT_EQ(Log(), (Calls{"Open", "SetInputs", "RunBlock"}));
  ASSERT_TRUE(runtime::RunOnce(*first).ok());
  EXPECT_EQ(Log(), Calls{"RunBlock"});
  ASSERT_TRUE(runtime::RunOnce(*second).ok());
  EXPECT_EQ(Log(), (Calls{"Open", "SetInputs", "RunBlock"}));
  const OpenRequest last = device_.Read(&Script::opens).back();
  EXPECT_EQ(last.artifacts(0).digest(), Sha256Hex(runtime::Serialize(other_)));
}

TEST_F(RemoteRunnerTest, TheTimeOfLoadingIsTheMedianOfTheTurns) {
  device_.Change(
      [](Script* script) { script->load_nanos = {100, 7, 400, 9, 130}; });
  Connect();
  const auto first = Load({&artifact_}), second = Load({&other_});
  EXPECT_EQ(first->LoadNanos().value(), 100);
  ASSERT_TRUE(second->SetInputs(inputs_).ok());
  ASSERT_TRUE(first->SetInputs(inputs_).ok());
  for (int turn = 0; turn < 2; ++turn) {
    ASSERT_TRUE(runtime::RunOnce(*first).ok());
    ASSERT_TRUE(runtime::RunOnce(*second).ok());
  }
  // The second session was opened again without telling the time.
  EXPECT_EQ(first->LoadNanos().value(), 130);
  EXPECT_EQ(second->LoadNanos().value(), 8);
  // Asking does not load again.
  EXPECT_EQ(device_.Read(&Script::sessions), 6);
}

TEST_F(RemoteRunnerTest, OlderServersDoNotTellTheTimeOfLoading) {
  Connect();
  EXPECT_TRUE(absl::IsUnimplemented(Load({&artifact_})->LoadNanos().status()));
  runtime::LoadOptions options;
  options.deferred = true;
  device_.Change([](Script* script) { script->load_nanos = {1, 25}; });
  EXPECT_EQ(Load({&artifact_}, options)->LoadNanos().value(), 25);
}

TEST_F(RemoteRunnerTest, ThePeakOfTheMemoryIsThatOfTheLargestWorker) {
  Connect();
  const auto session = Load({&artifact_});
  ASSERT_TRUE(session->SetInputs(inputs_).ok());
  ASSERT_TRUE(runtime::RunOnce(*session).ok());
  EXPECT_TRUE(absl::IsUnimplemented(session->PeakResidentBytes().status()));
  for (const int64_t bytes : {5000, 7000, 6000, -1}) {
    device_.Change([&](Script* script) { script->peak_bytes = bytes; });
    ASSERT_TRUE(runtime::RunOnce(*session).ok());
  }
  EXPECT_EQ(session->PeakResidentBytes().value(), 7000);
}

TEST_F(RemoteRunnerTest, BlobsThatWereDiscardedAreUploadedAgain) {
  Connect();
  auto session = Load({&artifact_});
  ASSERT_TRUE(session->SetInputs(inputs_).ok());
  device_.Change([](Script* script) { script->blobs.clear(); });
  session = Load({&artifact_});
  ASSERT_NE(session, nullptr);
  EXPECT_TRUE(session->SetInputs(inputs_).ok());
  device_.Change([](Script* script) { script->blobs.clear(); });
  EXPECT_TRUE(session->SetInputs(runtime::SeededInputs(artifact_, 2)).ok());
  EXPECT_TRUE(session->SetInputs(inputs_).ok());
}

TEST_F(RemoteRunnerTest, AMissingFileOfTheDeviceIsNotALostBlob) {
  Connect();
  const absl::Status missing = absl::NotFoundError("there is no file `worker`");
  Fail("Open", missing);
  EXPECT_EQ(runner_->Load({&artifact_}, {}).status(),
            absl::NotFoundError("rack1-03: there is no file `worker`"));
  EXPECT_EQ(device_.Read(&Script::puts), 1);
}

TEST_F(RemoteRunnerTest, AnUnknownInputIsNotALostSession) {
  Connect();
  const auto session = Load({&artifact_});
  Fail("SetInputs", absl::NotFoundError("no input `q`"));
  EXPECT_EQ(session->SetInputs(inputs_),
            absl::NotFoundError("rack1-03: no input `q`"));
  EXPECT_TRUE(session->SetInputs(inputs_).ok());
}

TEST_F(RemoteRunnerTest, ASessionThatTheDeviceEndedIsVoid) {
  Connect();
  const std::vector<std::function<absl::Status(Session&)>> calls = {
      [&](Session& s) { return s.SetInputs(inputs_); },
      [](Session& s) { return runtime::RunOnce(s).status(); },
  };
  for (const auto& call : calls) {
    const auto session = Load({&artifact_});
    device_.Change([](Script* script) { script->session.clear(); });
    const absl::Status status = call(*session);
    EXPECT_TRUE(absl::IsAborted(status)) << status;
    EXPECT_EQ(runtime::RunOnce(*session).status(), status);
  }
  EXPECT_NE(Load({&artifact_}), nullptr);
}

TEST_F(RemoteRunnerTest, ABrokenBlockVoidsTheSessionButKeepsTheLease) {
  Connect();
  auto session = Load({&artifact_});
  ASSERT_TRUE(session->SetInputs(inputs_).ok());
  Fail("RunBlock", absl::UnavailableError("connection reset"));
  const absl::Status broken = runtime::RunOnce(*session).status();
  EXPECT_TRUE(absl::IsAborted(broken)) << broken;
  EXPECT_EQ(session->SetInputs(inputs_), broken);
  session = Load({&artifact_});
  ASSERT_TRUE(session->SetInputs(inputs_).ok());
  EXPECT_TRUE(runtime::RunOnce(*session).ok());
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::tokens), 1);
}

TEST_F(RemoteRunnerTest, AWorkerThatFailedEndsItsSession) {
  Connect();
  auto session = Load({&artifact_});
  Fail("RunBlock", absl::InternalError("the worker died of signal 11"));
  const absl::Status died = runtime::RunOnce(*session).status();
  EXPECT_EQ(died,
            absl::InternalError("rack1-03: the worker died of signal 11"));
  EXPECT_EQ(Ping(*session), died);
}

TEST_F(RemoteRunnerTest, ALostLeaseIsReportedBeforeTheNextOne) {
  Connect();
  const auto first = Load({&artifact_}), second = Load({&other_});
  LoseLease(*second);
  const absl::Status lost =
      absl::AbortedError("the lease of rack1-03 was lost: the device is lost");
  EXPECT_EQ(first->SetInputs(inputs_), lost);
  EXPECT_EQ(runtime::RunOnce(*second).status(), lost);
  tracker_.Change(
      [](FakeTracker::Script* script) { script->device = "rack1-04"; });
  const auto third = Load({&artifact_});
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(runner_->facts().board, "rack1-04");
  EXPECT_EQ(third->facts().board, "rack1-04");
  EXPECT_EQ(first->facts().board, "rack1-03");
  // Sessions of the lost lease never measure on the next device.
  EXPECT_EQ(first->SetInputs(inputs_), lost);
  EXPECT_EQ(runtime::RunOnce(*second).status(), lost);
  ASSERT_TRUE(third->SetInputs(inputs_).ok());
  EXPECT_TRUE(runtime::RunOnce(*third).ok());
}

TEST_F(RemoteRunnerTest, LoadReportsALossThatNoSessionHasReported) {
  tracker_.Change(
      [](FakeTracker::Script* script) { script->lease_seconds = 0.3; });
  Connect();
  const auto session = Load({&artifact_});
  tracker_.Change([](FakeTracker::Script* script) { script->ended_token = 1; });
  EXPECT_TRUE(tracker_.WaitUntil(
      [](const FakeTracker::Script& s) { return s.renewals > 0; }));
  Clock::Monotonic()->SleepNanos(kSecond / 10);
  EXPECT_TRUE(absl::IsAborted(runner_->Load({&artifact_}, {}).status()));
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::tokens), 1);
  EXPECT_TRUE(runner_->Load({&artifact_}, {}).ok());
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::tokens), 2);
}

TEST_F(RemoteRunnerTest, TheDeviceIsShownEachRenewal) {
  tracker_.Change(
      [](FakeTracker::Script* script) { script->lease_seconds = 0.3; });
  Connect();
  EXPECT_TRUE(device_.WaitUntil([](const Script& s) {
    Lease lease;
    LeaseTerms terms;
    return lease.ParseFromString(s.lease) &&
           terms.ParseFromString(lease.terms()) && terms.renewals() >= 2;
  }));
  EXPECT_EQ(absl::c_count(Log(), "FindBlobs"),
            tracker_.Read(&FakeTracker::Script::renewals));
}

TEST_F(RemoteRunnerTest, ADeviceThatHangsDoesNotKeepTheLeaseFromBeingRenewed) {
  tracker_.Change(
      [](FakeTracker::Script* script) { script->lease_seconds = 1; });
  Connect();
  const auto session = Load({&artifact_});
  device_.Change([](Script* script) { script->hangs = true; });
  const int64_t start = MonotonicNanos();
  EXPECT_TRUE(tracker_.WaitUntil(
      [](const FakeTracker::Script& s) { return s.renewals >= 5; }));
  EXPECT_LT(MonotonicNanos() - start, 5 * kSecond);
  EXPECT_TRUE(runner_->Load({&artifact_}, {}).ok());
  // The loss of the device is noticed, too.
  tracker_.Change([](FakeTracker::Script* script) { script->ended_token = 1; });
  absl::Status lost;
  while (lost.ok() && MonotonicNanos() - start < 8 * kSecond) {
    lost = Ping(*session);
  }
  EXPECT_TRUE(absl::IsAborted(lost)) << lost;
}

TEST_F(RemoteRunnerTest, AnotherKindOfMachineIsRefused) {
  Connect();
  const auto session = Load({&artifact_});
  LoseLease(*session);
  tracker_.Change([](FakeTracker::Script* script) {
    script->device = "rack1-04";
    script->fingerprint = "aarch64-other-8c-11111111";
  });
  const absl::Status status = runner_->Load({&artifact_}, {}).status();
  EXPECT_EQ(status,
            absl::FailedPreconditionError(
                "the tracker lends rack1-04, a machine of the kind "
                "aarch64-other-8c-11111111, but this run began on one of the "
                "kind aarch64-fake-4c-00000000"));
  EXPECT_EQ(runner_->Load({&artifact_}, {}).status(), status);
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::released).count(2), 1u);
}

TEST_F(RemoteRunnerTest, TheEndOfTheRunnerGivesTheLeaseBack) {
  Connect();
  runner_ = nullptr;
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::released),
            std::set<int64_t>{1});
}

TEST_F(RemoteRunnerTest, CancelEndsABlockAndGivesTheLeaseBack) {
  Connect();
  const auto session = Load({&artifact_});
  device_.Change([](Script* script) {
    script->run_block = [](grpc::ServerContext* context, const RunBlockRequest&,
                           FakeDevice::BlockWriter*) {
      while (!context->IsCancelled()) {
        Clock::Monotonic()->SleepNanos(1'000'000);
      }
      return grpc::Status::CANCELLED;
    };
  });
  std::thread canceller([this] {
    device_.WaitUntil(
        [](const Script& s) { return s.log.back() == "RunBlock"; });
    runner_->Cancel();
  });
  const int64_t start = MonotonicNanos();
  EXPECT_TRUE(absl::IsCancelled(runtime::RunOnce(*session).status()));
  EXPECT_LT(MonotonicNanos() - start, 3 * kSecond);
  canceller.join();
  EXPECT_EQ(tracker_.Read(&FakeTracker::Script::released),
            std::set<int64_t>{1});
  EXPECT_EQ(runner_->Load({&artifact_}, {}).status(),
            absl::CancelledError("the run was cancelled"));
}

TEST_F(RemoteRunnerTest, CancelEndsTheWaitForALease) {
  tracker_.Change(
      [](FakeTracker::Script* script) { script->never_free = true; });
  runner_ = *RemoteRunner::Create(options_);
  std::thread canceller([this] {
    tracker_.WaitUntil(
        [](const FakeTracker::Script& s) { return s.tickets.size() == 1; });
    runner_->Cancel();
    // When Cancel() returns, the process may end.
    EXPECT_EQ(tracker_.Read(&FakeTracker::Script::withdrawn).size(), 1u);
  });
  EXPECT_EQ(runner_->Connect(), absl::CancelledError("the run was cancelled"));
  canceller.join();
}

// Reports these temperatures before and after each block, and then 50 degrees.
void ReportTemperatures(const std::deque<double>& values, FakeDevice* device) {
  auto celsius = std::make_shared<std::deque<double>>(values);
  device->Change([&](Script* script) {
    script->run_block = [celsius](grpc::ServerContext*,
                                  const RunBlockRequest& request,
                                  FakeDevice::BlockWriter* writer) {
      RunBlockAnswer state;
      state.mutable_state()->set_temperature_celsius(
          celsius->empty() ? 50 : celsius->front());
      if (!celsius->empty()) celsius->pop_front();
      writer->Write(state);
      for (const auto& spec : request.samples()) {
        RunBlockAnswer sample;
        sample.mutable_sample()->set_nanos(50 * spec.number());
        sample.mutable_sample()->set_number(spec.number());
        writer->Write(sample);
      }
      writer->Write(state);
      return grpc::Status::OK;
    };
  });
}

TEST_F(RemoteRunnerTest, WaitsUntilTheDeviceIsCool) {
  options_.thermal = {/*max_celsius=*/70, /*max_wait_seconds=*/5,
                      /*reject_throttled=*/true, /*poll_seconds=*/0.005};
  std::string notice;
  options_.notify = [&](const std::string& text) { notice = text; };
  std::vector<double> observed;
  options_.observe = [&](const BlockResult& result) {
    observed.push_back(result.before.temperature_celsius());
  };
  Connect();
  const auto session = Load({&artifact_});
  runtime::Block block;
  block.samples.resize(3);
  // Two readings are too hot. The block heats the device again.
  ReportTemperatures({80, 75, 60, 71, 72, 65}, &device_);
  for (int i = 0; i < 2; ++i) {
    const auto samples = session->RunBlock(block);
    ASSERT_TRUE(samples.ok()) << samples.status();
    EXPECT_EQ(samples->size(), 3u);
  }
  EXPECT_EQ(observed, (std::vector<double>{71, 50}));
  EXPECT_EQ(notice,
            "waiting until rack1-03 has cooled from 72.0 to 70.0 degrees "
            "Celsius");
}

TEST_F(RemoteRunnerTest, ADeviceThatStaysHotIsNotMeasured) {
  options_.thermal = {/*max_celsius=*/70, /*max_wait_seconds=*/0.01,
                      /*reject_throttled=*/true, /*poll_seconds=*/0.02};
  Connect();
  const auto session = Load({&artifact_});
  ReportTemperatures(std::deque<double>(99, 80), &device_);
  const absl::Status status = runtime::RunOnce(*session).status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_TRUE(absl::StartsWith(status.message(),
                               "rack1-03 still has 80.0 degrees Celsius"));
}

TEST_F(RemoteRunnerTest, TheTemperatureOfAnEmulatedDeviceDoesNotMatter) {
  options_.thermal = {/*max_celsius=*/70, /*max_wait_seconds=*/0.01,
                      /*reject_throttled=*/true, /*poll_seconds=*/0.02};
  tracker_.Change([](FakeTracker::Script* script) { script->emulated = true; });
  Connect();
  const auto session = Load({&artifact_});
  ReportTemperatures(std::deque<double>(99, 80), &device_);
  runtime::Block block;
  block.samples.resize(1);
  EXPECT_TRUE(session->RunBlock(block).ok());
}

TEST_F(RemoteRunnerTest, ALostLeaseEndsTheWaitForACoolDevice) {
  options_.thermal = {/*max_celsius=*/70, /*max_wait_seconds=*/60,
                      /*reject_throttled=*/true, /*poll_seconds=*/60};
  Connect();
  const auto session = Load({&artifact_});
  ReportTemperatures(std::deque<double>(99, 80), &device_);
  std::thread canceller([this] {
    device_.WaitUntil([](const Script& s) { return !s.blocks.empty(); });
    runner_->Cancel();
  });
  EXPECT_TRUE(absl::IsCancelled(runtime::RunOnce(*session).status()));
  canceller.join();
}

TEST_F(RemoteRunnerTest, RemarksOnADeviceThatThrottles) {
  Connect();
  const auto session = Load({&artifact_});
  ASSERT_TRUE(runtime::RunOnce(*session).ok());
  EXPECT_EQ(remarks_, "");
  device_.Change([](Script* script) {
    script->run_block = [](grpc::ServerContext*, const RunBlockRequest&,
                           FakeDevice::BlockWriter* writer) {
      RunBlockAnswer sample, state;
      sample.mutable_sample()->set_nanos(50);
      sample.mutable_sample()->set_number(1);
      state.mutable_state()->set_throttled(true);
      writer->Write(sample);
      writer->Write(state);
      return grpc::Status::OK;
    };
  });
  runtime::Block block;
  block.samples.resize(1);
  ASSERT_TRUE(session->RunBlock(block).ok());
  EXPECT_TRUE(absl::StartsWith(remarks_, "rack1-03 lowered its clock rate"));
}

TEST_F(RemoteRunnerTest, InvalidArtifactsAreNotUploaded) {
  Connect();
  Artifact invalid = artifact_;
  invalid.calls[0].inputs[0] = 1000;
  EXPECT_TRUE(absl::IsInvalidArgument(runner_->Load({&invalid}, {}).status()));
  EXPECT_EQ(device_.Read(&Script::puts), 0);
}

TEST_F(RemoteRunnerTest, UnknownKeysAreNotFound) {
  options_.wish.key = "rpi9";
  EXPECT_TRUE(absl::IsNotFound((*RemoteRunner::Create(options_))->Connect()));
}

}  // namespace
}  // namespace assay::rpc
