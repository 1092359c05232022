#include "rpc/client/device_client.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "rpc/client/testing/fake_device.h"
#include "rpc/client/testing/fake_tracker.h"
#include "rpc/transport/channel.h"
#include "runtime/base/clock.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

using Script = FakeDevice::Script;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kLimit = 10 * kSecond;

class DeviceClientTest : public testing::Test {
 protected:
  DeviceClientTest()
      : tracker_client_(*TrackerClient::Open(tracker_.Options())) {
    tracker_.Change([this](FakeTracker::Script* script) {
      script->address = device_.address();
    });
    keeper_ = *LeaseKeeper::Acquire(tracker_client_.get(), {"rpi3b", 0, 10}, {},
                                    &cancellation_);
    Connect(DeviceClientOptions());
    block_.samples = {{0, 5}, {1, 7}};
  }

  void Connect(DeviceClientOptions options) {
    options.notify = [this](const std::string& notice) {
      notices_ += notice + "\n";
    };
    const auto channel =
        *OpenChannel(tracker_.Options().transport, keeper_->lease().address);
    client_ = std::make_unique<DeviceClient>(channel, keeper_.get(), options);
  }

  // Opens a session with two programs.
  std::string Open() {
    OpenRequest request;
    for (const std::string bytes : {"first", "second"}) {
      const std::string digest = Sha256Hex(bytes);
      EXPECT_TRUE(client_->Upload(digest, bytes).ok());
      request.add_artifacts()->set_digest(digest);
    }
    const auto answer = client_->Open(request);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? answer->session() : "";
  }

  absl::StatusOr<BlockResult> RunBlock(const std::string& session,
                                       int64_t timeout = kLimit) {
    return client_->RunBlock(session, block_, {{2, 1000}, {2, 1000}}, timeout);
  }

  void Fail(const std::string& call, std::deque<absl::Status> errors) {
    device_.Change([&](Script* script) { script->errors[call] = errors; });
  }

  int64_t CountCalls(const std::string& call) {
    return absl::c_count(device_.Read(&Script::log), call);
  }

  FakeTracker tracker_;
  FakeDevice device_;
  const std::unique_ptr<TrackerClient> tracker_client_;
  Cancellation cancellation_;
  std::string notices_;
  std::unique_ptr<LeaseKeeper> keeper_;
  std::unique_ptr<DeviceClient> client_;
  runtime::Block block_;
};

TEST_F(DeviceClientTest, MeasuresABlock) {
  const std::string session = Open();
  EXPECT_TRUE(client_->SetInputs(session, Sha256Hex("first")).ok());
  const auto result = RunBlock(session);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->samples.size(), 2u);
  EXPECT_EQ(result->samples[0].nanos, 5000);
  EXPECT_EQ(result->samples[1].nanos, 14000);
  EXPECT_EQ(result->before.load(), 0.5);
  client_->Close(session);
  EXPECT_TRUE(device_.Read(&Script::session).empty());
}

TEST_F(DeviceClientTest, SendsAllFieldsOfABlock) {
  const std::string session = Open();
  block_.samples = {{/*program=*/1, /*number=*/2, /*warmup_runs=*/3,
                     /*warmup_nanos=*/4}};
  block_.min_sample_nanos = 5;
  block_.cooldown_nanos = 6;
  block_.flush_cache_bytes = 7;
  block_.checked_run_seed = ~uint64_t{0};
  block_.time_calls = true;
  ASSERT_TRUE(RunBlock(session).ok());
  const RunBlockRequest sent = device_.Read(&Script::blocks).at(0);
  EXPECT_EQ(sent.session(), session);
  ASSERT_EQ(sent.samples_size(), 1);
  EXPECT_EQ(sent.samples(0).program(), 1);
  EXPECT_EQ(sent.samples(0).number(), 2);
  EXPECT_EQ(sent.samples(0).warmup_runs(), 3);
  EXPECT_EQ(sent.samples(0).warmup_nanos(), 4);
  EXPECT_EQ(sent.min_sample_nanos(), 5);
  EXPECT_EQ(sent.cooldown_nanos(), 6);
  EXPECT_EQ(sent.flush_cache_bytes(), 7);
  EXPECT_FALSE(sent.read_outputs());
  EXPECT_EQ(sent.checked_run_seed(), ~uint64_t{0});
  EXPECT_TRUE(sent.time_calls());
}

