// The device service with workers, clients and leases that misbehave or end at
// the wrong time.
#include <dirent.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/server/service/device_service.h"
#include "rpc/server/testing/device_fixture.h"
#include "rpc/server/testing/test_tracker.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;
constexpr char kHostile[] = "rpc/server/testing/hostile_worker";

double SecondsSince(int64_t start) {
  return static_cast<double>(MonotonicNanos() - start) * 1e-9;
}

void Sleep(double seconds) {
  Clock::Monotonic()->SleepNanos(static_cast<int64_t>(seconds * 1e9));
}

int Threads() {
  int count = 0;
  DIR* const folder = opendir("/proc/self/task");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

RunBlockRequest Block(const std::string& session) {
  RunBlockRequest request;
  request.set_session(session);
  request.add_samples()->set_number(1);
  request.set_read_outputs(true);
  return request;
}

class DeviceHostileTest : public testing::Test {
 protected:
  // Starts a device whose workers have this mode (hostile_worker.cc), and which
  // looks at their folders every `usage_nanos`.
  void Start(const std::string& mode, int64_t usage_nanos = kSecond / 20) {
    client_ = nullptr;
    device_ = nullptr;
    TestDeviceOptions options;
    options.worker = {kHostile, mode};
    options.sandbox.max_memory_bytes = 256 << 20;
    options.sandbox.max_file_bytes = 8 << 20;
    options.host.max_output_bytes = 4 << 20;
    options.host.max_folder_bytes = 16 << 20;
    options.host.max_folder_files = 1000;
    options.host.usage_nanos = usage_nanos;
    device_ = std::make_unique<TestDevice>(options);
    client_ = std::make_unique<TestClient>(device_.get(), Lease(7));
  }
  void TearDown() override {
    if (device_ == nullptr) return;
    device_->service->Stop();
    EXPECT_TRUE(device_->IsClean());
  }

  std::string Lease(int64_t token, int64_t renewals = 0, double seconds = 60,
                    const std::string& user = "ann") {
    return device_->tracker.Sign({"board", user, token, renewals, seconds});
  }
  std::string OpenSession(TestClient& client) {
    OpenAnswer answer;
    const absl::Status status =
        client.Open({client.Upload("artifact")}, &answer);
    EXPECT_TRUE(status.ok()) << status;
    return answer.session();
  }
  // Runs a block in a thread, calls `disturb` in the middle of it, and returns
  // the error of the block.
  absl::Status Disturb(const std::function<void()>& disturb) {
    const std::string session = OpenSession(*client_);
    absl::Status status;
    std::thread block(
        [&] { status = client_->RunBlock(Block(session)).status; });
    Sleep(0.1);
    EXPECT_EQ(device_->Processes(), 1);
    const int64_t start = MonotonicNanos();
    disturb();
    block.join();
    EXPECT_LT(SecondsSince(start), 2);
    EXPECT_TRUE(device_->IsClean());
    return status;
  }

  std::unique_ptr<TestDevice> device_;
  std::unique_ptr<TestClient> client_;
};

// Whatever a worker does, the call is answered within its deadline, and the
// next session works.
TEST_F(DeviceHostileTest, WorkersCannotHarmTheServer) {
  for (const char* mode : {"crash",         "exit",           "hang",
                           "close",         "endless_line",   "endless_samples",
                           "endless_calls", "endless_errors", "memory",
                           "fork",          "threads",        "big_file",
                           "many_files",    "folders",        "link",
                           "pipe",          "huge_file",      "no_file",
                           "lie",           "nonsense"}) {
    Start(mode);
    const std::string session = OpenSession(*client_);
    client_->timeout_s = 1;
    const int64_t start = MonotonicNanos();
    const TestBlock block = client_->RunBlock(Block(session));
    EXPECT_LT(SecondsSince(start), 1.5) << mode;
    EXPECT_TRUE(absl::IsInternal(block.status) ||
                absl::IsDeadlineExceeded(block.status))
        << mode << block.status;
    client_->timeout_s = 20;
    EXPECT_TRUE(device_->IsClean()) << mode;
    const std::string inputs = client_->Upload("inputs");
    EXPECT_TRUE(absl::IsNotFound(client_->SetInputs(session, inputs))) << mode;
    const std::string next = OpenSession(*client_);
    EXPECT_TRUE(client_->SetInputs(next, inputs).ok()) << mode;
    EXPECT_TRUE(client_->Close(next).ok());
  }
}

TEST_F(DeviceHostileTest, TheServerSaysHowAWorkerFailed) {
  Start("crash");
  const TestBlock crash = client_->RunBlock(Block(OpenSession(*client_)));
  EXPECT_THAT(std::string(crash.status.message()), HasSubstr("signal 11"));
  EXPECT_EQ(device_->crashes.count(), 1);
  Start("hang");
  client_->timeout_s = 0.5;
  const TestBlock hang = client_->RunBlock(Block(OpenSession(*client_)));
  EXPECT_TRUE(absl::IsDeadlineExceeded(hang.status)) << hang.status;
  EXPECT_THAT(std::string(hang.status.message()), HasSubstr("did not answer"));
  EXPECT_EQ(device_->crashes.count(), 1);
  Start("many_files");
  const TestBlock files = client_->RunBlock(Block(OpenSession(*client_)));
  EXPECT_TRUE(absl::IsInternal(files.status)) << files.status;
  EXPECT_THAT(std::string(files.status.message()), HasSubstr("1000 files"));
  Start("lie");
  const TestBlock lie = client_->RunBlock(Block(OpenSession(*client_)));
  EXPECT_TRUE(absl::IsInternal(lie.status)) << lie.status;
  EXPECT_EQ(device_->crashes.count(), 0);
}

TEST_F(DeviceHostileTest, WorkersThatFailAtTheStart) {
  OpenAnswer answer;
  Start("reject_artifacts");
  absl::Status status = client_->Open({client_->Upload("x")}, &answer);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("damaged"));
  Start("crash_at_start");
  status = client_->Open({client_->Upload("x")}, &answer);
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_EQ(device_->crashes.count(), 1);
  Start("hang_at_start");
  const std::string digest = client_->Upload("x");
  client_->timeout_s = 0.5;
  status = client_->Open({digest}, &answer);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_EQ(device_->crashes.count(), 1);
}

