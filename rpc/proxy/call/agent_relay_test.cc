#include "rpc/proxy/call/agent_relay.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/call/stream.h"
#include "rpc/proxy/call/testing/fake_streams.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AgentRelayTest : public ::testing::Test {
 protected:
  AgentRelayTest()
      : relay_([this](const RequestFrame::Start& start, CallOwner* owner) {
          opened_ = start;
          auto local = std::make_unique<FakeCallStream>(owner);
          local_ = local.get();
          return local;
        }) {
    auto carry = std::make_unique<FakeCallStream>(relay_.carry_owner());
    carry_ = carry.get();
    relay_.Start(std::move(carry));
  }

  void StartCall() {
    EXPECT_TRUE(relay_.waiting());
    EXPECT_TRUE(
        carry_->Deliver(StartFrame("/assay.rpc.Device/Open", "lease", 7)));
    ASSERT_NE(local_, nullptr);
    EXPECT_FALSE(relay_.waiting());
    EXPECT_TRUE(relay_.started());
  }
  bool Request(const std::string& message) {
    return carry_->Deliver(RequestMessageFrame(ToBuffer(message)));
  }
  // Returns what the proxy has received.
  std::vector<std::string> Frames() {
    std::vector<std::string> frames;
    for (const std::string& bytes : carry_->TakeWritten()) {
      ResponseFrame frame;
      EXPECT_TRUE(frame.ParseFromString(bytes));
      frames.push_back(frame.has_taken() ? absl::StrCat("taken ", frame.taken())
                       : frame.has_message()
                           ? frame.message()
                           : absl::StrCat("status ", frame.status().code(), " ",
                                          frame.status().message()));
    }
    return frames;
  }

  RequestFrame::Start opened_;
  FakeCallStream* carry_ = nullptr;
  FakeCallStream* local_ = nullptr;  // null until a call starts
  AgentRelay relay_;
};

TEST_F(AgentRelayTest, PassesAUnaryCall) {
  StartCall();
  EXPECT_EQ(opened_.method(), "/assay.rpc.Device/Open");
  EXPECT_EQ(opened_.lease(), "lease");
  EXPECT_EQ(opened_.timeout_nanos(), 7);
  EXPECT_TRUE(Request("question"));
  EXPECT_THAT(local_->TakeWritten(), ElementsAre("question"));
  EXPECT_TRUE(carry_->Deliver(EndFrame()));
  EXPECT_FALSE(local_->writes_ended());
  local_->FinishWrite();
  EXPECT_TRUE(local_->writes_ended());
  EXPECT_THAT(Frames(), ElementsAre("taken 1"));
  carry_->FinishWrite();
  EXPECT_TRUE(local_->Deliver("answer"));
  EXPECT_THAT(Frames(), ElementsAre("answer"));
  local_->Finish(grpc::Status::OK);
  EXPECT_THAT(Frames(), IsEmpty());
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("status 0 "));
  EXPECT_FALSE(carry_->writes_ended());
  carry_->FinishWrite();
  EXPECT_TRUE(carry_->writes_ended());
  EXPECT_FALSE(relay_.done());
  carry_->Finish(grpc::Status::OK);
  EXPECT_TRUE(relay_.done());
  EXPECT_FALSE(local_->cancelled());
  EXPECT_TRUE(relay_.error().ok());
}

TEST_F(AgentRelayTest, PassesStatusAndMessage) {
  StartCall();
  local_->Finish(grpc::Status(grpc::StatusCode::ABORTED, "the lease is lost"));
  EXPECT_THAT(Frames(), ElementsAre("status 10 the lease is lost"));
}

TEST_F(AgentRelayTest, TellsWhichRequestsAreTaken) {
  StartCall();
  for (const char* message : {"1", "2", "3"}) EXPECT_TRUE(Request(message));
  EXPECT_THAT(local_->TakeWritten(), ElementsAre("1"));
  EXPECT_THAT(Frames(), IsEmpty());
  local_->FinishWrite();
  EXPECT_THAT(local_->TakeWritten(), ElementsAre("2"));
  EXPECT_THAT(Frames(), ElementsAre("taken 1"));
  local_->FinishWrite();
  local_->FinishWrite();
  EXPECT_THAT(Frames(), IsEmpty());
  EXPECT_TRUE(local_->Deliver("answer"));
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("taken 2"));
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("answer"));
  EXPECT_THAT(local_->TakeWritten(), ElementsAre("3"));
  for (const char* message : {"4", "5", "6"}) EXPECT_TRUE(Request(message));
  EXPECT_TRUE(relay_.error().ok());
  // What was taken counts until the proxy can know.
  local_->FinishWrite();
  EXPECT_TRUE(Request("7"));
  EXPECT_FALSE(relay_.error().ok());
}

