#include "rpc/server/registration/registration.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/sync_stream.h"
#include "gtest/gtest.h"
#include "rpc/program/event_log.h"
#include "rpc/program/listener.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/security/private_file.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kHour = 3600'000 * kMillisecond;

// A tracker that does what the test says.
class ScriptedTracker final : public Tracker::Service {
 public:
  struct Script {
    absl::Status refusal = {};      // ends a stream after `hello`
    bool silent = false;            // sends no welcome
    bool ignores_leaving = false;   // keeps a stream that was half-closed
    std::string lease_key = "PEM";  // of the welcome
  };

  ScriptedTracker() { Start("127.0.0.1:0"); }
  ~ScriptedTracker() override { Stop(); }

  void Start(const std::string& address) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = false;
    }
    ListenOptions options;
    options.address = address;
    options.transport.plain_text = true;
    auto listener = Listener::Start(options, {this});
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
    address_ = absl::StrCat("127.0.0.1:", listener_->port());
  }
  void Restart() { Start(address_); }
  void Stop() {
    EndStreams();
    listener_.reset();
  }
  void EndStreams() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  void SetScript(const Script& script) {
    const std::lock_guard<std::mutex> lock(mutex_);
    script_ = script;
  }
  // Sends the end of a lease on the current stream.
  void SendEnded(int64_t token) {
    ToDevice message;
    message.mutable_ended()->set_token(token);
    const std::lock_guard<std::mutex> lock(mutex_);
    ASSERT_NE(stream_, nullptr);
    EXPECT_TRUE(stream_->Write(message));
  }

  std::string address() const { return address_; }
  int hellos() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return hellos_;
  }
  int heartbeats() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return heartbeats_;
  }
  int left() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return left_;
  }
  Hello hello() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return hello_;
  }
  Heartbeat heartbeat() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return heartbeat_;
  }
  std::string authorization() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return authorization_;
  }

 private:
  using ServerStream = grpc::ServerReaderWriter<ToDevice, FromDevice>;

  grpc::Status Register(grpc::ServerContext* context,
                        ServerStream* stream) override {
    Script script;
    FromDevice message;
    if (!stream->Read(&message)) return grpc::Status::OK;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      script = script_;
      ++hellos_;
      hello_ = message.hello();
      const auto token = context->client_metadata().find("authorization");
      if (token != context->client_metadata().end()) {
        authorization_ =
            std::string(token->second.data(), token->second.size());
      }
      if (!script.refusal.ok()) return ToGrpc(script.refusal);
      if (!script.silent) {
        ToDevice welcome;
        welcome.mutable_welcome()->set_lease_key(script.lease_key);
        welcome.mutable_welcome()->set_least_token(7);
        stream->Write(welcome);
      }
      stream_ = stream;
    }
    while (stream->Read(&message)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++heartbeats_;
      heartbeat_ = message.heartbeat();
      if (ended_) {
        stream_ = nullptr;
        return grpc::Status(grpc::StatusCode::ABORTED, "replaced");
      }
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stream_ = nullptr;
      if (context->IsCancelled()) return grpc::Status::OK;
      ++left_;
    }
    while (script.ignores_leaving && !context->IsCancelled()) {
      absl::SleepFor(absl::Milliseconds(5));
    }
    return grpc::Status::OK;
  }

  mutable std::mutex mutex_;
  Script script_;
  ServerStream* stream_ = nullptr;
  bool ended_ = false;
  int hellos_ = 0;
  int heartbeats_ = 0;
  int left_ = 0;
  Hello hello_;
  Heartbeat heartbeat_;
  std::string authorization_;

  std::string address_;
  std::unique_ptr<Listener> listener_;
};

class RegistrationTest : public testing::Test {
 protected:
  RegistrationTest() {
    EXPECT_TRUE(WritePrivateFile(token_file_, std::string(40, 'a')).ok());
    options_.client.transport.plain_text = true;
    options_.client.token_file = token_file_;
    SetTracker(tracker_.address());
    options_.device = "rack1-03";
    options_.key = "rpi3b";
    options_.address = "rack1-03.lab:9191";
    options_.heartbeat_nanos = 10 * kMillisecond;
    hooks_.facts = [] {
      DeviceFacts facts;
      facts.set_fingerprint("aarch64-cortex-a53");
      return facts;
    };
    hooks_.state = [] {
      DeviceState state;
      state.set_load(0.5);
      return state;
    };
    hooks_.health = [] {
      Health health;
      health.set_canary_nanos(12);
      return health;
    };
    hooks_.on_welcome = [this](const std::string& key, int64_t least_token) {
      const std::lock_guard<std::mutex> lock(mutex_);
      welcomes_.push_back(absl::StrCat(key, " ", least_token));
      return key == "PEM" ? absl::OkStatus()
                          : absl::InvalidArgumentError("the key is not valid");
    };
    hooks_.on_ended = [this](int64_t token) {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_.push_back(token);
    };
  }
  ~RegistrationTest() override {
    registration_.reset();
    fclose(out_);
  }

