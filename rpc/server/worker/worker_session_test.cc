#include "rpc/server/worker/worker_session.h"

#include <dirent.h>
#include <stdlib.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/subprocess.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kSecond = 1'000'000'000;
constexpr char kBench[] = "runtime/tools/bench_artifact";
constexpr char kHostile[] = "rpc/server/testing/hostile_worker";

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ASSAY_NEEDS_MUCH_MEMORY
#endif
#endif

class KeepAll : public BlockSink {
 public:
  void Measured() override { ++measured; }
  void TakePeakMemory(int64_t bytes) override { peak_bytes = bytes; }
  absl::Status TakeSample(const runtime::Sample& sample,
                          int64_t outputs_size) override {
    samples.push_back(sample);
    outputs.emplace_back();
    sizes.push_back(outputs_size);
    return fails ? absl::CancelledError("the client is gone")
                 : absl::OkStatus();
  }
  absl::Status TakeOutputs(std::string bytes) override {
    EXPECT_LE(bytes.size(), size_t{1} << 20);
    outputs.back() += bytes;
    return absl::OkStatus();
  }

  int measured = 0;
  int64_t peak_bytes = 0;
  std::vector<runtime::Sample> samples;
  std::vector<std::string> outputs;
  std::vector<int64_t> sizes;
  bool fails = false;
};

int64_t In(double seconds) {
  return MonotonicNanos() + static_cast<int64_t>(seconds * 1e9);
}

class WorkerSessionTest : public testing::Test {
 protected:
  void SetUp() override {
    cookie_ = absl::StrCat("cookie=", MonotonicNanos());
    sandbox_options_.environment = {
        absl::StrCat("ASSAY_TEST_COOKIE=", cookie_)};
    artifact_path_ = JoinPath(temp_.path(), "artifact");
    ASSERT_TRUE(runtime::WriteArtifact(artifact_path_, artifact_).ok());
    sandbox_options_.max_file_bytes = 8 << 20;
    sandbox_options_.max_memory_bytes = 256 << 20;
  }
  void TearDown() override {
    EXPECT_EQ(Processes(), 0);
    EXPECT_THAT(Folders(), IsEmpty());
  }

  // Processes that workers of this test have left behind.
  int Processes() const {
    int count = 0;
    DIR* const folder = opendir("/proc");
    while (const dirent* entry = readdir(folder)) {
      pid_t pid = 0;
      if (!absl::SimpleAtoi(entry->d_name, &pid) || pid == getpid()) continue;
      const auto environment =
          ReadFile(absl::StrCat("/proc/", pid, "/environ"));
      if (environment.ok() && absl::StrContains(*environment, cookie_)) ++count;
    }
    closedir(folder);
    return count;
  }
  // The folders of sessions that are there.
  std::vector<std::string> Folders() const {
    std::vector<std::string> names;
    DIR* const folder = opendir(root_->path().c_str());
    while (const dirent* entry = readdir(folder)) {
      if (entry->d_name[0] != '.') names.push_back(entry->d_name);
    }
    closedir(folder);
    return names;
  }

  absl::StatusOr<std::unique_ptr<WorkerSession>> Start(
      std::vector<std::string> command, int artifacts = 1,
      double limit_s = 20) {
#if defined(ASSAY_NEEDS_MUCH_MEMORY)
    if (command[0] == kBench) sandbox_options_.max_memory_bytes = 0;
#endif
    sandbox_options_.command = std::move(command);
    auto sandbox = WorkerSandbox::Create(sandbox_options_, root_->path());
    if (!sandbox.ok()) return sandbox.status();
    sandbox_ = std::make_unique<WorkerSandbox>(*std::move(sandbox));
    SessionOptions options;
    options.sandbox = sandbox_.get();
    options.root = root_.get();
    options.artifacts.assign(static_cast<size_t>(artifacts), artifact_path_);
    options.threads = 1;
    options.max_output_bytes = 4 << 20;
    options.interrupt = &interrupt_;
    return WorkerSession::Start(options, In(limit_s));
  }

  // The error of a block of a hostile worker.
  absl::Status Misbehave(const std::string& mode, double limit_s = 20) {
    auto session = Start({kHostile, mode});
    EXPECT_TRUE(session.ok()) << session.status();
    if (!session.ok()) return session.status();
    runtime::Block block;
    block.samples.resize(1);
    block.read_outputs = true;
    const int64_t start = MonotonicNanos();
    const absl::Status status = (*session)->RunBlock(block, sink_, In(limit_s));
    EXPECT_LT(MonotonicNanos() - start,
              static_cast<int64_t>(limit_s * 1e9) + kSecond)
        << mode;
    EXPECT_EQ((*session)->over(), absl::IsInternal(status) ||
                                      absl::IsDeadlineExceeded(status) ||
                                      absl::IsCancelled(status))
        << mode << status;
    return status;
  }

  const runtime::Artifact artifact_ = runtime::TestArtifact();
  const TempDir temp_ = TempDir::Create().value();
  const std::unique_ptr<WorkRoot> root_ =
      WorkRoot::Open(JoinPath(temp_.path(), "work")).value();
  std::string cookie_;
  std::string artifact_path_;
  SandboxOptions sandbox_options_;
  std::unique_ptr<WorkerSandbox> sandbox_;
  runtime::Interrupt interrupt_;
  KeepAll sink_;
};

