// Agents that break the rules of proxy.proto, beside a device that must not be
// disturbed, with gRPC over loopback.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "gtest/gtest.h"
#include "rpc/proto/proxy.grpc.pb.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/testing/test_proxy.h"
#include "rpc/transport/authorization.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

// An agent without rules. Its streams end after 10 seconds at the latest.
class HostileAgent {
 public:
  HostileAgent(const TestProxy& proxy, std::string token)
      : token_(std::move(token)),
        stub_(Proxy::NewStub(grpc::CreateChannel(
            proxy.address(), grpc::InsecureChannelCredentials()))) {}

  struct AttachStream {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReaderWriter<AttachRequest, AttachAnswer>>
        stream;
  };
  struct CarryStream {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReaderWriter<ResponseFrame, RequestFrame>>
        stream;
  };

  std::unique_ptr<AttachStream> Attach() {
    auto attach = std::make_unique<AttachStream>();
    Prepare(&attach->context);
    attach->stream = stub_->Attach(&attach->context);
    return attach;
  }
  std::unique_ptr<CarryStream> Carry(const std::string& session) {
    auto carry = std::make_unique<CarryStream>();
    Prepare(&carry->context);
    if (!session.empty()) carry->context.AddMetadata(kSessionKey, session);
    carry->stream = stub_->Carry(&carry->context);
    return carry;
  }

 private:
  void Prepare(grpc::ClientContext* context) {
    context->set_deadline(std::chrono::system_clock::now() +
                          std::chrono::seconds(10));
    if (!token_.empty()) AddToken(token_, context);
  }

  const std::string token_;
  const std::unique_ptr<Proxy::Stub> stub_;
};

class HostileAgentTest : public ::testing::Test {
 protected:
  HostileAgentTest() : good_(proxy_.AddBoard("a")) {
    EXPECT_TRUE(proxy_.WaitUntilAttached(good_));
  }
  // The other device works as before, and has never left.
  ~HostileAgentTest() override {
    EXPECT_TRUE(proxy_.Find("a", "x").ok());
    EXPECT_TRUE(good_.agent->attached());
  }

  AttachRequest Request(const std::string& device) const {
    AttachRequest request;
    request.set_device(device);
    request.set_lease_key(proxy_.tracker().public_pem());
    return request;
  }
  // Attaches the device `b`.
  std::unique_ptr<HostileAgent::AttachStream> AttachB(std::string* session) {
    auto attach = agent_.Attach();
    EXPECT_TRUE(attach->stream->Write(Request("b")));
    AttachAnswer answer;
    EXPECT_TRUE(attach->stream->Read(&answer));
    *session = answer.session();
    return attach;
  }
  // Returns how the proxy ends an Attach with these requests.
  static grpc::Status EndOf(HostileAgent& agent,
                            const std::vector<AttachRequest>& requests) {
    const auto attach = agent.Attach();
    for (const AttachRequest& request : requests) {
      attach->stream->Write(request);
    }
    AttachAnswer answer;
    while (attach->stream->Read(&answer)) {
    }
    return attach->stream->Finish();
  }

  // Lets `b` carry a call of a client, on which it sends what `send` says.
  // Returns how the proxy ends the stream, and how the client's call ends.
  struct Ends {
    grpc::Status agent;
    grpc::Status client;
  };
  Ends CarryCall(const std::function<void(HostileAgent::CarryStream&)>& send) {
    std::string session;
    const auto attach = AttachB(&session);
    const auto carry = agent_.Carry(session);
    Ends ends;
    std::thread client(
        [&] { ends.client = proxy_.Find("b", "x", std::chrono::seconds(1)); });
    RequestFrame frame;
    EXPECT_TRUE(carry->stream->Read(&frame));
    EXPECT_TRUE(frame.has_start());
    send(*carry);
    client.join();
    while (carry->stream->Read(&frame)) {
    }
    ends.agent = carry->stream->Finish();
    // The session lives on.
    EXPECT_EQ(proxy_.board().devices(), 2);
    return ends;
  }

  static ResponseFrame Message(const std::string& bytes) {
    ResponseFrame frame;
    frame.set_message(bytes);
    return frame;
  }
  static ResponseFrame Status(int code) {
    ResponseFrame frame;
    frame.mutable_status()->set_code(code);
    return frame;
  }

