// SessionHost with many threads, without gRPC: ThreadSanitizer cannot see how
// the threads of gRPC synchronize, because its library is not compiled for it.
#include "rpc/server/service/session_host.h"

#include <dirent.h>

#include <atomic>
#include <cstdio>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/program/event_log.h"
#include "rpc/server/blob_store.h"
#include "rpc/server/crash_record.h"
#include "rpc/server/lease_guard.h"
#include "rpc/server/testing/test_tracker.h"
#include "rpc/server/worker/work_folder.h"
#include "rpc/server/worker/worker_sandbox.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/sha256.h"
#include "runtime/measure/session.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// Copies of an error share one object, and the last owner deletes it in this
// function of the library, whose reference count ThreadSanitizer cannot see.
extern "C" const char* __tsan_default_suppressions() {
  return "race:absl::*::Status::UnrefNonInlined\n";
}
#endif
#endif

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr char kHostile[] = "rpc/server/testing/hostile_worker";

class Discard : public BlockSink {
 public:
  void Measured() override {}
  void TakePeakMemory(int64_t) override {}
  absl::Status TakeSample(const runtime::Sample&, int64_t) override {
    return absl::OkStatus();
  }
  absl::Status TakeOutputs(std::string) override { return absl::OkStatus(); }
};

class SessionHostTest : public testing::Test {
 protected:
  void Start(const std::string& mode) {
    digest_ = Sha256Hex("artifact");
    ASSERT_TRUE(blobs_->Append(digest_, 8, 0, "artifact").ok());
    SandboxOptions sandbox;
    sandbox.command = {kHostile, mode};
    auto created = WorkerSandbox::Create(sandbox, root_->path());
    ASSERT_TRUE(created.ok()) << created.status();
    sandbox_ = std::make_unique<WorkerSandbox>(*std::move(created));
    ASSERT_TRUE(guard_.SetKey(tracker_.public_pem(), 1).ok());
    HostOptions options;
    options.guard = &guard_;
    options.blobs = blobs_.get();
    options.crashes = &crashes_;
    options.sandbox = sandbox_.get();
    options.root = root_.get();
    options.log = &log_;
    options.usage_nanos = kSecond / 200;
    host_ = std::make_unique<SessionHost>(options);
    guard_.SetListener([this] { host_->CheckLease(); });
  }
  ~SessionHostTest() override {
    guard_.SetListener(nullptr);
    host_ = nullptr;
    EXPECT_EQ(Folders(), 0);
    fclose(log_file_);
  }

  int Folders() const {
    int count = 0;
    DIR* const folder = opendir(root_->path().c_str());
    while (const dirent* entry = readdir(folder)) {
      if (entry->d_name[0] != '.') ++count;
    }
    closedir(folder);
    return count;
  }
  // The lease with this token, as the guard admits it.
  absl::StatusOr<LeaseHolder> Admit(int64_t token) {
    return guard_.Check(tracker_.Sign({"board", "ann", token, 0, 60}));
  }
  static int64_t Deadline() { return MonotonicNanos() + 20 * kSecond; }

  absl::StatusOr<OpenedSession> Open(const LeaseHolder& holder,
                                     std::shared_ptr<CallState> call) {
    std::promise<absl::StatusOr<OpenedSession>> opened;
    host_->Open(std::move(call), holder, Deadline(), {{digest_}, 1},
                [&](absl::StatusOr<OpenedSession> result) {
                  opened.set_value(std::move(result));
                });
    return opened.get_future().get();
  }
  absl::Status Run(const LeaseHolder& holder, const std::string& session,
                   std::shared_ptr<CallState> call, SessionHost::Work work) {
    std::promise<absl::Status> done;
    host_->Run(std::move(call), holder, session, Deadline(), std::move(work),
               [&](const absl::Status& status) { done.set_value(status); });
    return done.get_future().get();
  }
  static absl::Status TakeBlock(LiveSession& session) {
    runtime::Block block;
    block.samples.resize(1);
    block.read_outputs = true;
    Discard sink;
    return session.worker->RunBlock(block, sink, Deadline());
  }

  const TempDir temp_ = TempDir::CreateInMemory().value();
  const SigningTracker tracker_;
  LeaseGuard guard_{"board"};
  CrashRecord crashes_;
  FILE* const log_file_ = fopen("/dev/null", "w");
  EventLog log_{log_file_, "server"};
  const std::unique_ptr<BlobStore> blobs_ =
      BlobStore::Open(JoinPath(temp_.path(), "blobs"), {}).value();
  const std::unique_ptr<WorkRoot> root_ =
      WorkRoot::Open(JoinPath(temp_.path(), "work")).value();
  std::unique_ptr<WorkerSandbox> sandbox_;
  std::unique_ptr<SessionHost> host_;
  std::string digest_;
};

TEST_F(SessionHostTest, RunsASession) {
  Start("well");
  const LeaseHolder holder = Admit(7).value();
  const auto session = Open(holder, std::make_shared<CallState>());
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ(session->threads, 1);
  const auto call = std::make_shared<CallState>();
  EXPECT_TRUE(Run(holder, session->id, call, TakeBlock).ok());
  EXPECT_FALSE(host_->TryReserve());
  std::promise<void> closed;
  host_->Close(holder, session->id, [&] { closed.set_value(); });
  closed.get_future().get();
  EXPECT_TRUE(absl::IsNotFound(Run(holder, session->id, call, TakeBlock)));
}