TEST_F(WorkerSessionTest, GivesTheOutputsOfALocalSession) {
  const auto inputs = runtime::SeededInputs(artifact_, 1);
  const std::string inputs_path = JoinPath(temp_.path(), "inputs");
  ASSERT_TRUE(runtime::WriteTensors(inputs_path, inputs).ok());
  auto session = Start({kBench}, /*artifacts=*/2);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ((*session)->threads(), 1);
  EXPECT_EQ((*session)->programs(), 2);
  EXPECT_THAT(Folders(), SizeIs(1));
  absl::Status status = (*session)->SetInputs(inputs_path, In(20));
  ASSERT_TRUE(status.ok()) << status;
  runtime::Block block;
  block.samples = {{0, 2}, {1, 1, 1}, {0, 1}};
  block.read_outputs = true;
  block.time_calls = true;
  status = (*session)->RunBlock(block, sink_, In(20));
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(sink_.measured, 1);
  ASSERT_EQ(sink_.samples.size(), 3u);
  EXPECT_EQ(sink_.samples[0].number, 2);
  EXPECT_EQ(sink_.samples[1].call_nanos.size(), 3u);

  // A local session.
  runtime::SubprocessOptions options;
  options.command = {kBench};
  auto local = runtime::SubprocessRunner(options).Load({&artifact_}, {1});
  ASSERT_TRUE(local.ok()) << local.status();
  ASSERT_TRUE((*local)->SetInputs(inputs).ok());
  const auto expected = runtime::RunOnce(**local);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const std::string expected_path = JoinPath(temp_.path(), "expected");
  ASSERT_TRUE(runtime::WriteTensors(expected_path, expected->outputs).ok());
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sink_.sizes[i], static_cast<int64_t>(sink_.outputs[i].size()));
    EXPECT_TRUE(sink_.outputs[i] == ReadFile(expected_path).value());
  }

  // Without outputs.
  KeepAll small;
  block.read_outputs = block.time_calls = false;
  ASSERT_TRUE((*session)->RunBlock(block, small, In(20)).ok());
  EXPECT_THAT(small.sizes, ElementsAre(0, 0, 0));
  block.samples.clear();
  ASSERT_TRUE((*session)->RunBlock(block, small, In(20)).ok());
  EXPECT_EQ(small.measured, 2);
  EXPECT_FALSE((*session)->over());
}

TEST_F(WorkerSessionTest, DamagedArtifactsAreRejected) {
  ASSERT_TRUE(WriteFileAtomic(artifact_path_, "nonsense").ok());
  const auto session = Start({kBench});
  EXPECT_TRUE(absl::IsInvalidArgument(session.status())) << session.status();
  EXPECT_EQ(CrashOf(session.status()), "");
}

TEST_F(WorkerSessionTest, BadInputsAreRejected) {
  auto session = Start({kBench});
  ASSERT_TRUE(session.ok()) << session.status();
  const std::string path = JoinPath(temp_.path(), "inputs");
  ASSERT_TRUE(WriteFileAtomic(path, "nonsense").ok());
  const absl::Status status = (*session)->SetInputs(path, In(20));
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_FALSE((*session)->over());
  // The session can still be used.
  ASSERT_TRUE(
      runtime::WriteTensors(path, runtime::SeededInputs(artifact_, 1)).ok());
  EXPECT_TRUE((*session)->SetInputs(path, In(20)).ok());
  runtime::Block block;
  block.samples.resize(1);
  EXPECT_TRUE((*session)->RunBlock(block, sink_, In(20)).ok());
}

TEST_F(WorkerSessionTest, WorkersThatFailAtTheStart) {
  const auto reject = Start({kHostile, "reject_artifacts"}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(reject)) << reject;
  EXPECT_THAT(std::string(reject.message()), HasSubstr("damaged"));
  const auto crash = Start({kHostile, "crash_at_start"}).status();
  EXPECT_TRUE(absl::IsInternal(crash)) << crash;
  EXPECT_EQ(CrashOf(crash), "died of signal 6");
  const auto hang = Start({kHostile, "hang_at_start"}, 1, 0.3).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(hang)) << hang;
  EXPECT_EQ(CrashOf(hang), "did not answer in time");
  const auto flood = Start({kHostile, "endless_start"}).status();
  EXPECT_TRUE(absl::IsInternal(flood)) << flood;
  const auto other_version = Start({kHostile, "other_version"}).status();
  EXPECT_TRUE(absl::IsInternal(other_version)) << other_version;
  EXPECT_THAT(std::string(other_version.message()),
              HasSubstr("version 1 of the protocol of workers"));
  const auto missing = Start({"/no/such/worker"}).status();
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  const auto other = Start({"/etc/passwd"}).status();
  EXPECT_TRUE(absl::IsInternal(other)) << other;
}

