#include "runtime/measure/worker_process.h"

#include <sys/wait.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/measure/block_text.h"
#include "runtime/process/interrupt.h"

namespace assay::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// How SubprocessRunner uses a worker is tested in subprocess_test.cc. These
// tests are about what only the server of a device uses.
class WorkerProcessTest : public testing::Test {
 protected:
  // Starts a shell script in place of bench_artifact, which writes the version
  // first.
  std::unique_ptr<WorkerProcess> Script(const std::string& script) {
    return RawScript(
        absl::StrCat("echo protocol ", kProtocolVersion, "; ", script));
  }
  std::unique_ptr<WorkerProcess> RawScript(const std::string& script) {
    WorkerOptions options;
    options.command = {"/bin/sh", "-c", script, "bench"};
    options.time_limit_s = 20;
    options.interrupt = &interrupt_;
    auto worker = WorkerProcess::Start(options, {"a", "b"}, {/*threads=*/3, 7});
    EXPECT_TRUE(worker.ok()) << worker.status();
    return *std::move(worker);
  }
  absl::Status Take(WorkerProcess& worker, size_t samples,
                    double limit_s = 20) {
    Block block;
    block.samples.resize(samples);
    return worker.TakeBlock(block, "", limit_s, [&](size_t i, Sample sample) {
      EXPECT_EQ(i, nanos_.size());
      nanos_.push_back(sample.nanos);
      return nanos_.size() == stop_after_ ? absl::OutOfRangeError("enough")
                                          : absl::OkStatus();
    });
  }

  Interrupt interrupt_;
  std::vector<int64_t> nanos_;
  size_t stop_after_ = 0;
};

TEST_F(WorkerProcessTest, PassesTheFlags) {
  const auto worker = Script("echo ready $#; echo \"$*\"; read -r x");
  ASSERT_TRUE(worker->WaitUntilReady().ok());
  EXPECT_EQ(worker->threads(), 5);
  EXPECT_THAT(std::string(worker->Step("x").status().message()),
              HasSubstr("--steps=2 --artifact=a --artifact=b --threads=3 "
                        "--placement_seed=7"));
}

TEST_F(WorkerProcessTest, RefusesOtherVersions) {
  const auto refuse = [this](const std::string& script) {
    const auto worker = RawScript(script);
    const absl::Status status = worker->WaitUntilReady();
    EXPECT_EQ(worker->broken(), status);
    return status;
  };
  // A program of a commit before the first version line.
  EXPECT_EQ(refuse("echo ready 1; read -r x"),
            absl::FailedPreconditionError(
                "`bench` has version 1 of the protocol of workers, but this "
                "program has version 2; build it from a later commit, or "
                "measure with the harness of its commit"));
  EXPECT_EQ(refuse("echo protocol 3; echo ready 1; read -r x"),
            absl::FailedPreconditionError(
                "`bench` has version 3 of the protocol of workers, but this "
                "program has version 2; build it from an earlier commit, or "
                "measure with the harness of its commit"));
  for (const char* line : {"protocol", "protocol two", "protocol 2 2", "", "x",
                           "Protocol 2", "$(printf \"\\033[1m\")"}) {
    const absl::Status status = refuse(absl::StrCat("echo \"", line, "\""));
    EXPECT_TRUE(absl::IsInternal(status)) << line << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("instead of `protocol VERSION`"))
        << line;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("\033")));
  }
}

TEST_F(WorkerProcessTest, LimitsTheFirstLines) {
  // A long line is quoted in part; one without an end is not kept.
  const auto length = [](const absl::Status& status) {
    return status.message().size();
  };
  for (const char* first : {"", "echo protocol 2; "}) {
    const absl::Status line =
        RawScript(absl::StrCat(first, "printf '%100000d\\n' 0; read -r x"))
            ->WaitUntilReady();
    EXPECT_TRUE(absl::IsInternal(line)) << line;
    EXPECT_LT(length(line), 300u);
    const absl::Status endless =
        RawScript(absl::StrCat(first, "while true; do printf %65536d 0; done"))
            ->WaitUntilReady();
    EXPECT_TRUE(absl::IsResourceExhausted(endless)) << endless;
    EXPECT_LT(length(endless), 300u);
    const absl::Status ended =
        RawScript(absl::StrCat(first, "exit 3"))->WaitUntilReady();
    EXPECT_TRUE(absl::IsUnavailable(ended)) << ended;
    EXPECT_THAT(std::string(ended.message()), HasSubstr("exited with 3"));
    const absl::Status silent =
        RawScript(absl::StrCat(first, "read -r x"))->WaitUntilReady(0.2);
    EXPECT_TRUE(absl::IsDeadlineExceeded(silent)) << silent;
  }
}

