#include "rpc/proxy/call/relay.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/call/testing/fake_streams.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kSecond = 1'000'000'000;

class RelayTest : public ::testing::Test {
 protected:
  RelayTest() { relay_->Wait(); }
  ~RelayTest() override {
    carry_->Release();
    client_->Release();
  }

  // Begins a call, whose start the agent has received.
  void RunCall() {
    relay_->Run(client_, start_);
    EXPECT_THAT(Frames(), ElementsAre("start"));
    carry_->FinishWrite();
  }

  // Returns what the agent has received.
  std::vector<std::string> Frames() {
    std::vector<std::string> frames;
    for (const std::string& bytes : carry_->TakeWritten()) {
      RequestFrame frame;
      EXPECT_TRUE(frame.ParseFromString(bytes));
      frames.push_back(frame.has_start()     ? "start"
                       : frame.has_message() ? frame.message()
                                             : "end");
    }
    return frames;
  }

  void Respond(const std::string& message) {
    EXPECT_TRUE(carry_->Deliver(ResponseMessageFrame(ToBuffer(message))));
  }
  void Take(int messages) {
    EXPECT_TRUE(carry_->Deliver(TakenFrame(messages)));
  }
  void RespondStatus(grpc::StatusCode code, const std::string& message = "") {
    EXPECT_TRUE(carry_->Deliver(StatusFrame(grpc::Status(code, message))));
  }

  void ExpectClient(grpc::StatusCode code, const std::string& message = "") {
    ASSERT_TRUE(client_->ended());
    EXPECT_EQ(client_->status().error_code(), code);
    EXPECT_THAT(client_->status().error_message(), HasSubstr(message));
  }
  void ExpectCarry(grpc::StatusCode code, const std::string& message = "") {
    ASSERT_TRUE(carry_->ended());
    EXPECT_EQ(carry_->status().error_code(), code);
    EXPECT_THAT(carry_->status().error_message(), HasSubstr(message));
  }

  const grpc::ByteBuffer start_ =
      StartFrame("/assay.rpc.Device/Open", "lease", kSecond);
  FakeClock clock_;
  const std::shared_ptr<FakeAnswerStream> carry_ =
      std::make_shared<FakeAnswerStream>();
  const std::shared_ptr<FakeAnswerStream> client_ =
      std::make_shared<FakeAnswerStream>();
  const std::shared_ptr<Relay> relay_ =
      std::make_shared<Relay>(carry_, &clock_);
};

TEST_F(RelayTest, PassesAUnaryCall) {
  RunCall();
  EXPECT_TRUE(client_->Deliver("question"));
  EXPECT_THAT(Frames(), ElementsAre("question"));
  EXPECT_TRUE(client_->DeliverEnd());
  EXPECT_THAT(Frames(), IsEmpty());
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("end"));
  carry_->FinishWrite();
  Respond("answer");
  EXPECT_THAT(client_->TakeWritten(), ElementsAre("answer"));
  RespondStatus(grpc::StatusCode::OK);
  EXPECT_FALSE(client_->ended());  // the answer is still being written
  client_->FinishWrite();
  ExpectClient(grpc::StatusCode::OK);
  ExpectCarry(grpc::StatusCode::OK);
  EXPECT_FALSE(carry_->cancelled());
  EXPECT_FALSE(client_->cancelled());
}

TEST_F(RelayTest, PassesStatusAndMessage) {
  RunCall();
  RespondStatus(grpc::StatusCode::FAILED_PRECONDITION, "at another offset");
  ExpectClient(grpc::StatusCode::FAILED_PRECONDITION, "at another offset");
  ExpectCarry(grpc::StatusCode::OK);
}

TEST_F(RelayTest, ASlowDeviceSlowsDownTheClient) {
  RunCall();
  EXPECT_TRUE(client_->Deliver("1"));
  EXPECT_TRUE(client_->Deliver("2"));
  EXPECT_FALSE(client_->Deliver("3"));  // nobody reads
  EXPECT_THAT(Frames(), ElementsAre("1"));
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("2"));
  EXPECT_TRUE(client_->Deliver("3"));
  EXPECT_FALSE(client_->Deliver("4"));
}

