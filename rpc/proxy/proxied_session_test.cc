// Measures on a device behind a proxy: tracker, proxy, server and worker are
// the real programs, with TLS on loopback.
#include <unistd.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/client/remote_runner.h"
#include "rpc/farm/child.h"
#include "rpc/farm/farm_folder.h"
#include "rpc/security/signature.h"
#include "rpc/transport/client_options.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/session.h"
#include "runtime/process/runfiles.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class ProxiedSessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFarmFolder(dir_.path(), "me", {"board"}).ok());
    const std::string tokens = absl::StrCat("--tokens=", Path("tokens"));
    Start("tracker", "assay/rpc/tracker/service/tracker",
          {tokens, absl::StrCat("--state=", Path("tracker"))}, 0);
    proxy_port_ = StartProxy(0);
    const std::string folder = DeviceFolder(dir_.path(), "board");
    Start("server", "assay/rpc/server/program/server",
          {"--name=board", "--key=host",
           absl::StrCat("--tracker=127.0.0.1:", ports_["tracker"]),
           absl::StrCat("--proxy=127.0.0.1:", proxy_port_),
           absl::StrCat("--token_file=", JoinPath(folder, "token")),
           absl::StrCat("--state=", JoinPath(folder, "state")),
           absl::StrCat("--trusted_keys=", Path("trusted_keys.pem")),
           // A worker under a sanitizer reserves much memory.
           "--worker_memory=64T",
           absl::StrCat("--worker=",
                        *runtime::FindRunfile(
                            "", "assay/runtime/tools/bench_artifact"))},
          0);
  }
  void TearDown() override {
    runner_.reset();
    for (const char* name : {"server", "proxy", "tracker"}) {
      if (programs_[name] != nullptr) {
        EXPECT_TRUE(programs_[name]->Stop(5 * kSecond)) << name;
      }
    }
    if (!HasFailure()) return;
    for (const auto& [name, port] : ports_) {
      GTEST_LOG_(INFO) << name << ":\n" << *ReadFile(Path(name + ".log"));
    }
  }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }
  void Start(const std::string& name, const std::string& program,
             std::vector<std::string> arguments, int port) {
    const std::string port_file = Path(name + ".port");
    unlink(port_file.c_str());
    arguments.insert(arguments.begin(), *runtime::FindRunfile("", program));
    arguments.push_back(absl::StrCat("--listen=127.0.0.1:", port));
    arguments.push_back(absl::StrCat("--tls=", Path("tls")));
    arguments.push_back(absl::StrCat("--port_file=", port_file));
    auto child = Child::Start(name, arguments, Path(name + ".log"));
    ASSERT_TRUE(child.ok()) << child.status();
    programs_[name] = *std::move(child);
    const auto started = programs_[name]->WaitForPort(port_file, 20 * kSecond);
    ASSERT_TRUE(started.ok()) << started.status();
    ports_[name] = *started;
  }
  int StartProxy(int port) {
    Start("proxy", "assay/rpc/proxy/proxy",
          {absl::StrCat("--tokens=", Path("tokens"))}, port);
    return ports_["proxy"];
  }

  void Connect() {
    RemoteOptions options;
    ClientFlags flags;
    flags.tracker = absl::StrCat("127.0.0.1:", ports_["tracker"]);
    flags.tls = Path("tls");
    flags.token_file = Path("user.token");
    const auto client = ReadClientOptions(flags);
    ASSERT_TRUE(client.ok()) << client.status();
    options.tracker = *client;
    options.wish.key = "host";
    options.wish.wait_seconds = 20;
    const auto key = SigningKey::Read(Path("client.key"));
    ASSERT_TRUE(key.ok()) << key.status();
    options.signing_key = *key;
    // The device is known to the tracker when it has registered.
    const int64_t end = MonotonicNanos() + 10 * kSecond;
    absl::Status status;
    do {
      auto runner = RemoteRunner::Create(options);
      ASSERT_TRUE(runner.ok()) << runner.status();
      runner_ = *std::move(runner);
      status = runner_->Connect();
    } while (absl::IsNotFound(status) && MonotonicNanos() < end);
    ASSERT_TRUE(status.ok()) << status;
  }

  const TempDir dir_ = *TempDir::Create();
  std::map<std::string, std::unique_ptr<Child>> programs_;
  std::map<std::string, int> ports_;
  int proxy_port_ = 0;
  std::unique_ptr<RemoteRunner> runner_;
};

TEST_F(ProxiedSessionTest, MeasuresThroughTheProxy) {
  Connect();
  EXPECT_EQ(runner_->facts().board, "board");
  const runtime::Artifact artifact = runtime::TestArtifact();
  runtime::Artifact other = artifact;
  other.metadata["model"] = "other";
  const auto session = runner_->Load({&artifact, &other}, {});
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_TRUE((*session)->SetInputs(runtime::SeededInputs(artifact, 1)).ok());
  for (int program : {0, 1}) {
    const auto sample = runtime::RunOnce(**session, program);
    ASSERT_TRUE(sample.ok()) << sample.status();
    EXPECT_GT(sample->nanos, 0);
    ASSERT_EQ(sample->outputs.size(), 1);
    EXPECT_EQ(sample->outputs[0].name, "y");
  }
}

TEST_F(ProxiedSessionTest, MeasuresAgainAfterTheProxyWasKilled) {
  Connect();
  const runtime::Artifact artifact = runtime::TestArtifact();
  auto session = runner_->Load({&artifact}, {});
  ASSERT_TRUE(session.ok()) << session.status();
  programs_["proxy"].reset();  // kills it
  StartProxy(proxy_port_);
  session = runner_->Load({&artifact}, {});
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_TRUE((*session)->SetInputs(runtime::SeededInputs(artifact, 1)).ok());
  const auto sample = runtime::RunOnce(**session);
  EXPECT_TRUE(sample.ok()) << sample.status();
}

}  // namespace
}  // namespace assay::rpc
