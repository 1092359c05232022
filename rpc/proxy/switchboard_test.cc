#include "rpc/proxy/switchboard.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/call/stream.h"
#include "rpc/proxy/call/testing/fake_streams.h"
#include "rpc/server/testing/test_tracker.h"
#include "runtime/base/random.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

ProxyLimits SmallLimits() {
  ProxyLimits limits;
  limits.devices = 2;
  limits.calls_per_device = 4;
  limits.wait_nanos = 100'000'000;
  return limits;
}

class SwitchboardTest : public ::testing::Test {
 protected:
  ~SwitchboardTest() override {
    board_.Stop(0);
    for (const auto& stream : streams_) stream->Release();
    for (const int64_t stream : carries_) board_.CarryGone(stream);
    for (const int64_t call : calls_) board_.CallGone(call);
  }

  std::shared_ptr<FakeAnswerStream> NewStream() {
    streams_.push_back(std::make_shared<FakeAnswerStream>());
    return streams_.back();
  }
  // Opens a stream of Attach and begins a session.
  absl::StatusOr<Switchboard::SessionName> Attach(
      const std::string& device, const std::shared_ptr<AnswerStream>& stream) {
    const absl::Status attaching =
        board_.Attaching(device, board_.NewNumber(), stream);
    if (!attaching.ok()) return attaching;
    return board_.BeginSession(device, tracker_.public_pem(), stream);
  }
  Switchboard::SessionName Attach(const std::string& device) {
    auto session = Attach(device, NewStream());
    EXPECT_TRUE(session.ok()) << session.status();
    return *session;
  }
  std::shared_ptr<FakeAnswerStream> Carry(
      const std::string& device, const Switchboard::SessionName& session) {
    auto stream = NewStream();
    carries_.push_back(board_.NewNumber());
    const absl::Status status =
        board_.AddCarry(device, session.secret, carries_.back(), stream);
    EXPECT_TRUE(status.ok()) << status;
    return stream;
  }
  absl::Status Call(const std::string& device,
                    const std::shared_ptr<AnswerStream>& stream,
                    int64_t token = 1) {
    Switchboard::Call call;
    call.method = "/assay.rpc.Device/Open";
    call.device = device;
    call.lease = tracker_.Sign({device, "ann", token});
    call.deadline = std::chrono::system_clock::now() + std::chrono::seconds(9);
    call.stream = stream;
    calls_.push_back(board_.NewNumber());
    return board_.AddCall(call, calls_.back());
  }
  static RequestFrame::Start StartOf(FakeAnswerStream& carry) {
    const auto written = carry.TakeWritten();
    EXPECT_EQ(written.size(), 1);
    RequestFrame frame;
    EXPECT_TRUE(!written.empty() && frame.ParseFromString(written[0]));
    return frame.start();
  }

  const SigningTracker tracker_;
  EventLog log_{stderr, "proxy"};
  std::vector<std::shared_ptr<FakeAnswerStream>> streams_;
  std::vector<int64_t> carries_;
  std::vector<int64_t> calls_;
  Switchboard board_{SmallLimits(), &log_};
};