  void SetTracker(const std::string& address) {
    options_.client.tracker = *ParseAddress(address);
  }
  void Start() { registration_.emplace(options_, hooks_, &log_); }
  // Stops and returns how long it took.
  absl::Duration Stop() {
    const absl::Time start = absl::Now();
    registration_.reset();
    return absl::Now() - start;
  }
  static void WaitFor(const std::function<bool()>& condition,
                      absl::Duration timeout = absl::Seconds(10)) {
    const absl::Time end = absl::Now() + timeout;
    while (!condition()) {
      ASSERT_LT(absl::Now(), end);
      absl::SleepFor(absl::Milliseconds(1));
    }
  }
  void WaitUntilRegistered() {
    WaitFor([&] { return registration_->registered(); }, absl::Seconds(3));
  }
  int CountEvents(const std::string& event) const {
    fflush(out_);
    const std::string text = *ReadFile(log_path_);
    const std::string field = absl::StrCat("\"event\":\"", event, "\"");
    int count = 0;
    for (size_t at = text.find(field); at != std::string::npos;
         at = text.find(field, at + 1)) {
      ++count;
    }
    return count;
  }
  template <typename T>
  T Read(const T& value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return value;
  }

  const TempDir dir_ = *TempDir::Create();
  const std::string token_file_ = JoinPath(dir_.path(), "token");
  const std::string log_path_ = JoinPath(dir_.path(), "log");
  FILE* const out_ = fopen(log_path_.c_str(), "w");
  EventLog log_{out_, "server"};
  ScriptedTracker tracker_;
  RegistrationOptions options_;
  RegistrationHooks hooks_;
  std::mutex mutex_;
  std::vector<std::string> welcomes_;
  std::vector<int64_t> ended_;
  std::optional<Registration> registration_;
};

TEST_F(RegistrationTest, RegistersAndBeats) {
  Start();
  WaitUntilRegistered();
  WaitFor([&] { return tracker_.heartbeats() >= 3; });
  const Hello hello = tracker_.hello();
  EXPECT_EQ(hello.device(), "rack1-03");
  EXPECT_EQ(hello.key(), "rpi3b");
  EXPECT_EQ(hello.address(), "rack1-03.lab:9191");
  EXPECT_EQ(hello.facts().fingerprint(), "aarch64-cortex-a53");
  EXPECT_EQ(tracker_.authorization(), "Bearer " + std::string(40, 'a'));
  EXPECT_EQ(tracker_.heartbeat().state().load(), 0.5);
  EXPECT_EQ(tracker_.heartbeat().health().canary_nanos(), 12);
  EXPECT_EQ(Read(welcomes_), std::vector<std::string>{"PEM 7"});
  EXPECT_EQ(CountEvents("registered"), 1);
  EXPECT_EQ(tracker_.hellos(), 1);
}

TEST_F(RegistrationTest, HearsOfLeasesThatEnd) {
  Start();
  WaitUntilRegistered();
  for (int64_t token = 1; token <= 20; ++token) tracker_.SendEnded(token);
  WaitFor([&] { return Read(ended_).size() == 20; });
  EXPECT_EQ(Read(ended_).front(), 1);
  EXPECT_EQ(Read(ended_).back(), 20);
  EXPECT_TRUE(registration_->registered());
}

TEST_F(RegistrationTest, RegistersAgainWhenTheTrackerIsRestarted) {
  Start();
  for (int restart = 1; restart <= 3; ++restart) {
    WaitUntilRegistered();
    tracker_.Stop();
    WaitFor([&] { return !registration_->registered(); });
    tracker_.Restart();
    WaitUntilRegistered();
    EXPECT_EQ(tracker_.hellos(), restart + 1);
    EXPECT_EQ(CountEvents("registered"), restart + 1);
  }
  EXPECT_EQ(Read(welcomes_).size(), 4u);
}

TEST_F(RegistrationTest, RegistersAgainWhenTheStreamIsEnded) {
  options_.first_retry_nanos = 200 * kMillisecond;
  Start();
  WaitUntilRegistered();
  tracker_.EndStreams();
  WaitFor([&] { return !registration_->registered(); });
  tracker_.SetScript({absl::AbortedError("replaced")});
  WaitFor([&] { return tracker_.hellos() >= 3; });
  EXPECT_EQ(CountEvents("not_registered"), 1);
  EXPECT_NE(ReadFile(log_path_)->find("replaced"), std::string::npos);
}

TEST_F(RegistrationTest, WaitsForATrackerThatIsNotThere) {
  tracker_.Stop();
  Start();
  WaitFor([&] { return CountEvents("not_registered") == 1; });
  EXPECT_FALSE(registration_->registered());
  tracker_.Restart();
  WaitUntilRegistered();
  EXPECT_EQ(CountEvents("not_registered"), 1);
}

