// Runs the program //rpc:proxy.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "rpc/names/metadata.h"
#include "rpc/program/event_log.h"
#include "rpc/program/listener.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proxy/proxy_agent.h"
#include "rpc/proxy/testing/fake_device.h"
#include "rpc/proxy/testing/test_proxy.h"
#include "rpc/security/private_file.h"
#include "rpc/security/token_file.h"
#include "rpc/server/testing/test_tracker.h"
#include "rpc/transport/channel.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/spawn.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kSecond = 1'000'000'000;

class ProxyProgramTest : public ::testing::Test {
 protected:
  ProxyProgramTest() {
    const std::string token = *NewToken();
    EXPECT_TRUE(WritePrivateFile(Path("token"), token).ok());
    EXPECT_TRUE(
        WriteFileAtomic(Path("tokens"), *TokenLine(Role::kDevice, "a", token))
            .ok());
  }
  ~ProxyProgramTest() override {
    if (agent_ != nullptr) agent_->Stop();
    if (pid_ > 0) runtime::KillSpawned(pid_);
  }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }
  static std::string Program() {
    return *runtime::FindRunfile("", "assay/rpc/proxy/proxy");
  }
  std::vector<std::string> Command() const {
    return {Program(), "--listen=127.0.0.1:0", "--plain_text",
            absl::StrCat("--tokens=", Path("tokens")),
            absl::StrCat("--port_file=", Path("port"))};
  }
  // Runs the program to its end.
  static runtime::ProcessResult Run(const std::vector<std::string>& command) {
    const auto result = runtime::RunProcess(command, {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : runtime::ProcessResult();
  }

  // Starts the program and a device behind it.
  void Start() {
    const auto pid = runtime::Spawn(Command(), runtime::Streams());
    ASSERT_TRUE(pid.ok()) << pid.status();
    pid_ = *pid;
    ASSERT_TRUE(WaitFor([&] { return FileExists(Path("port")); }));
    int port = 0;
    ASSERT_TRUE(absl::SimpleAtoi(*ReadFile(Path("port")), &port));
    address_ = {absl::StrCat("127.0.0.1:", port), "a"};
    const Transport transport = {"", /*plain_text=*/true};
    channel_ = *OpenChannel(transport, address_);
    listener_ = *Listener::Start({"127.0.0.1:0", transport}, {&device_});
    ProxyAgentOptions options;
    options.proxy = address_.endpoint;
    options.transport = transport;
    options.device = "a";
    options.token_file = Path("token");
    options.log = &log_;
    agent_ = *ProxyAgent::Start(options, listener_->InProcessChannel());
    agent_->SetLeaseKey(tracker_.public_pem());
    ASSERT_TRUE(WaitFor([&] { return agent_->attached(); }));
  }

  grpc::Status Find(const std::string& digest) {
    grpc::ClientContext context;
    PrepareContext(address_, std::chrono::seconds(10), &context);
    context.AddMetadata(kLeaseMetadata, tracker_.Sign({"a", "ann"}));
    FindBlobsRequest request;
    request.add_digests(digest);
    FindBlobsAnswer answer;
    return Device::NewStub(channel_)->FindBlobs(&context, request, &answer);
  }

  const TempDir dir_ = *TempDir::Create();
  const SigningTracker tracker_;
  EventLog log_{stderr, "agent"};
  ProxiedDevice device_;
  pid_t pid_ = -1;
  Address address_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<ProxyAgent> agent_;
};

TEST_F(ProxyProgramTest, HelpNamesTheFlags) {
  const runtime::ProcessResult result = Run({Program(), "--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* flag : {"--listen", "--tokens", "--tls", "--plain_text",
                           "--port_file", "Example", "Exit codes"}) {
    EXPECT_THAT(result.out, HasSubstr(flag));
  }
}

TEST_F(ProxyProgramTest, WrongFlagsAreOneSentence) {
  const int usage = static_cast<int>(ExitCode::kUsage);
  runtime::ProcessResult result = Run({Program()});
  EXPECT_EQ(result.exit_code, usage);
  EXPECT_THAT(result.err, HasSubstr("--tokens"));
  std::vector<std::string> command = Command();
  command[3] = "--tokens=/no/such/file";
  result = Run(command);
  EXPECT_EQ(result.exit_code, usage);
  EXPECT_THAT(result.err, StartsWith("error: "));
  EXPECT_THAT(result.err, HasSubstr("/no/such/file"));
  command = Command();
  command[1] = "--listen=0.0.0.0:0";
  result = Run(command);
  EXPECT_EQ(result.exit_code, usage);
  EXPECT_THAT(result.err, HasSubstr("0.0.0.0"));
  EXPECT_FALSE(FileExists(Path("port")));
}

TEST_F(ProxyProgramTest, AnAddressInUseIsAFailureOfTheMachine) {
  Start();
  std::vector<std::string> command = Command();
  command[1] = absl::StrCat("--listen=", address_.endpoint);
  command.pop_back();
  const runtime::ProcessResult result = Run(command);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInfrastructure));
  EXPECT_THAT(result.err, HasSubstr(address_.endpoint));
}

TEST_F(ProxyProgramTest, StopsWithOpenStreams) {
  Start();
  EXPECT_TRUE(Find("x").ok());
  grpc::Status status;
  std::thread client([&] { status = Find("hang"); });
  EXPECT_TRUE(WaitFor([&] { return device_.running() == 1; }));
  const int64_t start = MonotonicNanos();
  kill(pid_, SIGTERM);
  const auto exit = runtime::WaitSpawned(pid_, start + 10 * kSecond);
  ASSERT_TRUE(exit.ok()) << exit.status();
  pid_ = -1;
  EXPECT_EQ(runtime::DescribeExit(*exit), "exited with 0");
  EXPECT_LT(MonotonicNanos() - start, 5 * kSecond);
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(WaitFor([&] { return device_.cancelled() == 1; }));
}

TEST_F(ProxyProgramTest, SurvivesClientsThatAreKilled) {
  Start();
  EXPECT_TRUE(Find("x").ok());
  // A client that ends in the middle of an upload.
  for (int i = 0; i < 3; ++i) {
    auto channel = *OpenChannel({"", /*plain_text=*/true}, address_);
    grpc::ClientContext context;
    PrepareContext(address_, std::chrono::milliseconds(100), &context);
    context.AddMetadata(kLeaseMetadata, tracker_.Sign({"a", "ann"}));
    PutBlobAnswer answer;
    auto writer = Device::NewStub(channel)->PutBlob(&context, &answer);
    PutBlobRequest request;
    request.set_digest("slow");
    request.set_bytes(std::string(1 << 20, 'x'));
    while (writer->Write(request)) {
    }
    EXPECT_FALSE(writer->Finish().ok());
  }
  EXPECT_TRUE(WaitFor([&] { return device_.running() == 0; }));
  EXPECT_TRUE(Find("x").ok());
}

}  // namespace
}  // namespace assay::rpc