TEST_F(SwitchboardTest, ACallTakesAStream) {
  const auto session = Attach("a");
  const auto carry = Carry("a", session);
  const auto client = NewStream();
  EXPECT_TRUE(Call("a", client).ok());
  const RequestFrame::Start start = StartOf(*carry);
  EXPECT_EQ(start.method(), "/assay.rpc.Device/Open");
  EXPECT_EQ(start.lease(), tracker_.Sign({"a", "ann", 1}));
  EXPECT_GT(start.timeout_nanos(), int64_t{8} * 1'000'000'000);
  EXPECT_LE(start.timeout_nanos(), int64_t{9} * 1'000'000'000);
  EXPECT_EQ(board_.devices(), 1);
  EXPECT_EQ(board_.streams(), 1);
  EXPECT_EQ(board_.calls(), 1);
}

TEST_F(SwitchboardTest, ACallWaitsForAStream) {
  const auto session = Attach("a");
  const auto client = NewStream();
  EXPECT_TRUE(Call("a", client).ok());
  const auto carry = Carry("a", session);
  EXPECT_EQ(StartOf(*carry).method(), "/assay.rpc.Device/Open");
  EXPECT_FALSE(client->ended());
}

TEST_F(SwitchboardTest, ACallDoesNotWaitForEver) {
  Attach("a");
  // The thread that ends the call is joined before its stream is looked at.
  const auto client = NewStream();
  EXPECT_TRUE(Call("a", client).ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  board_.Stop(0);
  ASSERT_TRUE(client->ended());
  EXPECT_EQ(client->status().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(client->status().error_message(), HasSubstr("not taken"));
}

TEST_F(SwitchboardTest, AClientThatLeavesWhileItWaitsIsForgotten) {
  const auto session = Attach("a");
  EXPECT_TRUE(Call("a", NewStream()).ok());
  board_.CallGone(calls_.back());
  const auto carry = Carry("a", session);
  EXPECT_TRUE(carry->TakeWritten().empty());
  EXPECT_EQ(board_.calls(), 0);
}

TEST_F(SwitchboardTest, LeasesAreChecked) {
  const auto session = Attach("a");
  Carry("a", session);
  const auto client = NewStream();
  EXPECT_TRUE(Call("a", client, /*token=*/5).ok());
  EXPECT_TRUE(absl::IsAborted(Call("a", client, /*token=*/4)));
  Switchboard::Call call;
  call.device = "a";
  call.lease = "x";
  EXPECT_TRUE(absl::IsUnauthenticated(board_.AddCall(call, 1000)));
  EXPECT_TRUE(absl::IsUnavailable(Call("b", client)));
}

TEST_F(SwitchboardTest, SessionsBelongToTheirDevice) {
  const auto a = Attach("a");
  const auto b = Attach("b");
  const auto stream = NewStream();
  EXPECT_TRUE(absl::IsNotFound(
      board_.AddCarry("a", b.secret, board_.NewNumber(), stream)));
  EXPECT_TRUE(
      absl::IsNotFound(board_.AddCarry("a", "", board_.NewNumber(), stream)));
  const auto third = Attach("c", stream);
  EXPECT_TRUE(absl::IsResourceExhausted(third.status()));
}

TEST_F(SwitchboardTest, LeaseKeysAreChecked) {
  const auto stream = NewStream();
  EXPECT_TRUE(board_.Attaching("a", board_.NewNumber(), stream).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(
      board_.BeginSession("a", "no key", stream).status()));
  EXPECT_EQ(board_.devices(), 0);
}

TEST_F(SwitchboardTest, ASecondSessionReplacesTheFirst) {
  const auto attached = NewStream();
  const auto first = Attach("a", attached);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto carry = Carry("a", *first);
  const auto client = NewStream();
  const auto waiting = NewStream();
  EXPECT_TRUE(Call("a", client).ok());
  EXPECT_TRUE(Call("a", waiting).ok());
  const auto second = Attach("a");
  EXPECT_EQ(attached->status().error_code(), grpc::StatusCode::ABORTED);
  EXPECT_EQ(carry->status().error_code(), grpc::StatusCode::ABORTED);
  EXPECT_EQ(client->status().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(waiting->status().error_code(), grpc::StatusCode::UNAVAILABLE);
  // The end of the first session has come already.
  board_.EndSession(first->number, absl::CancelledError("late"));
  EXPECT_EQ(board_.devices(), 1);
  Carry("a", second);
}

TEST_F(SwitchboardTest, AStreamWithoutARequestIsReplaced) {
  const auto first = NewStream();
  const auto second = NewStream();
  EXPECT_TRUE(board_.Attaching("a", 1001, first).ok());
  EXPECT_TRUE(board_.Attaching("a", 1002, second).ok());
  EXPECT_EQ(first->status().error_code(), grpc::StatusCode::ABORTED);
  board_.AttachGone("a", 1001);
  const std::string key = tracker_.public_pem();
  EXPECT_TRUE(absl::IsAborted(board_.BeginSession("a", key, first).status()));
  EXPECT_TRUE(board_.BeginSession("a", key, second).ok());
}

TEST_F(SwitchboardTest, StopRefusesAndEndsEverything) {
  const auto attached = NewStream();
  const auto attaching = NewStream();
  const auto session = Attach("a", attached);
  const auto carry = Carry("a", *session);
  EXPECT_TRUE(board_.Attaching("b", board_.NewNumber(), attaching).ok());
  const auto client = NewStream();
  EXPECT_TRUE(Call("a", client).ok());
  board_.Stop(/*grace_nanos=*/1'000'000);
  for (const auto& stream : {attached, attaching, carry, client}) {
    ASSERT_TRUE(stream->ended());
    EXPECT_EQ(stream->status().error_code(), grpc::StatusCode::UNAVAILABLE);
  }
  EXPECT_TRUE(absl::IsUnavailable(Call("a", client)));
  EXPECT_TRUE(absl::IsUnavailable(Attach("b", attaching).status()));
}

TEST_F(SwitchboardTest, StopWaitsForCalls) {
  const auto session = Attach("a");
  const auto carry = Carry("a", session);
  const auto client = NewStream();
  EXPECT_TRUE(Call("a", client).ok());
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    carry->FinishWrite();
    EXPECT_TRUE(carry->Deliver(StatusFrame(grpc::Status::OK)));
    board_.CallGone(calls_.back());
  });
  board_.Stop(/*grace_nanos=*/int64_t{5} * 1'000'000'000);
  end.join();
  EXPECT_TRUE(client->status().ok());
}

// A stream whose other side says nothing, for several threads.
class SilentStream : public AnswerStream {
 public:
  explicit SilentStream(std::atomic<int>* ended) : ended_(ended) {}
  bool SetOwner(std::shared_ptr<AnswerOwner> owner) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_ended_) return false;
    owner_ = std::move(owner);
    return true;
  }
  void Read() override {}
  void Write(grpc::ByteBuffer) override {}
  void Cancel() override {}
  void End(const grpc::Status&) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_ended_) ++*ended_;
    is_ended_ = true;
  }
  // The other side leaves, and gRPC is done with the call.
  void Leave() {
    std::shared_ptr<AnswerOwner> owner;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      owner = std::move(owner_);
      owner_.reset();
    }
    if (owner != nullptr) owner->OnCancelled();
    End(grpc::Status::CANCELLED);
  }

 private:
  std::atomic<int>* const ended_;
  std::mutex mutex_;
  bool is_ended_ = false;
  std::shared_ptr<AnswerOwner> owner_;
};

