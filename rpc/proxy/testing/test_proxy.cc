#include "rpc/proxy/testing/test_proxy.h"

#include <cstdio>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "rpc/names/metadata.h"
#include "rpc/security/private_file.h"
#include "rpc/transport/channel.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

bool WaitFor(const std::function<bool()>& condition) {
  const int64_t end = MonotonicNanos() + int64_t{10} * 1'000'000'000;
  while (!condition()) {
    if (MonotonicNanos() > end) return false;
    Clock::Monotonic()->SleepNanos(1'000'000);
  }
  return true;
}

TestProxy::TestProxy(const ProxyLimits& limits)
    : limits_(limits),
      folder_(*TempDir::Create("test_proxy")),
      log_(stderr, "proxy") {
  std::string lines;
  for (const auto& [name, role] :
       {std::pair("a", Role::kDevice), std::pair("b", Role::kDevice),
        std::pair("ann", Role::kUser)}) {
    tokens_[name] = *NewToken();
    absl::StrAppend(&lines, *TokenLine(role, name, tokens_[name]));
    CHECK(WritePrivateFile(JoinPath(folder_.path(), name), tokens_[name]).ok());
  }
  const std::string path = JoinPath(folder_.path(), "tokens");
  CHECK(WriteFileAtomic(path, lines).ok());
  token_file_ = *TokenFile::Open(path);
  Start();
  channel_ = NewChannel();
}

TestProxy::~TestProxy() {
  for (const auto& [name, board] : boards_) board->agent->Stop();
  Stop();
}

void TestProxy::Start() {
  service_ = std::make_unique<ProxyService>(limits_, token_file_.get(), &log_);
  ListenOptions options;
  options.address = absl::StrCat("127.0.0.1:", port_);
  options.transport = transport_;
  auto listener = Listener::Start(options, {service_->agent_service()},
                                  service_->device_service());
  CHECK(listener.ok()) << listener.status();
  listener_ = *std::move(listener);
  port_ = listener_->port();
}

void TestProxy::Revoke(const std::string& name) {
  const std::string path = JoinPath(folder_.path(), "tokens");
  std::string lines;
  const std::string text = ReadFile(path).value();
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, absl::StrCat("device ", name, " "))) continue;
    absl::StrAppend(&lines, line, "\n");
  }
  CHECK(WriteFileAtomic(path, lines).ok());
  // The file is looked at once per second.
  while (token_file_->Identify(tokens_.at(name)).ok()) {
    Clock::Monotonic()->SleepNanos(10'000'000);
  }
  service_->CheckDevices();
}

void TestProxy::Stop() {
  if (service_ == nullptr) return;
  service_->Stop(0);
  listener_->Stop(0);
  listener_.reset();
  service_.reset();
}

TestProxy::Board& TestProxy::AddBoard(const std::string& name) {
  auto board = std::make_unique<Board>();
  board->name = name;
  ListenOptions options;
  options.address = "127.0.0.1:0";
  options.transport = transport_;
  board->listener = *Listener::Start(options, {&board->device});
  board->agent = StartAgent(*board);
  return *(boards_[name] = std::move(board));
}

std::unique_ptr<ProxyAgent> TestProxy::StartAgent(Board& board) {
  ProxyAgentOptions options;
  options.proxy = address();
  options.transport = transport_;
  options.device = board.name;
  options.token_file = JoinPath(folder_.path(), board.name);
  options.log = &log_;
  auto agent = *ProxyAgent::Start(options, board.listener->InProcessChannel());
  agent->SetLeaseKey(tracker_.public_pem());
  return agent;
}

bool TestProxy::WaitUntilAttached(const Board& board) {
  return WaitFor([&] { return board.agent->attached(); });
}

std::string TestProxy::address() const {
  return absl::StrCat("127.0.0.1:", port_);
}

std::shared_ptr<grpc::Channel> TestProxy::NewChannel() const {
  return *OpenChannel(transport_, *ParseAddress(address()));
}

void TestProxy::Prepare(const std::string& device,
                        std::chrono::nanoseconds timeout,
                        grpc::ClientContext* context) const {
  PrepareContext({address(), device}, timeout, context);
  TestLease lease;
  lease.device = device;
  lease.user = "ann";
  lease.seconds = 600;
  context->AddMetadata(kLeaseMetadata, tracker_.Sign(lease));
}

grpc::Status TestProxy::Find(const std::string& device,
                             const std::string& digest,
                             std::chrono::nanoseconds timeout) const {
  grpc::ClientContext context;
  Prepare(device, timeout, &context);
  FindBlobsRequest request;
  request.add_digests(digest);
  FindBlobsAnswer answer;
  return Device::NewStub(channel_)->FindBlobs(&context, request, &answer);
}

}  // namespace assay::rpc