TEST_F(WorkerProcessTest, HandsOutSamplesOneByOne) {
  // The second sample is written only after the first one was taken.
  const auto worker = Script(
      "echo ready 1; read -r b; echo sample 5 1; echo sample 6 1; echo ok; "
      "read -r x; echo ok 3");
  EXPECT_TRUE(Take(*worker, 2).ok());
  EXPECT_THAT(nanos_, ElementsAre(5, 6));
  EXPECT_THAT(worker->Step("x").value(), ElementsAre(3));
}

TEST_F(WorkerProcessTest, AnErrorOfTheCallerEndsTheSession) {
  stop_after_ = 2;
  const auto worker =
      Script("echo ready 1; read -r b; while true; do echo sample 5 1; done");
  EXPECT_EQ(Take(*worker, 100), absl::OutOfRangeError("enough"));
  EXPECT_EQ(worker->broken(), absl::OutOfRangeError("enough"));
  EXPECT_EQ(worker->Step("x").status(), absl::OutOfRangeError("enough"));
}

TEST_F(WorkerProcessTest, EndlessSamplesAreStopped) {
  const auto worker =
      Script("echo ready 1; read -r b; while true; do echo sample 5 1; done");
  EXPECT_TRUE(absl::IsInternal(Take(*worker, 3)));
  EXPECT_EQ(nanos_.size(), 3u);
  EXPECT_FALSE(worker->broken().ok());
}

TEST_F(WorkerProcessTest, RejectedRequestsLeaveTheWorkerUsable) {
  const auto worker = Script(
      "echo ready 1; read -r b; echo fail FAILED_PRECONDITION too fast; "
      "read -r x; echo nonsense; read -r y; echo ok");
  EXPECT_TRUE(absl::IsFailedPrecondition(Take(*worker, 1)));
  EXPECT_TRUE(absl::IsInternal(worker->Step("inputs x").status()));
  EXPECT_TRUE(worker->broken().ok());
  EXPECT_TRUE(worker->Step("y").ok());
}

TEST_F(WorkerProcessTest, TellsHowTheProcessEnded) {
  const auto worker = Script("exit 2");
  EXPECT_TRUE(absl::IsUnavailable(worker->WaitUntilReady()));
  ASSERT_TRUE(worker->wait_status().has_value());
  EXPECT_EQ(WEXITSTATUS(*worker->wait_status()), 2);
}

TEST_F(WorkerProcessTest, TheInterruptEndsABlock) {
  const auto worker = Script("echo ready 1; read -r b; read -r c");
  ASSERT_TRUE(worker->WaitUntilReady().ok());
  std::thread other([this] {
    Clock::Monotonic()->SleepNanos(30'000'000);
    interrupt_.Raise();
  });
  const int64_t start = MonotonicNanos();
  EXPECT_TRUE(absl::IsCancelled(Take(*worker, 1)));
  // Long before the time limit.
  EXPECT_LT(MonotonicNanos() - start, 15'000'000'000);
  EXPECT_TRUE(absl::IsCancelled(worker->broken()));
  other.join();
}

TEST_F(WorkerProcessTest, CallsHaveTheirOwnLimits) {
  const auto worker = Script("echo ready 1; read -r b; read -r c");
  EXPECT_TRUE(absl::IsDeadlineExceeded(Take(*worker, 1, 0.1)));
  const auto slow = Script("read -r b");
  EXPECT_TRUE(absl::IsDeadlineExceeded(slow->WaitUntilReady(0.1)));
}

}  // namespace
}  // namespace assay::runtime