TEST_F(DeviceClientTest, EachCallShowsTheLeaseAndHasADeadline) {
  const std::string session = Open();
  const std::vector<std::function<void()>> calls = {
      [&] { client_->Upload(Sha256Hex("first"), "first").IgnoreError(); },
      [&] { client_->Open({}).status().IgnoreError(); },
      [&] { client_->SetInputs(session, "").IgnoreError(); },
      [&] { RunBlock(session).status().IgnoreError(); },
      [&] { client_->Close(session); },
      [&] { client_->ShowLease(); },
  };
  for (const auto& call : calls) {
    const size_t before = device_.Read(&Script::log).size();
    call();
    EXPECT_EQ(device_.Read(&Script::log).size(), before + 1);
    EXPECT_EQ(device_.Read(&Script::lease), keeper_->lease().bytes);
    EXPECT_GT(device_.Read(&Script::seconds_left), 1);
    EXPECT_LT(device_.Read(&Script::seconds_left), 121);
  }
}

TEST_F(DeviceClientTest, UploadsABlobOnce) {
  const std::string bytes(2'500'000, 'x');
  const std::string digest = Sha256Hex(bytes);
  ASSERT_TRUE(client_->Upload(digest, bytes).ok());
  EXPECT_EQ(device_.Read(&Script::blobs).at(digest), bytes);
  ASSERT_TRUE(client_->Upload(digest, bytes).ok());
  EXPECT_EQ(device_.Read(&Script::bytes_received), 2'500'000);
}

TEST_F(DeviceClientTest, UploadsAnEmptyBlob) {
  ASSERT_TRUE(client_->Upload(Sha256Hex(""), "").ok());
  EXPECT_EQ(device_.Read(&Script::blobs).count(Sha256Hex("")), 1u);
}

TEST_F(DeviceClientTest, AnUploadThatIsCutAtEachChunkContinues) {
  std::string bytes(10'300'000, 'x');
  for (size_t i = 0; i < bytes.size(); i += 1000) bytes[i] = char(i / 1000);
  device_.Change([](Script* script) { script->cut_uploads = true; });
  const int64_t start = MonotonicNanos();
  ASSERT_TRUE(client_->Upload(Sha256Hex(bytes), bytes).ok());
  EXPECT_LT(MonotonicNanos() - start, 5 * kSecond);
  EXPECT_EQ(device_.Read(&Script::blobs).at(Sha256Hex(bytes)), bytes);
  EXPECT_EQ(device_.Read(&Script::puts), 10);
  EXPECT_EQ(device_.Read(&Script::bytes_received), 10'300'000);
}

TEST_F(DeviceClientTest, AnUploadContinuesAfterARestart) {
  const std::string bytes(3'000'000, 'x');
  device_.Change([&](Script* script) {
    script->uploads[Sha256Hex(bytes)] = bytes.substr(0, 2'000'000);
  });
  device_.Stop();
  std::thread starter([this] {
    Clock::Monotonic()->SleepNanos(kSecond / 5);
    device_.Restart();
  });
  EXPECT_TRUE(client_->Upload(Sha256Hex(bytes), bytes).ok());
  starter.join();
  EXPECT_EQ(device_.Read(&Script::bytes_received), 1'000'000);
  EXPECT_TRUE(absl::StartsWith(notices_, "rack1-03 does not answer: trying"))
      << notices_;
}

TEST_F(DeviceClientTest, ADamagedUploadStartsAgainOnce) {
  const std::string bytes = "the right bytes";
  device_.Change(
      [&](Script* script) { script->uploads[Sha256Hex(bytes)] = "the wrong"; });
  EXPECT_TRUE(client_->Upload(Sha256Hex(bytes), bytes).ok());
  EXPECT_TRUE(absl::IsDataLoss(client_->Upload(Sha256Hex("other"), bytes)));
  EXPECT_EQ(device_.Read(&Script::puts), 4);
}

TEST_F(DeviceClientTest, RepeatsCallsThatMayBeRepeated) {
  const std::string session = Open();
  const absl::Status away = absl::UnavailableError("stopping");
  for (const char* call : {"FindBlobs", "Open", "SetInputs"}) {
    Fail(call, {away});
  }
  EXPECT_TRUE(client_->Upload(Sha256Hex("first"), "first").ok());
  EXPECT_TRUE(client_->SetInputs(session, Sha256Hex("first")).ok());
  EXPECT_TRUE(client_->Open({}).ok());
  EXPECT_EQ(CountCalls("Open"), 3);
  EXPECT_EQ(CountCalls("SetInputs"), 2);
}