TEST_F(RelayTest, AServerThatTakesNothingSlowsDownTheClient) {
  RunCall();
  for (const char* message : {"1", "2", "3"}) {
    EXPECT_TRUE(client_->Deliver(message));
    EXPECT_THAT(Frames(), ElementsAre(message));
    EXPECT_TRUE(carry_->FinishWrite());
  }
  EXPECT_TRUE(client_->Deliver("4"));  // is held
  EXPECT_FALSE(client_->Deliver("5"));
  EXPECT_THAT(Frames(), IsEmpty());
  Take(2);
  EXPECT_THAT(Frames(), ElementsAre("4"));
  EXPECT_TRUE(client_->Deliver("5"));
  EXPECT_TRUE(carry_->FinishWrite());
  EXPECT_THAT(Frames(), ElementsAre("5"));
  EXPECT_TRUE(client_->DeliverEnd());
  EXPECT_TRUE(carry_->FinishWrite());
  EXPECT_THAT(Frames(), IsEmpty());
  Take(1);
  EXPECT_THAT(Frames(), ElementsAre("end"));
}

TEST_F(RelayTest, NoMoreIsTakenThanWasSent) {
  RunCall();
  EXPECT_TRUE(client_->Deliver("1"));
  Take(1);
  EXPECT_FALSE(carry_->ended());
  Take(1);
  ExpectCarry(grpc::StatusCode::INVALID_ARGUMENT, "more messages are taken");
  ExpectClient(grpc::StatusCode::UNAVAILABLE, "broken the rules");
}

TEST_F(RelayTest, ASlowClientSlowsDownTheDevice) {
  RunCall();
  Respond("1");
  Respond("2");
  EXPECT_FALSE(carry_->Deliver(ResponseMessageFrame(ToBuffer("3"))));
  EXPECT_THAT(client_->TakeWritten(), ElementsAre("1"));
  client_->FinishWrite();
  EXPECT_THAT(client_->TakeWritten(), ElementsAre("2"));
  RespondStatus(grpc::StatusCode::OK);
  EXPECT_FALSE(client_->ended());
  client_->FinishWrite();
  ExpectClient(grpc::StatusCode::OK);
}

TEST_F(RelayTest, AStatusNeedNotWaitForRequests) {
  RunCall();
  EXPECT_TRUE(client_->Deliver("1"));
  EXPECT_TRUE(client_->Deliver("2"));
  RespondStatus(grpc::StatusCode::DATA_LOSS);
  ExpectClient(grpc::StatusCode::DATA_LOSS);
  ExpectCarry(grpc::StatusCode::OK);
  // Otherwise, the request that the agent does not read would block the end.
  EXPECT_TRUE(carry_->cancelled());
}

