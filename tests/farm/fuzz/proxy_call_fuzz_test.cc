// Fuzz test of the calls that pass through the proxy (rpc/proxy/call/relay.h
// and agent_relay.h). The bytes decide in which order things happen, and are
// the frames of a hostile side:
//   0  an agent that sends anything to the proxy
//   1  a proxy that sends anything to the agent
//   2  both as they are, with a client and a server that do anything in any
//      order: neither may find that the other has broken a rule
// The streams check the rules of rpc/proxy/call/stream.h. Whatever happens,
// messages keep their order and none is invented, a bounded number of them is
// held, and both streams end.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/proxy/call/agent_relay.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/call/relay.h"
#include "rpc/proxy/call/stream.h"
#include "rpc/proxy/call/testing/fake_streams.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// The bytes of the fuzzer as decisions and texts. At their end, 0 and "".
class Input {
 public:
  explicit Input(absl::string_view bytes) : bytes_(bytes) {}

  bool AtEnd() const { return bytes_.empty(); }
  int Byte() {
    if (bytes_.empty()) return 0;
    const int byte = static_cast<uint8_t>(bytes_[0]);
    bytes_.remove_prefix(1);
    return byte;
  }
  // Returns a number from 0 to `count` - 1.
  int Of(int count) { return Byte() % count; }
  std::string Text() {
    const size_t size = std::min<size_t>(Byte(), bytes_.size());
    const std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }

 private:
  absl::string_view bytes_;
};

grpc::Status StatusFrom(int code) {
  return grpc::Status(static_cast<grpc::StatusCode>(code % 17), "message");
}

void CheckPrefix(const std::vector<std::string>& part,
                 const std::vector<std::string>& whole) {
  CHECK(part.size() <= whole.size());
  for (size_t i = 0; i < part.size(); ++i) CHECK(part[i] == whole[i]);
}

// The proxy with a client, whose messages are known.
struct ProxySide {
  FakeClock clock;
  std::shared_ptr<FakeAnswerStream> carry =
      std::make_shared<FakeAnswerStream>();
  std::shared_ptr<FakeAnswerStream> client =
      std::make_shared<FakeAnswerStream>();
  std::shared_ptr<Relay> relay = std::make_shared<Relay>(carry, &clock);
  bool running = false;
  std::vector<std::string> requests = {};   // that the client has sent
  std::vector<std::string> responses = {};  // that the client has received

  ProxySide() { relay->Wait(); }
  ~ProxySide() {
    // Both sides leave: nothing may wait for anything else.
    carry->Disconnect();
    if (running) client->Disconnect();
    CHECK(carry->ended());
    CHECK(client->ended() || !running);
    carry->Release();
    client->Release();
    const std::weak_ptr<Relay> weak = relay;
    relay.reset();
    CHECK(weak.expired());
  }

  void Run() {
    if (std::exchange(running, true)) return;
    relay->Run(client, StartFrame("/assay.rpc.Device/Open", "lease", kSecond));
  }
  // Does one of the things that a client does.
  void StepClient(Input& input) {
    switch (input.Of(6)) {
      case 0:
        Run();
        break;
      case 1:
      case 2: {
        const std::string message = absl::StrCat("m", requests.size());
        if (client->Deliver(message)) requests.push_back(message);
        break;
      }
      case 3:
        client->DeliverEnd();
        break;
      case 4:
        client->FinishWrite();
        break;
      default:
        // Rare, because it ends the call.
        if (running && input.Of(8) == 7) client->Disconnect();
    }
    for (const std::string& message : client->TakeWritten()) {
      responses.push_back(message);
    }
  }
};

// The agent with a server, whose messages are known.
struct AgentSide {
  FakeCallStream* carry = nullptr;
  FakeCallStream* local = nullptr;
  bool local_finished = false;
  grpc::Status local_status = {};
  std::vector<std::string> requests = {};   // that the server has received
  std::vector<std::string> responses = {};  // that the server has sent
  AgentRelay relay;