TEST_F(DeviceHostileTest, CrashesOfSeveralUsersAreAProblem) {
  Start("crash");
  for (int64_t token = 10; token < 16; ++token) {
    TestClient client(device_.get(),
                      Lease(token, 0, 60, token < 15 ? "ann" : "bob"));
    EXPECT_FALSE(client.RunBlock(Block(OpenSession(client))).status.ok());
    EXPECT_EQ(device_->crashes.problem().empty(), token < 15);
  }
  EXPECT_EQ(device_->crashes.count(), 6);
}

TEST_F(DeviceHostileTest, AHigherTokenEndsTheBlock) {
  Start("hang");
  TestClient next(device_.get(), Lease(8));
  const absl::Status status =
      Disturb([&] { EXPECT_TRUE(next.Find(std::string(64, 'a')).ok()); });
  EXPECT_TRUE(absl::IsAborted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("the lease 8"));
}

TEST_F(DeviceHostileTest, TheEndOfTheLeaseEndsTheBlock) {
  Start("hang");
  const absl::Status status = Disturb([&] { device_->guard.Ended(7); });
  EXPECT_TRUE(absl::IsAborted(status)) << status;
  EXPECT_EQ(device_->crashes.count(), 0);
}

TEST_F(DeviceHostileTest, AnExpiredLeaseEndsTheBlock) {
  // Nothing but the expiry wakes the thread that ends the session.
  Start("hang", 60 * kSecond);
  client_->lease = Lease(7, 1, 0.3);
  const int64_t start = MonotonicNanos();
  const absl::Status status = Disturb([] {});
  EXPECT_TRUE(absl::IsAborted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("expired"));
  EXPECT_GT(SecondsSince(start), 0.25);
  // An older renewal does not bring it back.
  client_->lease = Lease(7, 0);
  EXPECT_TRUE(absl::IsAborted(client_->Find(std::string(64, 'a')).status()));
}