  TestProxy proxy_;
  TestProxy::Board& good_;
  HostileAgent agent_{proxy_, proxy_.token("b")};
};

TEST_F(HostileAgentTest, TokensAreChecked) {
  struct Case {
    std::string token;
    grpc::StatusCode code;
  };
  for (const Case& test :
       {Case{"", grpc::StatusCode::UNAUTHENTICATED},
        Case{std::string(64, '0'), grpc::StatusCode::UNAUTHENTICATED},
        Case{"short", grpc::StatusCode::UNAUTHENTICATED},
        Case{proxy_.token("ann"), grpc::StatusCode::PERMISSION_DENIED}}) {
    HostileAgent agent(proxy_, test.token);
    EXPECT_EQ(EndOf(agent, {Request("b")}).error_code(), test.code);
    const auto carry = agent.Carry("x");
    RequestFrame frame;
    EXPECT_FALSE(carry->stream->Read(&frame));
    EXPECT_EQ(carry->stream->Finish().error_code(), test.code);
  }
}

TEST_F(HostileAgentTest, ADeviceCannotReplaceAnother) {
  const grpc::Status status = EndOf(agent_, {Request("a")});
  EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(status.error_message(), HasSubstr("`b`, not of `a`"));
}

TEST_F(HostileAgentTest, RequestsToAttachAreChecked) {
  AttachRequest no_key = Request("b");
  no_key.set_lease_key("no key");
  EXPECT_EQ(EndOf(agent_, {no_key}).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  AttachRequest large = Request("b");
  large.set_lease_key(std::string(1 << 20, 'x'));
  EXPECT_EQ(EndOf(agent_, {large}).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  large.set_lease_key(std::string(3 << 20, 'x'));
  EXPECT_FALSE(EndOf(agent_, {large}).ok());
  EXPECT_EQ(EndOf(agent_, {Request("b"), Request("b")}).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(proxy_.board().devices(), 1);
}

TEST_F(HostileAgentTest, StreamsWithoutARequestDoNotCollect) {
  std::vector<std::unique_ptr<HostileAgent::AttachStream>> streams;
  std::vector<std::thread> readers;
  std::atomic<int> ended{0};
  std::atomic<int> aborted{0};
  for (int i = 0; i < 5; ++i) {
    streams.push_back(agent_.Attach());
    readers.emplace_back([&ended, &aborted, stream = streams.back().get()] {
      AttachAnswer answer;
      EXPECT_FALSE(stream->stream->Read(&answer));
      const grpc::StatusCode code = stream->stream->Finish().error_code();
      aborted += code == grpc::StatusCode::ABORTED ? 1 : 0;
      ++ended;
    });
  }
  // The proxy may see them in another order, and keeps one.
  EXPECT_TRUE(WaitFor([&] { return ended == 4; }));
  for (const auto& stream : streams) stream->context.TryCancel();
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(aborted, 4);
}

TEST_F(HostileAgentTest, SessionsAreChecked) {
  std::string session;
  const auto attach = AttachB(&session);
  HostileAgent other(proxy_, proxy_.token("a"));
  struct Case {
    HostileAgent* agent;
    std::string session;
    grpc::StatusCode code;
  };
  for (const Case& test :
       {Case{&agent_, "", grpc::StatusCode::INVALID_ARGUMENT},
        Case{&agent_, "x", grpc::StatusCode::NOT_FOUND},
        Case{&agent_, std::string(1000, '0'), grpc::StatusCode::NOT_FOUND},
        Case{&other, session, grpc::StatusCode::NOT_FOUND}}) {
    const auto carry = test.agent->Carry(test.session);
    RequestFrame frame;
    EXPECT_FALSE(carry->stream->Read(&frame));
    EXPECT_EQ(carry->stream->Finish().error_code(), test.code);
  }
}

TEST_F(HostileAgentTest, StreamsAreLimited) {
  std::string session;
  const auto attach = AttachB(&session);
  std::vector<std::unique_ptr<HostileAgent::CarryStream>> streams;
  const int limit = ProxyLimits().streams_per_device;
  for (int i = 0; i < limit; ++i) streams.push_back(agent_.Carry(session));
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().streams() == limit + 4; }));
  const auto carry = agent_.Carry(session);
  RequestFrame frame;
  EXPECT_FALSE(carry->stream->Read(&frame));
  EXPECT_EQ(carry->stream->Finish().error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(HostileAgentTest, FramesBeforeACallEndTheStream) {
  std::string session;
  const auto attach = AttachB(&session);
  for (const ResponseFrame& frame :
       {Message("early"), Status(0), ResponseFrame()}) {
    const auto carry = agent_.Carry(session);
    EXPECT_TRUE(carry->stream->Write(frame));
    RequestFrame request;
    EXPECT_FALSE(carry->stream->Read(&request));
    EXPECT_EQ(carry->stream->Finish().error_code(),
              grpc::StatusCode::INVALID_ARGUMENT);
  }
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().streams() == 4; }));
}