TEST(SwitchboardThreadsTest, NothingIsLeftAfterRandomOperations) {
  const SigningTracker tracker;
  const std::vector<std::string> devices = {"a", "b"};
  std::vector<std::string> leases;
  for (const std::string& device : devices) {
    leases.push_back(tracker.Sign({device, "ann", 1, 0, 600}));
  }
  const std::string key = tracker.public_pem();
  EventLog log(fopen("/dev/null", "w"), "proxy");
  Switchboard board(ProxyLimits(), &log);
  std::atomic<int> streams{0};
  std::atomic<int> ended{0};
  std::atomic<int> running{0};
  std::mutex mutex;
  std::vector<Switchboard::SessionName> sessions(2);

  const auto work = [&](uint64_t seed) {
    Rng rng(seed);
    for (int step = 0; step < 400; ++step) {
      const size_t which = static_cast<size_t>(rng.UniformInt(0, 1));
      const std::string& device = devices[which];
      const int64_t number = board.NewNumber();
      const auto stream = std::make_shared<SilentStream>(&ended);
      ++streams;
      const int64_t kind = rng.UniformInt(0, 19);
      if (kind == 0) {
        if (board.Attaching(device, number, stream).ok()) {
          const auto session = board.BeginSession(device, key, stream);
          const std::lock_guard<std::mutex> lock(mutex);
          if (session.ok()) sessions[which] = *session;
        }
        board.AttachGone(device, number);
        // The session lives on after its stream, as long as nobody ends it.
      } else if (kind <= 10) {
        std::string secret;
        {
          const std::lock_guard<std::mutex> lock(mutex);
          secret = sessions[which].secret;
        }
        if (board.AddCarry(device, secret, number, stream).ok()) {
          std::this_thread::yield();
        }
        stream->Leave();
        board.CarryGone(number);
      } else {
        Switchboard::Call call;
        call.method = "/assay.rpc.Device/Open";
        call.device = device;
        call.lease = leases[which];
        call.deadline =
            std::chrono::system_clock::now() + std::chrono::seconds(9);
        call.stream = stream;
        if (board.AddCall(call, number).ok()) {
          ++running;
          std::this_thread::yield();
        }
        stream->Leave();
        board.CallGone(number);
      }
      if (kind == 0) stream->Leave();
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(board.streams(), 0);
  EXPECT_EQ(board.calls(), 0);
  board.Stop(0);
  EXPECT_EQ(board.devices(), 0);
  EXPECT_EQ(ended, streams);
  EXPECT_GT(running, 10);
}

}  // namespace
}  // namespace assay::rpc