TEST_F(DeviceHostileTest, ARenewalDuringABlockProlongsIt) {
  // Nothing but the expiry wakes the thread that ends the session.
  Start("hang", 60 * kSecond);
  client_->lease = Lease(7, 1, 0.4);
  const std::string session = OpenSession(*client_);
  TestClient block_client(device_.get(), client_->lease);
  absl::Status status;
  std::atomic<bool> done{false};
  std::thread block([&] {
    status = block_client.RunBlock(Block(session)).status;
    done = true;
  });
  for (int64_t renewals = 2; renewals < 6; ++renewals) {
    Sleep(0.2);
    client_->lease = Lease(7, renewals, 0.4);
    EXPECT_TRUE(client_->Find(std::string(64, 'a')).ok());
    EXPECT_FALSE(done);
  }
  block.join();
  EXPECT_TRUE(absl::IsAborted(status)) << status;
}

TEST_F(DeviceHostileTest, ClosingAndOpeningEndTheBlock) {
  Start("hang");
  const std::string first = "7-1";
  absl::Status status =
      Disturb([&] { EXPECT_TRUE(client_->Close(first).ok()); });
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  TestClient same(device_.get(), client_->lease);
  std::string next;
  status = Disturb([&] {
    next = OpenSession(same);
    EXPECT_TRUE(same.Close(next).ok());
  });
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(next));
}

TEST_F(DeviceHostileTest, StoppingEndsTheBlock) {
  Start("hang");
  const absl::Status status = Disturb([&] { device_->service->Stop(); });
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
}

TEST_F(DeviceHostileTest, ACancelledClientFreesTheDevice) {
  Start("hang");
  const std::string session = OpenSession(*client_);
  grpc::ClientContext context;
  client_->Prepare(&context);
  const auto stream = client_->stub->RunBlock(&context, Block(session));
  Sleep(0.1);
  EXPECT_EQ(device_->Processes(), 1);
  const int64_t start = MonotonicNanos();
  context.TryCancel();
  EXPECT_FALSE(stream->Finish().ok());
  EXPECT_TRUE(device_->IsClean());
  EXPECT_LT(SecondsSince(start), 2);
  EXPECT_EQ(device_->crashes.count(), 0);
  EXPECT_TRUE(absl::IsNotFound(client_->SetInputs(session, "")));
  while (!device_->service->TryReserve()) {
  }
  device_->service->Unreserve();
}

TEST_F(DeviceHostileTest, ACancelledOpenLeavesNothing) {
  Start("hang_at_start");
  const std::string digest = client_->Upload("artifact");
  client_->timeout_s = 20;
  OpenAnswer answer;
  std::thread opener([&] {
    client_->timeout_s = 0.3;
    EXPECT_FALSE(client_->Open({digest}, &answer).ok());
  });
  opener.join();
  EXPECT_TRUE(device_->IsClean());
}

// The client takes the first message and reads no others.
TEST_F(DeviceHostileTest, AClientThatDoesNotReadIsStoppedWithItsLease) {
  Start("large_outputs");
  const std::string session = OpenSession(*client_);
  RunBlockRequest request = Block(session);
  for (int i = 0; i < 9; ++i) request.add_samples()->set_number(1);
  grpc::ClientContext context;
  client_->Prepare(&context);
  const auto stream = client_->stub->RunBlock(&context, request);
  RunBlockAnswer answer;
  ASSERT_TRUE(stream->Read(&answer));
  Sleep(0.3);
  EXPECT_EQ(device_->Processes(), 1);  // it waits for the client
  TestClient next(device_.get(), Lease(8));
  const int64_t start = MonotonicNanos();
  const std::string other = OpenSession(next);
  EXPECT_LT(SecondsSince(start), 2);
  EXPECT_TRUE(next.Close(other).ok());
  context.TryCancel();
  EXPECT_FALSE(stream->Finish().ok());
}

