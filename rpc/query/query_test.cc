// Runs the program `query` against a tracker that answers as the test says.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "grpcpp/server_context.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "rpc/program/listener.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/private_file.h"
#include "rpc/transport/certificates.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/spawn.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A tracker with one device.
class OneDeviceTracker final : public Tracker::Service {
 public:
  OneDeviceTracker() { Start("127.0.0.1:0", ""); }
  ~OneDeviceTracker() override { Stop(); }

  // Uses plain text if `tls_folder` is empty.
  void Start(const std::string& address, const std::string& tls_folder) {
    ListenOptions options;
    options.address = address;
    options.transport = {tls_folder, tls_folder.empty()};
    auto listener = Listener::Start(options, {this});
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
    address_ = absl::StrCat("127.0.0.1:", listener_->port());
  }
  void Stop() { listener_.reset(); }

  std::string address() const { return address_; }
  int lists() const { return lists_; }
  void SetError(const absl::Status& error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    error_ = error;
  }
  QuarantineRequest request() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return request_;
  }
  std::string authorization() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return authorization_;
  }

 private:
  absl::Status Note(grpc::ServerContext* context) {
    const auto token = context->client_metadata().find("authorization");
    const std::lock_guard<std::mutex> lock(mutex_);
    if (token != context->client_metadata().end()) {
      authorization_ = std::string(token->second.data(), token->second.size());
    }
    return error_;
  }
  grpc::Status List(grpc::ServerContext* context, const ListRequest*,
                    ListAnswer* answer) override {
    ++lists_;
    ListedDevice* device = answer->add_devices();
    device->set_device("rack1-03");
    device->set_key("rpi3b");
    device->set_seconds_in_state(7);
    return ToGrpc(Note(context));
  }
  grpc::Status Quarantine(grpc::ServerContext* context,
                          const QuarantineRequest* request,
                          QuarantineAnswer*) override {
    const absl::Status status = Note(context);
    const std::lock_guard<std::mutex> lock(mutex_);
    request_ = *request;
    return ToGrpc(status);
  }

  std::atomic<int> lists_{0};
  mutable std::mutex mutex_;
  absl::Status error_;
  QuarantineRequest request_;
  std::string authorization_;

  std::string address_;
  std::unique_ptr<Listener> listener_;
};

class QueryTest : public testing::Test {
 protected:
  QueryTest() {
    for (const char* variable :
         {"ASSAY_TRACKER", "ASSAY_TLS", "ASSAY_TOKEN_FILE"}) {
      unsetenv(variable);
    }
    EXPECT_TRUE(WritePrivateFile(token_file_, token_ + "\n").ok());
  }