TEST_F(DeviceClientTest, RejectsImpossibleTimesOfLoading) {
  device_.Change([](Script* script) {
    script->load_nanos = {5, 0, -1, std::numeric_limits<int64_t>::max()};
  });
  EXPECT_EQ(client_->Open({})->load_nanos(), 5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(absl::IsInternal(client_->Open({}).status())) << i;
  }
  EXPECT_FALSE(client_->Open({})->has_load_nanos());
}

TEST_F(DeviceClientTest, ABlockIsNotRepeated) {
  const std::string session = Open();
  for (const absl::Status& error :
       {absl::UnavailableError("stopping"), absl::CancelledError("stopped"),
        absl::UnknownError("stream removed")}) {
    Fail("RunBlock", {error});
    EXPECT_EQ(RunBlock(session).status(),
              absl::AbortedError(absl::StrCat(
                  "the connection to rack1-03 broke while it took samples: ",
                  error.message())));
  }
  EXPECT_EQ(CountCalls("RunBlock"), 3);
  EXPECT_TRUE(keeper_->status().ok());
  EXPECT_EQ(RunBlock("another").status(),
            absl::AbortedError(
                "rack1-03 ended the session: there is no such session"));
  EXPECT_EQ(client_->SetInputs("another", "").code(),
            absl::StatusCode::kAborted);
}

TEST_F(DeviceClientTest, ABlockThatIsNotFoundHasLostItsSession) {
  const std::string session = Open();
  // An older server gives no reason.
  Fail("RunBlock", {absl::NotFoundError("there is no session `7-1`")});
  EXPECT_EQ(RunBlock(session).status(),
            absl::AbortedError(
                "rack1-03 ended the session: there is no session `7-1`"));
  EXPECT_TRUE(keeper_->status().ok());
}

TEST_F(DeviceClientTest, ErrorsNameTheDevice) {
  const std::string session = Open();
  Fail("RunBlock", {absl::InternalError("the worker died of signal 11")});
  EXPECT_EQ(RunBlock(session).status(),
            absl::InternalError("rack1-03: the worker died of signal 11"));
  Fail("Open", {absl::PermissionDeniedError("no\nsuch \x1b[1mkey")});
  EXPECT_EQ(client_->Open({}).status(),
            absl::PermissionDeniedError("rack1-03: no such ?[1mkey"));
  Fail("RunBlock", {absl::FailedPreconditionError("no inputs")});
  EXPECT_EQ(RunBlock(session).status(),
            absl::FailedPreconditionError("rack1-03: no inputs"));
}

TEST_F(DeviceClientTest, ADeviceThatRejectsTheLeaseIsLost) {
  Fail("Open", {absl::AbortedError("a higher token was seen")});
  const absl::Status lost = absl::AbortedError(
      "the lease of rack1-03 was lost: a higher token was seen");
  EXPECT_EQ(client_->Open({}).status(), lost);
  EXPECT_EQ(client_->SetInputs("session", ""), lost);
  EXPECT_EQ(keeper_->status(), lost);
}

TEST_F(DeviceClientTest, TheDeviceLearnsOfARenewalThatItRejects) {
  Fail("FindBlobs", {absl::UnavailableError("stopping")});
  client_->ShowLease();
  EXPECT_TRUE(keeper_->status().ok());
  Fail("FindBlobs", {absl::AbortedError("ended by an administrator")});
  client_->ShowLease();
  EXPECT_TRUE(absl::IsAborted(keeper_->status()));
}

TEST_F(DeviceClientTest, ADeviceThatStaysAwayIsGivenUp) {
  DeviceClientOptions options;
  options.patience_seconds = 0.5;
  Connect(options);
  device_.Stop();
  const int64_t start = MonotonicNanos();
  const absl::Status status = client_->SetInputs("session", "");
  EXPECT_TRUE(absl::IsAborted(status)) << status;
  EXPECT_TRUE(absl::StartsWith(
      status.message(),
      "the lease of rack1-03 was lost: rack1-03 did not answer for "))
      << status;
  EXPECT_LT(MonotonicNanos() - start, 3 * kSecond);
}