TEST_F(AgentRelayTest, AProxyThatDoesNotWaitLosesTheCall) {
  StartCall();
  for (const char* message : {"1", "2", "3"}) EXPECT_TRUE(Request(message));
  EXPECT_TRUE(relay_.error().ok());
  EXPECT_TRUE(Request("4"));
  EXPECT_THAT(relay_.error().message(), HasSubstr("not taken"));
  EXPECT_TRUE(carry_->cancelled());
  EXPECT_TRUE(local_->cancelled());
}

TEST_F(AgentRelayTest, ASlowProxySlowsDownTheServer) {
  StartCall();
  EXPECT_TRUE(local_->Deliver("1"));
  EXPECT_TRUE(local_->Deliver("2"));
  EXPECT_FALSE(local_->Deliver("3"));
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("1", "2"));
  EXPECT_TRUE(local_->Deliver("3"));
  local_->Finish(grpc::Status::OK);
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("3"));
  carry_->FinishWrite();
  EXPECT_THAT(Frames(), ElementsAre("status 0 "));
}

TEST_F(AgentRelayTest, RequestsAfterTheEndOfTheCallAreIgnored) {
  StartCall();
  EXPECT_TRUE(Request("1"));
  local_->Finish(grpc::Status::OK);
  EXPECT_TRUE(Request("2"));
  EXPECT_TRUE(Request("3"));
  EXPECT_TRUE(carry_->Deliver(EndFrame()));
  EXPECT_THAT(Frames(), ElementsAre("status 0 "));
  EXPECT_THAT(local_->TakeWritten(), ElementsAre("1"));
  EXPECT_FALSE(local_->writes_ended());
}

TEST_F(AgentRelayTest, AStreamThatEndsCancelsTheCall) {
  StartCall();
  EXPECT_TRUE(local_->Deliver("1"));
  carry_->Finish(grpc::Status::CANCELLED);
  EXPECT_TRUE(local_->cancelled());
  EXPECT_FALSE(relay_.done());
  EXPECT_TRUE(local_->Deliver("2"));  // was on its way
  local_->Finish(grpc::Status::CANCELLED);
  EXPECT_TRUE(relay_.done());
}

TEST_F(AgentRelayTest, AStreamMayEndWhileItWaits) {
  carry_->Finish(grpc::Status::CANCELLED);
  EXPECT_FALSE(relay_.waiting());
  EXPECT_FALSE(relay_.started());
  EXPECT_TRUE(relay_.done());
}

TEST_F(AgentRelayTest, AProxyThatBreaksTheRulesLosesTheCall) {
  StartCall();
  EXPECT_TRUE(carry_->Deliver("\xff\xff"));
  EXPECT_TRUE(carry_->cancelled());
  EXPECT_TRUE(local_->cancelled());
  EXPECT_THAT(relay_.error().message(), HasSubstr("not a message"));
}

TEST_F(AgentRelayTest, OnlyMethodsOfTheDeviceAreCalled) {
  EXPECT_TRUE(
      carry_->Deliver(StartFrame("/assay.rpc.Tracker/List", "lease", 7)));
  EXPECT_EQ(local_, nullptr);
  EXPECT_TRUE(carry_->cancelled());
  carry_->Finish(grpc::Status::CANCELLED);
  EXPECT_TRUE(relay_.done());
}

TEST_F(AgentRelayTest, LargeMessagesOfTheServerAreRefused) {
  StartCall();
  EXPECT_TRUE(local_->Deliver(std::string(kMaxProxiedBytes + 1, 'x')));
  EXPECT_TRUE(local_->cancelled());
  local_->Finish(grpc::Status::CANCELLED);
  EXPECT_THAT(Frames(), ElementsAre(HasSubstr("status 8 ")));
}

TEST_F(AgentRelayTest, CancelEndsBothStreams) {
  StartCall();
  relay_.Cancel();
  EXPECT_TRUE(carry_->cancelled());
  EXPECT_TRUE(local_->cancelled());
}

}  // namespace
}  // namespace assay::rpc