// Cancelling a call that has ended must not end the session.
TEST_F(SessionHostTest, ACallThatHasEndedCannotEndTheSession) {
  Start("well");
  const LeaseHolder holder = Admit(7).value();
  const auto opener = std::make_shared<CallState>();
  const auto session = Open(holder, opener);
  ASSERT_TRUE(session.ok()) << session.status();
  const auto call = std::make_shared<CallState>();
  EXPECT_TRUE(Run(holder, session->id, call, TakeBlock).ok());
  opener->Cancel();
  call->Cancel();
  const auto next = std::make_shared<CallState>();
  EXPECT_TRUE(Run(holder, session->id, next, TakeBlock).ok());
  // A call that was cancelled before it began is dropped.
  bool ran = false;
  EXPECT_TRUE(
      absl::IsCancelled(Run(holder, session->id, call, [&](LiveSession&) {
        ran = true;
        return absl::OkStatus();
      })));
  EXPECT_FALSE(ran);
}

TEST_F(SessionHostTest, AStaleHolderCannotReplaceTheSession) {
  Start("well");
  const LeaseHolder stale = Admit(7).value();
  const LeaseHolder holder = Admit(8).value();
  const auto session = Open(holder, std::make_shared<CallState>());
  ASSERT_TRUE(session.ok()) << session.status();
  // It was admitted before the other lease was seen.
  EXPECT_TRUE(
      absl::IsAborted(Open(stale, std::make_shared<CallState>()).status()));
  EXPECT_TRUE(absl::IsNotFound(
      Run(stale, session->id, std::make_shared<CallState>(), TakeBlock)));
  EXPECT_TRUE(
      Run(holder, session->id, std::make_shared<CallState>(), TakeBlock).ok());
}

// Threads with leases of ascending tokens open, run, cancel and close. All
// calls must be answered, and only one may work at a time.
TEST_F(SessionHostTest, ThreadsShareTheDevice) {
  Start("well");
  constexpr int kThreads = 4;
  constexpr int kRounds = 15;
  std::atomic<int64_t> token{1};
  std::atomic<int> working{0};
  std::atomic<int> overlaps{0};
  std::atomic<int> blocks{0};
  const auto work = [&](LiveSession& session) {
    if (++working != 1) ++overlaps;
    const absl::Status status = TakeBlock(session);
    if (status.ok()) ++blocks;
    --working;
    return status;
  };
  const auto client = [&](uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < kRounds; ++i) {
      const auto holder = Admit(++token);
      if (!holder.ok()) continue;  // another thread was faster
      const auto opener = std::make_shared<CallState>();
      std::thread canceller;
      if (rng.NextU64() % 4 == 0) {
        canceller = std::thread([opener] { opener->Cancel(); });
      }
      const auto session = Open(*holder, opener);
      if (canceller.joinable()) canceller.join();
      if (!session.ok()) continue;
      const auto call = std::make_shared<CallState>();
      if (rng.NextU64() % 3 == 0) {
        canceller = std::thread([call] { call->Cancel(); });
      }
      Run(*holder, session->id, call, work).IgnoreError();
      if (canceller.joinable()) canceller.join();
      if (rng.NextU64() % 3 == 0) guard_.Ended(holder->token);
      std::promise<void> closed;
      host_->Close(*holder, session->id, [&] { closed.set_value(); });
      closed.get_future().get();
    }
  };
  std::atomic<bool> done{false};
  std::atomic<int> disturbed{0};
  std::thread canary([&] {
    while (!done) {
      if (host_->TryReserve()) {
        if (working != 0) ++disturbed;
        Clock::Monotonic()->SleepNanos(1'000'000);
        if (working != 0) ++disturbed;
        host_->Unreserve();
      }
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> clients;
  for (int i = 0; i < kThreads; ++i) {
    clients.emplace_back(client, static_cast<uint64_t>(i + 1));
  }
  for (std::thread& thread : clients) thread.join();
  done = true;
  canary.join();
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(disturbed, 0);
  // The last lease is not disturbed by anybody.
  const LeaseHolder holder = Admit(++token).value();
  const auto session = Open(holder, std::make_shared<CallState>());
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE(
      Run(holder, session->id, std::make_shared<CallState>(), work).ok());
  EXPECT_GT(blocks, 0);
}

TEST_F(SessionHostTest, StopEndsABlockOfAnotherThread) {
  Start("hang");
  const LeaseHolder holder = Admit(7).value();
  const auto session = Open(holder, std::make_shared<CallState>());
  ASSERT_TRUE(session.ok()) << session.status();
  std::promise<void> running;
  std::thread stopper([&] {
    running.get_future().get();
    host_->Stop();
  });
  const absl::Status status =
      Run(holder, session->id, std::make_shared<CallState>(),
          [&](LiveSession& live) {
            running.set_value();
            return TakeBlock(live);
          });
  stopper.join();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_TRUE(absl::IsUnavailable(
      Open(holder, std::make_shared<CallState>()).status()));
}

}  // namespace
}  // namespace assay::rpc