TEST_F(DeviceClientTest, TheLossOfTheLeaseEndsABlockAtOnce) {
  const std::string session = Open();
  device_.Change([](Script* script) {
    script->run_block = [](grpc::ServerContext* context, const RunBlockRequest&,
                           FakeDevice::BlockWriter*) {
      while (!context->IsCancelled()) {
        Clock::Monotonic()->SleepNanos(1'000'000);
      }
      return grpc::Status::CANCELLED;
    };
  });
  tracker_.Change([](FakeTracker::Script* script) { script->ended_token = 1; });
  std::thread loser([this] {
    device_.WaitUntil(
        [](const Script& s) { return s.log.back() == "RunBlock"; });
    keeper_->RenewSoon();
  });
  const int64_t start = MonotonicNanos();
  EXPECT_EQ(
      RunBlock(session).status(),
      absl::AbortedError("the lease of rack1-03 was lost: the device is lost"));
  EXPECT_LT(MonotonicNanos() - start, 3 * kSecond);
  loser.join();
}

TEST_F(DeviceClientTest, ADeviceThatDiesInABlockVoidsItsSamples) {
  const std::string session = Open();
  device_.Change([](Script* script) {
    script->run_block = [](grpc::ServerContext* context, const RunBlockRequest&,
                           FakeDevice::BlockWriter* writer) {
      RunBlockAnswer answer;
      answer.mutable_sample()->set_nanos(50);
      answer.mutable_sample()->set_number(5);
      writer->Write(answer);
      while (!context->IsCancelled()) {
        Clock::Monotonic()->SleepNanos(1'000'000);
      }
      return grpc::Status::CANCELLED;
    };
  });
  std::thread killer([this] {
    device_.WaitUntil(
        [](const Script& s) { return s.log.back() == "RunBlock"; });
    device_.Stop();
  });
  EXPECT_TRUE(absl::IsAborted(RunBlock(session).status()));
  killer.join();
}

TEST_F(DeviceClientTest, ABlockThatHangsEndsAtItsDeadline) {
  const std::string session = Open();
  device_.Change([](Script* script) {
    script->run_block = [](grpc::ServerContext* context, const RunBlockRequest&,
                           FakeDevice::BlockWriter*) {
      while (!context->IsCancelled()) {
        Clock::Monotonic()->SleepNanos(1'000'000);
      }
      return grpc::Status::CANCELLED;
    };
  });
  const absl::Status status = RunBlock(session, kSecond / 5).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_TRUE(absl::StartsWith(status.message(),
                               "rack1-03: the device did not finish a block of "
                               "2 samples within 0 s"))
      << status;
  EXPECT_TRUE(keeper_->status().ok());
}

TEST_F(DeviceClientTest, ABlockThatNeverEndsIsCancelled) {
  const std::string session = Open();
  device_.Change([](Script* script) {
    script->run_block = [](grpc::ServerContext*, const RunBlockRequest&,
                           FakeDevice::BlockWriter* writer) {
      RunBlockAnswer answer;
      answer.mutable_sample()->set_nanos(50);
      answer.mutable_sample()->set_number(7);
      while (writer->Write(answer)) {
      }
      return grpc::Status::CANCELLED;
    };
  });
  EXPECT_EQ(
      RunBlock(session).status(),
      absl::InternalError("rack1-03: the device gave an unexpected answer "
                          "to a block: too many samples"));
}

TEST_F(DeviceClientTest, LargeMessagesAreErrors) {
  const std::string session = Open();
  block_.samples.assign(600'000, {0, 5});
  EXPECT_TRUE(absl::IsInvalidArgument(RunBlock(session).status()));
  EXPECT_EQ(CountCalls("RunBlock"), 0);
  block_.samples.resize(1);
  device_.Change([](Script* script) {
    script->run_block = [](grpc::ServerContext*, const RunBlockRequest&,
                           FakeDevice::BlockWriter* writer) {
      RunBlockAnswer answer;
      answer.set_outputs(std::string(size_t{64} << 20, 'x'));
      writer->Write(answer);
      return grpc::Status::OK;
    };
  });
  EXPECT_FALSE(RunBlock(session).ok());
}

}  // namespace
}  // namespace assay::rpc