TEST_F(DeviceHostileTest, AnEarlierHolderCannotBlockUploads) {
  Start("well");
  // It opens all the uploads that it may, and sends nothing more.
  constexpr size_t kUploads = 8;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientWriter<PutBlobRequest>>> streams;
  PutBlobAnswer answer;
  for (size_t i = 0; i < kUploads + 2; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    client_->Prepare(contexts.back().get());
    streams.push_back(client_->stub->PutBlob(contexts.back().get(), &answer));
    PutBlobRequest request;
    request.set_digest(Sha256Hex(absl::StrCat(i)));
    request.set_size(1000);
    request.set_bytes("x");
    streams[i]->Write(request);
    if (i >= kUploads) {
      EXPECT_EQ(streams[i]->Finish().error_code(),
                grpc::StatusCode::RESOURCE_EXHAUSTED);
      continue;
    }
    while (client_->Find(request.digest())->offset() == 0) Sleep(0.001);
  }
  TestClient next(device_.get(), Lease(8));
  EXPECT_EQ(next.Upload("mine"), Sha256Hex("mine"));
  const int64_t start = MonotonicNanos();
  for (size_t i = 0; i < kUploads; ++i) {
    EXPECT_EQ(streams[i]->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_LT(SecondsSince(start), 2);
}

// Calls of all kinds with wrong leases, sessions and bytes, from several
// threads, while a session works.
TEST_F(DeviceHostileTest, SurvivesManyHostileCalls) {
  Start("well");
  const std::string session = OpenSession(*client_);
  EXPECT_TRUE(client_->RunBlock(Block(session)).status.ok());
  const int threads_before = Threads();
  std::atomic<int> ok{0};
  std::atomic<int> undocumented{0};
  int most_threads = 0;
  constexpr int kClients = 4;
  constexpr int kRounds = 60;
  const auto attack = [&](int seed) {
    TestClient client(device_.get(), "");
    client.timeout_s = 10;
    const std::vector<std::string> leases = {
        "", "nonsense", Lease(3), SigningTracker().Sign({"board", "eve", 99}),
        std::string(16 << 10, '\xff')};
    for (int i = 0; i < kRounds; ++i) {
      client.lease = leases[static_cast<size_t>(seed + i) % leases.size()];
      RunBlockRequest request = Block(std::string(100, 'x'));
      for (int k = 0; k < 1000; ++k) request.add_samples();
      OpenAnswer answer;
      for (const absl::Status& status :
           {client.Find(std::string(64, 'a')).status(),
            client.Put(std::string(64, 'a'), "abc"),
            client.Open({"../../x"}, &answer), client.SetInputs(session, "x"),
            client.RunBlock(request).status, client.Close(session)}) {
        if (status.ok()) ++ok;
        if (!absl::IsUnauthenticated(status) && !absl::IsAborted(status)) {
          ++undocumented;
        }
      }
    }
  };
  std::vector<std::thread> attackers;
  for (int i = 0; i < kClients; ++i) attackers.emplace_back(attack, i);
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(client_->RunBlock(Block(session)).status.ok());
    most_threads = std::max(most_threads, Threads());
  }
  for (std::thread& attacker : attackers) attacker.join();
  EXPECT_EQ(ok, 0);
  EXPECT_EQ(undocumented, 0);
  // The threads of the attackers, and some of gRPC.
  EXPECT_LT(most_threads, threads_before + kClients + 20);
  EXPECT_TRUE(client_->RunBlock(Block(session)).status.ok());
}

TEST_F(DeviceHostileTest, TheHolderCannotQueueCallsWithoutEnd) {
  Start("hang");
  const std::string session = OpenSession(*client_);
  std::vector<std::thread> callers;
  std::atomic<int> refused{0};
  std::atomic<int> ended{0};
  for (int i = 0; i < 100; ++i) {
    callers.emplace_back([&] {
      const absl::Status status = client_->RunBlock(Block(session)).status;
      if (absl::IsResourceExhausted(status)) ++refused;
      if (absl::IsAborted(status)) ++ended;
    });
  }
  while (refused < 35) Sleep(0.005);
  device_->guard.Ended(7);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(refused, 35);  // one runs, and 64 wait
  EXPECT_EQ(ended, 65);
}

}  // namespace
}  // namespace assay::rpc