TEST_F(RelayTest, AClientThatLeavesCancelsTheCall) {
  RunCall();
  EXPECT_TRUE(client_->Disconnect());
  ExpectClient(grpc::StatusCode::CANCELLED);
  ExpectCarry(grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(carry_->cancelled());
}

TEST_F(RelayTest, AClientMayLeaveBeforeTheCallBegins) {
  EXPECT_TRUE(client_->Disconnect());
  relay_->Run(client_, start_);
  ExpectCarry(grpc::StatusCode::CANCELLED);
  EXPECT_THAT(Frames(), IsEmpty());
}

TEST_F(RelayTest, AClientMayLeaveAfterTheStatus) {
  RunCall();
  Respond("1");
  RespondStatus(grpc::StatusCode::OK);
  EXPECT_TRUE(client_->Disconnect());
  ExpectClient(grpc::StatusCode::CANCELLED);
}

TEST_F(RelayTest, ALostDeviceIsUnavailable) {
  RunCall();
  Respond("1");
  EXPECT_TRUE(carry_->Disconnect());
  ExpectClient(grpc::StatusCode::UNAVAILABLE, "lost");
  EXPECT_FALSE(client_->cancelled());  // it gets the status
}

TEST_F(RelayTest, AStreamThatEndsWithoutAStatusIsUnavailable) {
  RunCall();
  EXPECT_TRUE(carry_->DeliverEnd());
  ExpectClient(grpc::StatusCode::UNAVAILABLE, "lost");
  EXPECT_TRUE(carry_->ended());
}

TEST_F(RelayTest, ADeviceMayBeLostWhileItWaits) {
  EXPECT_TRUE(carry_->Disconnect());
  EXPECT_TRUE(carry_->ended());
  relay_->Run(client_, start_);
  ExpectClient(grpc::StatusCode::UNAVAILABLE, "lost");
}

TEST_F(RelayTest, AnAgentThatSpeaksBeforeTheCallBreaksTheRules) {
  Respond("early");
  ExpectCarry(grpc::StatusCode::INVALID_ARGUMENT, "precedes");
  relay_->Run(client_, start_);
  ExpectClient(grpc::StatusCode::UNAVAILABLE);
}

TEST_F(RelayTest, AnAgentThatBreaksTheRulesLosesTheCall) {
  RunCall();
  EXPECT_TRUE(carry_->Deliver("\xff\xff\xff"));
  ExpectCarry(grpc::StatusCode::INVALID_ARGUMENT, "not a message");
  ExpectClient(grpc::StatusCode::UNAVAILABLE, "broken the rules");
}

TEST_F(RelayTest, AnAgentThatSendsTooMuchLosesTheCall) {
  RunCall();
  Respond(std::string(kMaxProxiedBytes + 1, 'x'));
  ExpectCarry(grpc::StatusCode::RESOURCE_EXHAUSTED);
  ExpectClient(grpc::StatusCode::UNAVAILABLE, "broken the rules");
}

TEST_F(RelayTest, AnAgentMaySendNothingAfterTheStatus) {
  RunCall();
  Respond("1");
  RespondStatus(grpc::StatusCode::OK);
  EXPECT_FALSE(carry_->Deliver(ResponseMessageFrame(ToBuffer("2"))));
  client_->FinishWrite();
  EXPECT_THAT(client_->TakeWritten(), ElementsAre("1"));
  ExpectClient(grpc::StatusCode::OK);
}

TEST_F(RelayTest, LargeMessagesOfTheClientAreRefused) {
  RunCall();
  EXPECT_TRUE(client_->Deliver(std::string(kMaxProxiedBytes + 1, 'x')));
  ExpectClient(grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(carry_->cancelled());
  EXPECT_TRUE(carry_->ended());
}

TEST_F(RelayTest, StopEndsBothStreams) {
  RunCall();
  relay_->Stop(absl::UnavailableError("for the client"),
               absl::AbortedError("for the agent"));
  ExpectClient(grpc::StatusCode::UNAVAILABLE, "for the client");
  ExpectCarry(grpc::StatusCode::ABORTED, "for the agent");
  relay_->Stop(absl::InternalError("late"), absl::InternalError("late"));
  ExpectClient(grpc::StatusCode::UNAVAILABLE);
}

TEST_F(RelayTest, IdleCallsEnd) {
  RunCall();
  clock_.Advance(2 * kSecond);
  relay_->StopIfIdle(3 * kSecond);
  EXPECT_TRUE(client_->Deliver("1"));
  clock_.Advance(2 * kSecond);
  relay_->StopIfIdle(3 * kSecond);
  EXPECT_FALSE(client_->ended());
  clock_.Advance(kSecond);
  relay_->StopIfIdle(3 * kSecond);
  ExpectClient(grpc::StatusCode::DEADLINE_EXCEEDED, "for 3 s");
  EXPECT_TRUE(carry_->ended());
  EXPECT_TRUE(carry_->cancelled());
  EXPECT_TRUE(client_->cancelled());
}

TEST_F(RelayTest, AStreamMayWaitForLong) {
  clock_.Advance(1000 * kSecond);
  relay_->StopIfIdle(kSecond);
  EXPECT_FALSE(carry_->ended());
  RunCall();
  relay_->StopIfIdle(kSecond);
  EXPECT_FALSE(carry_->ended());
}

TEST_F(RelayTest, AClientThatDoesNotReadTheEndIsCancelled) {
  RunCall();
  Respond("1");
  EXPECT_TRUE(carry_->Disconnect());
  EXPECT_FALSE(client_->cancelled());
  clock_.Advance(kSecond);
  relay_->StopIfIdle(kSecond);
  EXPECT_TRUE(client_->cancelled());
  ExpectClient(grpc::StatusCode::UNAVAILABLE);
}

TEST_F(RelayTest, StreamsKeepTheRelayAlive) {
  auto carry = std::make_shared<FakeAnswerStream>();
  auto client = std::make_shared<FakeAnswerStream>();
  auto relay = std::make_shared<Relay>(carry);
  const std::weak_ptr<Relay> weak = relay;
  relay->Wait();
  relay->Run(client, start_);
  relay.reset();
  EXPECT_TRUE(client->Disconnect());
  EXPECT_TRUE(carry->ended());
  carry->Release();
  EXPECT_FALSE(weak.expired());
  client->Release();
  EXPECT_TRUE(weak.expired());
}

}  // namespace
}  // namespace assay::rpc