TEST_F(RegistrationTest, RefusalsAreLoggedOnceAndTriedAgain) {
  options_.refused_retry_nanos = 10 * kMillisecond;
  for (const absl::Status& refusal :
       {absl::PermissionDeniedError("the token is of another device"),
        absl::UnauthenticatedError("the token is not known"),
        absl::InvalidArgumentError("the key is not a name")}) {
    tracker_.SetScript({refusal});
    const int before = tracker_.hellos();
    const int logged = CountEvents("not_registered");
    Start();
    WaitFor([&] { return tracker_.hellos() >= before + 5; });
    EXPECT_EQ(CountEvents("not_registered"), logged + 1);
    EXPECT_NE(ReadFile(log_path_)->find(std::string(refusal.message())),
              std::string::npos);
    // An administrator mends the tokens.
    tracker_.SetScript({});
    WaitUntilRegistered();
    Stop();
  }
}

TEST_F(RegistrationTest, RefusalsAreTriedAgainSlowly) {
  options_.refused_retry_nanos = kHour;
  tracker_.SetScript({absl::PermissionDeniedError("no")});
  Start();
  WaitFor([&] { return CountEvents("not_registered") == 1; });
  absl::SleepFor(absl::Milliseconds(300));
  EXPECT_EQ(tracker_.hellos(), 1);
  EXPECT_LT(Stop(), absl::Seconds(1));
}

TEST_F(RegistrationTest, ReadsTheTokenForEachConnection) {
  options_.refused_retry_nanos = 10 * kMillisecond;
  ASSERT_EQ(unlink(token_file_.c_str()), 0);
  Start();
  WaitFor([&] { return CountEvents("not_registered") == 1; });
  EXPECT_EQ(tracker_.hellos(), 0);
  ASSERT_TRUE(WritePrivateFile(token_file_, std::string(40, 'b')).ok());
  WaitUntilRegistered();
  EXPECT_EQ(tracker_.authorization(), "Bearer " + std::string(40, 'b'));
}

// The tracker ends the connection of a token that was replaced.
TEST_F(RegistrationTest, ATokenThatWasReplacedMeanwhileIsTriedAtOnce) {
  options_.refused_retry_nanos = kHour;
  tracker_.SetScript({absl::UnauthenticatedError("the token is not known")});
  hooks_.facts = [this] {
    // The first token has been read.
    EXPECT_TRUE(WritePrivateFile(token_file_, std::string(40, 'b')).ok());
    return DeviceFacts();
  };
  Start();
  WaitFor([&] { return tracker_.hellos() == 2; });
  EXPECT_EQ(tracker_.authorization(), "Bearer " + std::string(40, 'b'));
  // Nothing has changed since then.
  absl::SleepFor(absl::Milliseconds(300));
  EXPECT_EQ(tracker_.hellos(), 2);
}

TEST_F(RegistrationTest, AWelcomeThatIsNotValidIsARefusal) {
  options_.refused_retry_nanos = kHour;
  for (const std::string& key :
       {std::string("wrong"), std::string(5000, 'k')}) {
    ScriptedTracker::Script script;
    script.lease_key = key;
    tracker_.SetScript(script);
    const int logged = CountEvents("not_registered");
    Start();
    WaitFor([&] { return CountEvents("not_registered") == logged + 1; });
    EXPECT_FALSE(registration_->registered());
    Stop();
  }
  EXPECT_EQ(Read(welcomes_), std::vector<std::string>{"wrong 7"});
  EXPECT_EQ(CountEvents("registered"), 0);
}

TEST_F(RegistrationTest, ATrackerThatDoesNotAnswerIsTriedAgain) {
  options_.welcome_nanos = 50 * kMillisecond;
  ScriptedTracker::Script script;
  script.silent = true;
  tracker_.SetScript(script);
  Start();
  WaitFor([&] { return tracker_.hellos() >= 3; });
  EXPECT_EQ(tracker_.heartbeats(), 0);
  EXPECT_EQ(CountEvents("not_registered"), 1);
  tracker_.SetScript({});
  WaitUntilRegistered();
}

TEST_F(RegistrationTest, TellsTheTrackerThatItLeaves) {
  Start();
  WaitUntilRegistered();
  EXPECT_LT(Stop(), absl::Seconds(1));
  WaitFor([&] { return tracker_.left() == 1; });
}

TEST_F(RegistrationTest, StopsAlthoughTheTrackerKeepsTheStream) {
  ScriptedTracker::Script script;
  script.ignores_leaving = true;
  tracker_.SetScript(script);
  Start();
  WaitUntilRegistered();
  EXPECT_LT(Stop(), absl::Seconds(1));
}

TEST_F(RegistrationTest, StopsAlthoughTheTrackerDoesNotSpeak) {
  // Connections are accepted by the kernel, and nobody answers.
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(fd, 5), 0);
  ASSERT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  SetTracker(absl::StrCat("127.0.0.1:", ntohs(address.sin_port)));
  Start();
  absl::SleepFor(absl::Milliseconds(100));
  EXPECT_FALSE(registration_->registered());
  EXPECT_LT(Stop(), absl::Seconds(1));
  close(fd);
}

TEST_F(RegistrationTest, StopsWithoutATracker) {
  tracker_.Stop();
  Start();
  WaitFor([&] { return CountEvents("not_registered") == 1; });
  EXPECT_LT(Stop(), absl::Seconds(1));
}

}  // namespace
}  // namespace assay::rpc