  AgentSide()
      : relay([this](const RequestFrame::Start& start, CallOwner* owner) {
          CHECK(IsDeviceMethod(start.method()));
          CHECK(local == nullptr);
          auto stream = std::make_unique<FakeCallStream>(owner);
          local = stream.get();
          return stream;
        }) {
    auto stream = std::make_unique<FakeCallStream>(relay.carry_owner());
    carry = stream.get();
    relay.Start(std::move(stream));
  }
  ~AgentSide() {
    carry->Finish(grpc::Status::CANCELLED);
    if (local != nullptr) {
      CHECK(local_finished || local->cancelled());
      local->Finish(grpc::Status::CANCELLED);
    }
    CHECK(relay.done());
  }

  // Does one of the things that a server does.
  void StepServer(Input& input) {
    if (local == nullptr) return;
    switch (input.Of(5)) {
      case 0:
      case 1: {
        const std::string message = absl::StrCat("r", responses.size());
        if (local->Deliver(message)) responses.push_back(message);
        break;
      }
      case 2:
      case 3:
        local->FinishWrite();
        break;
      default:
        // gRPC ends a call after all of its messages were read.
        if (local->reading() && input.Of(4) == 3) {
          Finish(StatusFrom(input.Byte()));
        }
    }
    for (const std::string& message : local->TakeWritten()) {
      requests.push_back(message);
    }
  }
  void Finish(const grpc::Status& status) {
    if (!local->Finish(status)) return;
    local_finished = true;
    local_status = status;
  }
};

void HostileAgent(Input& input) {
  ProxySide proxy;
  RequestFrameReader reader;
  std::vector<std::string> requests;   // that the agent has received
  std::vector<std::string> responses;  // that it has sent
  int untaken = 0;
  while (!input.AtEnd()) {
    bool delivered = false;
    switch (input.Of(8)) {
      case 0:
        proxy.carry->Deliver(input.Text());
        break;
      case 1: {
        const std::string message = absl::StrCat("r", responses.size());
        if (proxy.carry->Deliver(ResponseMessageFrame(ToBuffer(message)))) {
          responses.push_back(message);
        }
        break;
      }
      case 2: {
        const int taken = input.Of(kMaxUntaken + 2);
        delivered = proxy.carry->Deliver(TakenFrame(taken));
        if (delivered) untaken -= taken;
        // More than was sent ends the stream, and so does 0.
        if (delivered && (untaken < 0 || taken == 0)) {
          CHECK(proxy.carry->ended());
        }
        break;
      }
      case 3:
        if (proxy.carry->Deliver(StatusFrame(StatusFrom(input.Byte())))) {
          CHECK(proxy.carry->ended());
        }
        break;
      case 4:
        proxy.carry->FinishWrite();
        break;
      case 5:
        if (input.Of(8) == 7) proxy.carry->DeliverEnd();
        break;
      case 6:
        proxy.clock.Advance(input.Of(3) * kSecond);
        proxy.relay->StopIfIdle(4 * kSecond);
        break;
      default:
        proxy.StepClient(input);
    }
    for (const std::string& bytes : proxy.carry->TakeWritten()) {
      const auto frame = reader.Read(ToBuffer(bytes));
      CHECK(frame.ok()) << frame.status();
      if (!frame->has_message()) continue;
      requests.push_back(frame->message());
      ++untaken;
    }
    CHECK(untaken <= kMaxUntaken || proxy.carry->ended());
    CheckPrefix(requests, proxy.requests);
    // Two are held, besides those that were not taken.
    CHECK(proxy.requests.size() <= requests.size() + 2);
  }
}

void HostileProxy(Input& input) {
  AgentSide agent;
  ResponseFrameReader reader;
  reader.Start();
  std::vector<std::string> sent;
  std::vector<std::string> responses;
  bool is_honest = true;
  while (!input.AtEnd()) {
    switch (input.Of(7)) {
      case 0:
        if (agent.carry->Deliver(input.Text())) is_honest = false;
        break;
      case 1:
        agent.carry->Deliver(StartFrame("/assay.rpc.Device/Open", "lease", 1));
        break;
      case 2: {
        const std::string message = absl::StrCat("m", sent.size());
        if (agent.carry->Deliver(RequestMessageFrame(ToBuffer(message)))) {
          sent.push_back(message);
        }
        break;
      }
      case 3:
        agent.carry->Deliver(EndFrame());
        break;
      case 4:
        agent.carry->FinishWrite();
        break;
      case 5:
        if (input.Of(8) == 7) agent.carry->Finish(StatusFrom(input.Byte()));
        break;
      default:
        agent.StepServer(input);
    }
    for (const std::string& bytes : agent.carry->TakeWritten()) {
      const auto frame = reader.Read(ToBuffer(bytes));
      CHECK(frame.ok()) << frame.status();
      if (frame->has_message()) responses.push_back(frame->message());
    }
    if (is_honest) CheckPrefix(agent.requests, sent);
    CheckPrefix(responses, agent.responses);
    CHECK(agent.responses.size() <= responses.size() + 2);
    if (!agent.relay.error().ok()) CHECK(agent.carry->cancelled());
  }
}