TEST_F(WorkerSessionTest, TellsTheTimeOfLoading) {
  const int64_t start = MonotonicNanos();
  const auto session = Start({kBench});
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_GT((*session)->load_nanos().value(), 0);
  EXPECT_LT((*session)->load_nanos().value(), MonotonicNanos() - start);
}

TEST_F(WorkerSessionTest, TellsThePeakOfTheMemory) {
  const auto session = Start({kBench});
  ASSERT_TRUE(session.ok()) << session.status();
  KeepAll sink;
  ASSERT_TRUE((*session)->RunBlock(runtime::Block(), sink, In(20)).ok());
  EXPECT_EQ(sink.peak_bytes, 0);  // nothing ran
  runtime::Block block;
  block.samples = {{}};
  ASSERT_TRUE((*session)->RunBlock(block, sink, In(20)).ok());
  EXPECT_GT(sink.peak_bytes, 1 << 20);
  EXPECT_EQ(sink.measured, 2);
}

TEST_F(WorkerSessionTest, WorkersMayNotTellTheTimeOfLoading) {
  // The last one claims a time that has not passed yet.
  for (const char* mode : {"untimed", "well", "slow_to_load"}) {
    const auto session = Start({kHostile, mode});
    ASSERT_TRUE(session.ok()) << mode << session.status();
    EXPECT_FALSE((*session)->load_nanos().has_value()) << mode;
    EXPECT_FALSE((*session)->over()) << mode;
    EXPECT_TRUE((*session)->SetInputs(artifact_path_, In(20)).ok()) << mode;
  }
  const auto crash = Start({kHostile, "crash_when_loaded"}).status();
  EXPECT_TRUE(absl::IsInternal(crash)) << crash;
  EXPECT_EQ(CrashOf(crash), "died of signal 11");
  const auto hang = Start({kHostile, "hang_when_loaded"}, 1, 0.5).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(hang)) << hang;
}

TEST_F(WorkerSessionTest, WorkersThatEnd) {
  const absl::Status crash = Misbehave("crash");
  EXPECT_TRUE(absl::IsInternal(crash)) << crash;
  EXPECT_THAT(std::string(crash.message()), HasSubstr("signal 11"));
  EXPECT_EQ(CrashOf(crash), "died of signal 11");
  const absl::Status exit = Misbehave("exit");
  EXPECT_THAT(std::string(exit.message()), HasSubstr("something is wrong"));
  EXPECT_EQ(CrashOf(exit), "exited with 5");
  const absl::Status memory = Misbehave("memory");
  EXPECT_EQ(CrashOf(memory), "died of signal 6") << memory;
  const absl::Status big = Misbehave("big_file");
  EXPECT_EQ(CrashOf(big), "died of signal 25") << big;  // SIGXFSZ
  EXPECT_EQ(sink_.measured, 0);
}

TEST_F(WorkerSessionTest, WorkersThatHang) {
  for (const char* mode : {"hang", "close", "endless_errors", "fork"}) {
    const absl::Status status = Misbehave(mode, 0.3);
    EXPECT_TRUE(absl::IsDeadlineExceeded(status) || absl::IsInternal(status))
        << mode << status;
    EXPECT_NE(CrashOf(status), "") << mode;
    EXPECT_EQ(Processes(), 0) << mode;
  }
}

TEST_F(WorkerSessionTest, WorkersThatWriteNonsense) {
  for (const char* mode : {"endless_line", "endless_samples", "endless_calls",
                           "nonsense", "lie"}) {
    const absl::Status status = Misbehave(mode);
    EXPECT_TRUE(absl::IsInternal(status)) << mode << status;
    EXPECT_EQ(CrashOf(status), "") << mode;
  }
  EXPECT_TRUE(absl::IsFailedPrecondition(Misbehave("reject")));
}

TEST_F(WorkerSessionTest, OutputsThatAreNoFiles) {
  for (const char* mode : {"link", "pipe", "huge_file", "no_file"}) {
    const absl::Status status = Misbehave(mode);
    EXPECT_TRUE(absl::IsInternal(status)) << mode << status;
    EXPECT_THAT(sink_.outputs, IsEmpty());
  }
}

TEST_F(WorkerSessionTest, FilesAreRemovedWhateverTheyAre) {
  // TearDown() looks for what is left.
  EXPECT_FALSE(Misbehave("folders", 0.3).ok());
  EXPECT_FALSE(Misbehave("many_files", 0.3).ok());
}

TEST_F(WorkerSessionTest, TheInterruptEndsABlock) {
  std::thread other([this] {
    Clock::Monotonic()->SleepNanos(100'000'000);
    interrupt_.Raise();
  });
  const int64_t start = MonotonicNanos();
  const absl::Status status = Misbehave("hang");
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_EQ(CrashOf(status), "");
  EXPECT_LT(MonotonicNanos() - start, 3 * kSecond);
  other.join();
}

TEST_F(WorkerSessionTest, AClientThatIsGoneEndsTheSession) {
  sink_.fails = true;
  EXPECT_TRUE(absl::IsCancelled(Misbehave("well")));
  EXPECT_THAT(sink_.samples, SizeIs(1));
}

}  // namespace
}  // namespace assay::rpc