  std::vector<std::string> Command(
      const std::vector<std::string>& flags) const {
    std::vector<std::string> command = {
        runtime::FindRunfile("", "assay/rpc/query/query").value_or("")};
    command.insert(command.end(), flags.begin(), flags.end());
    return command;
  }
  // Runs the program with these flags only.
  runtime::ProcessResult RunAlone(const std::vector<std::string>& flags) const {
    const auto result = runtime::RunProcess(Command(flags), {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(runtime::ProcessResult());
  }
  // Runs the program with the flags that it needs to call the tracker.
  runtime::ProcessResult RunQuery(std::vector<std::string> flags = {}) const {
    const std::vector<std::string> client = ClientFlags();
    flags.insert(flags.end(), client.begin(), client.end());
    return RunAlone(flags);
  }
  std::vector<std::string> ClientFlags() const {
    return {absl::StrCat("--tracker=", tracker_.address()), "--plain_text",
            absl::StrCat("--token_file=", token_file_)};
  }
  static void ExpectError(const runtime::ProcessResult& result, ExitCode code,
                          const std::string& text) {
    EXPECT_EQ(result.exit_code, static_cast<int>(code)) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, StartsWith("error: "));
    EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1)
        << result.err;
  }
  // Waits until the tracker was asked for this number of lists.
  void WaitForLists(int number) const {
    const absl::Time end = absl::Now() + absl::Seconds(10);
    while (tracker_.lists() < number) {
      ASSERT_LT(absl::Now(), end);
      absl::SleepFor(absl::Milliseconds(1));
    }
  }
  // Stops a program that watches.
  static void Terminate(pid_t pid) {
    ASSERT_EQ(kill(pid, SIGTERM), 0);
    const auto status =
        runtime::WaitSpawned(pid, MonotonicNanos() + 10'000'000'000);
    ASSERT_TRUE(status.ok()) << status.status();
    EXPECT_EQ(*status, 0) << runtime::DescribeExit(*status);
  }

  const TempDir dir_ = *TempDir::Create();
  const std::string token_ = std::string(40, 't');
  const std::string token_file_ = JoinPath(dir_.path(), "token");
  OneDeviceTracker tracker_;
};

TEST_F(QueryTest, PrintsTheDevices) {
  const runtime::ProcessResult result = RunQuery();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "key    free  pending  total\n"
            "rpi3b     1        0      1\n"
            "\n"
            "device    key    state  for  holder  canary  load  °C  note\n"
            "rack1-03  rpi3b  free   7 s\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(tracker_.authorization(), "Bearer " + token_);
}

TEST_F(QueryTest, PrintsJson) {
  const runtime::ProcessResult result = RunQuery({"--format=json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out;
  EXPECT_EQ(json["devices"][0]["device"], "rack1-03");
  EXPECT_EQ(json["keys"][0]["total"], 1);
}

TEST_F(QueryTest, ReadsTheEnvironment) {
  setenv("ASSAY_TRACKER", tracker_.address().c_str(), 1);
  setenv("ASSAY_TOKEN_FILE", token_file_.c_str(), 1);
  const runtime::ProcessResult result = RunAlone({"--plain_text"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("rack1-03"));
}

TEST_F(QueryTest, UsesTls) {
  ASSERT_TRUE(WriteCertificates(dir_.path(), {"127.0.0.1"}).ok());
  tracker_.Start("127.0.0.1:0", dir_.path());
  const std::string tracker = absl::StrCat("--tracker=", tracker_.address());
  const std::string token = absl::StrCat("--token_file=", token_file_);
  const runtime::ProcessResult result =
      RunAlone({tracker, token, absl::StrCat("--tls=", dir_.path())});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("rack1-03"));
  ExpectError(RunAlone({tracker, token, "--plain_text"}),
              ExitCode::kInfrastructure, "cannot be reached");
}

TEST_F(QueryTest, ATrackerThatCannotBeReachedIsExitCode5) {
  tracker_.Stop();
  const int64_t start = MonotonicNanos();
  ExpectError(RunQuery(), ExitCode::kInfrastructure,
              absl::StrCat("`", tracker_.address(), "` cannot be reached"));
  ExpectError(RunQuery({"--watch"}), ExitCode::kInfrastructure,
              "cannot be reached");
  EXPECT_LT(MonotonicNanos() - start, 5'000'000'000);
}

TEST_F(QueryTest, TokensThatAreNotKnownAreExitCode2) {
  tracker_.SetError(absl::UnauthenticatedError("the token is not known"));
  ExpectError(RunQuery(), ExitCode::kUsage, token_file_);
  tracker_.SetError(absl::PermissionDeniedError("the role is missing"));
  ExpectError(RunQuery(), ExitCode::kUsage, "the role is missing");
}

TEST_F(QueryTest, WrongFlagsAreExitCode2) {
  ExpectError(RunAlone({}), ExitCode::kUsage, "--tracker");
  ExpectError(RunQuery({"--format=xml"}), ExitCode::kUsage, "format");
  ExpectError(RunQuery({"--watch=0"}), ExitCode::kUsage, "--watch=0");
  ExpectError(RunQuery({"--watch=soon"}), ExitCode::kUsage, "soon");
  ExpectError(RunQuery({"--quarantine=a"}), ExitCode::kUsage, "--reason");
  ExpectError(RunQuery({"--reason=a"}), ExitCode::kUsage, "quarantine");
  ExpectError(RunQuery({"--quarantine=a", "--reason=b", "--release=c"}),
              ExitCode::kUsage, "release");
  ExpectError(RunQuery({"--release=c", "--watch"}), ExitCode::kUsage,
              "release");
  EXPECT_EQ(tracker_.lists(), 0);
}

TEST_F(QueryTest, HelpTeaches) {
  const runtime::ProcessResult result = RunAlone({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* text : {"--tracker", "ASSAY_TRACKER", "--quarantine",
                           "Examples:", "query --watch"}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
}

TEST_F(QueryTest, PutsDevicesIntoQuarantineAndReleasesThem) {
  runtime::ProcessResult result =
      RunQuery({"--quarantine=rack1-03", "--reason=new fan"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "`rack1-03` is in quarantine\n");
  EXPECT_EQ(tracker_.request().device(), "rack1-03");
  EXPECT_EQ(tracker_.request().reason(), "new fan");

  result = RunQuery({"--release=rack1-03"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "`rack1-03` is released\n");
  EXPECT_EQ(tracker_.request().reason(), "");

  tracker_.SetError(absl::NotFoundError("there is no device `rack1-04`"));
  ExpectError(RunQuery({"--release=rack1-04"}), ExitCode::kUsage,
              "there is no device `rack1-04`");
}

TEST_F(QueryTest, WatchingAppendsToAFileAndOutlivesTheTracker) {
  const std::string path = JoinPath(dir_.path(), "out");
  const int out = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int err = open((path + "2").c_str(), O_WRONLY | O_CREAT, 0600);
  std::vector<std::string> flags = ClientFlags();
  flags.push_back("--watch=0.1");
  const auto pid = runtime::Spawn(Command(flags), {-1, out, err});
  close(out);
  close(err);
  ASSERT_TRUE(pid.ok()) << pid.status();
  WaitForLists(3);
  tracker_.Stop();
  const int lists = tracker_.lists();
  const absl::Time end = absl::Now() + absl::Seconds(10);
  while (ReadFile(path + "2")->empty()) ASSERT_LT(absl::Now(), end);
  tracker_.Start(tracker_.address(), "");
  WaitForLists(lists + 2);
  Terminate(*pid);
  const std::string text = *ReadFile(path);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, StartsWith("key "));
  EXPECT_THAT(text, HasSubstr("free   7 s\n\nkey "));
  EXPECT_THAT(*ReadFile(path + "2"), HasSubstr("cannot be reached: "));
  EXPECT_THAT(*ReadFile(path + "2"), EndsWith("; trying again\n"));
}

TEST_F(QueryTest, WatchingReplacesTheListOnATerminal) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  const int out = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::vector<std::string> flags = ClientFlags();
  flags.push_back("--watch=0.1");
  const auto pid = runtime::Spawn(Command(flags), {-1, out, -1});
  ASSERT_TRUE(pid.ok()) << pid.status();
  WaitForLists(2);
  Terminate(*pid);
  close(out);
  char bytes[1 << 14];
  const ssize_t size = read(terminal, bytes, sizeof(bytes));
  close(terminal);
  ASSERT_GT(size, 0);
  const std::string text(bytes, static_cast<size_t>(size));
  EXPECT_THAT(text, StartsWith("\x1b[Hkey    free  pending  total\x1b[K"));
  EXPECT_THAT(text, HasSubstr("7 s\x1b[K\r\n\x1b[J"));
}

}  // namespace
}  // namespace assay::rpc