// The network between both, which keeps the order of each direction.
struct Network {
  ProxySide& proxy;
  AgentSide& agent;
  std::deque<std::string> down = {};
  std::deque<std::string> up = {};
  bool up_ended = false;

  // Returns true if something has happened.
  bool Step(int choice) {
    for (std::string& bytes : proxy.carry->TakeWritten()) {
      down.push_back(std::move(bytes));
    }
    for (std::string& bytes : agent.carry->TakeWritten()) {
      up.push_back(std::move(bytes));
    }
    switch (choice) {
      case 0:
        return proxy.carry->FinishWrite();
      case 1:
        return agent.carry->FinishWrite();
      case 2:
        if (down.empty() || !agent.carry->Deliver(down.front())) return false;
        down.pop_front();
        return true;
      case 3:
        if (up.empty() || !proxy.carry->Deliver(up.front())) return false;
        up.pop_front();
        return true;
      case 4:
        // The end of the agent's messages, and of its stream.
        if (!agent.carry->writes_ended() || !up.empty()) return false;
        return proxy.carry->DeliverEnd();
      case 5:
        // gRPC tells a client the end after all messages, unless the client
        // itself has cancelled.
        if (!proxy.carry->ended() || !down.empty()) return false;
        return agent.carry->Finish(proxy.carry->status());
      default:
        if (!agent.carry->cancelled()) return false;
        down.clear();
        up.clear();
        return proxy.carry->Disconnect() ||
               agent.carry->Finish(grpc::Status::CANCELLED);
    }
  }
};

void Honest(Input& input) {
  ProxySide proxy;
  AgentSide agent;
  Network network = {proxy, agent};
  proxy.Run();
  while (!input.AtEnd()) {
    switch (input.Of(3)) {
      case 0:
        proxy.StepClient(input);
        break;
      case 1:
        agent.StepServer(input);
        break;
      default:
        network.Step(input.Of(7));
    }
    CHECK(agent.relay.error().ok()) << agent.relay.error();
    CheckPrefix(agent.requests, proxy.requests);
    CheckPrefix(proxy.responses, agent.responses);
    CHECK(proxy.requests.size() <= agent.requests.size() + kMaxUntaken + 2);
  }
  // The server and both connections now do all that they can.
  for (bool moved = true; moved;) {
    moved = false;
    for (int choice = 0; choice < 7; ++choice) moved |= network.Step(choice);
    moved |= proxy.client->FinishWrite();
    if (agent.local != nullptr) {
      moved |= agent.local->FinishWrite();
      for (const std::string& message : agent.local->TakeWritten()) {
        agent.requests.push_back(message);
      }
      if (!agent.local_finished &&
          (agent.local->cancelled() || agent.local->reading())) {
        agent.Finish(grpc::Status::OK);
        moved = true;
      }
    }
    for (const std::string& message : proxy.client->TakeWritten()) {
      proxy.responses.push_back(message);
    }
  }
  CHECK(proxy.client->ended());
  CHECK(proxy.carry->ended());
  CHECK(agent.relay.done());
  const grpc::Status& status = proxy.client->status();
  CHECK(status.error_message().find("rules") == std::string::npos);
  if (status.error_code() == grpc::StatusCode::CANCELLED) return;
  // A client that has not cancelled gets what the server has sent.
  CHECK(status.error_code() == agent.local_status.error_code());
  CHECK(proxy.responses == agent.responses);
}

}  // namespace
}  // namespace assay::rpc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::rpc::Input input(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  switch (input.Of(3)) {
    case 0:
      assay::rpc::HostileAgent(input);
      break;
    case 1:
      assay::rpc::HostileProxy(input);
      break;
    default:
      assay::rpc::Honest(input);
  }
  return 0;
}