TEST_F(HostileAgentTest, EmptyFramesEndTheCall) {
  const Ends ends = CarryCall(
      [](HostileAgent::CarryStream& carry) { carry.stream->Write({}); });
  EXPECT_EQ(ends.agent.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(ends.client.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(ends.client.error_message(), HasSubstr("broken the rules"));
}

TEST_F(HostileAgentTest, MessagesThatAreTooLargeEndTheCall) {
  const Ends ends = CarryCall([](HostileAgent::CarryStream& carry) {
    carry.stream->Write(Message(std::string(kMaxProxiedBytes + 1, 'x')));
  });
  EXPECT_EQ(ends.agent.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(ends.client.error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(HostileAgentTest, MessagesThatGrpcRefusesEndTheCall) {
  const Ends ends = CarryCall([](HostileAgent::CarryStream& carry) {
    carry.stream->Write(Message(std::string(8 << 20, 'x')));
  });
  EXPECT_FALSE(ends.agent.ok());
  EXPECT_EQ(ends.client.error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(HostileAgentTest, NothingFollowsTheStatus) {
  const Ends ends = CarryCall([](HostileAgent::CarryStream& carry) {
    carry.stream->Write(Status(5));
    for (int i = 0; i < 100; ++i) carry.stream->Write(Message("late"));
  });
  EXPECT_EQ(ends.client.error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(HostileAgentTest, NoMoreIsTakenThanWasSent) {
  for (const int taken : {3, -1, 1000000}) {
    const Ends ends = CarryCall([taken](HostileAgent::CarryStream& carry) {
      ResponseFrame frame;
      frame.set_taken(taken);
      carry.stream->Write(frame);
    });
    EXPECT_EQ(ends.agent.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(ends.client.error_code(), grpc::StatusCode::UNAVAILABLE);
  }
}

TEST_F(HostileAgentTest, AnEndWithoutAStatusIsUnavailable) {
  const Ends ends = CarryCall(
      [](HostileAgent::CarryStream& carry) { carry.stream->WritesDone(); });
  EXPECT_EQ(ends.client.error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(HostileAgentTest, CodesThatDoNotExistAreUnknown) {
  const Ends ends = CarryCall([](HostileAgent::CarryStream& carry) {
    carry.stream->Write(Status(-7));
  });
  EXPECT_EQ(ends.client.error_code(), grpc::StatusCode::UNKNOWN);
}

TEST_F(HostileAgentTest, AnswersThatAreNotOfTheMethodReachTheClientOnly) {
  const Ends ends = CarryCall([](HostileAgent::CarryStream& carry) {
    carry.stream->Write(Message("\xff\xff\xff"));
    carry.stream->Write(Message("a second answer of a unary call"));
    carry.stream->Write(Status(0));
  });
  EXPECT_FALSE(ends.client.ok());
}

TEST_F(HostileAgentTest, AFloodOfMessagesEndsWithTheCall) {
  const Ends ends = CarryCall([](HostileAgent::CarryStream& carry) {
    const ResponseFrame frame = Message(std::string(1 << 20, 'x'));
    for (int i = 0; i < 100 && carry.stream->Write(frame); ++i) {
    }
  });
  EXPECT_FALSE(ends.client.ok());
}

}  // namespace
}  // namespace assay::rpc
