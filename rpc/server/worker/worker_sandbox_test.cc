#include "rpc/server/worker/worker_sandbox.h"

#include <string>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WorkerSandboxTest : public testing::Test {
 protected:
  // Runs `command` for the session with this folder and artifact.
  runtime::ProcessResult Start(const WorkerSandbox& sandbox) {
    const auto confinement = sandbox.Prepare(folder_.path(), {artifact_});
    EXPECT_TRUE(confinement.ok()) << confinement.status();
    runtime::ProcessOptions options;
    options.confinement = confinement->get();
    const auto result = runtime::RunProcess(sandbox.command(), options);
    EXPECT_TRUE(result.ok()) << result.status();
    return *result;
  }

  const TempDir temp_ = TempDir::Create().value();
  const TempDir folder_ = TempDir::Create().value();
  const std::string artifact_ = JoinPath(temp_.path(), "artifact");
  const std::string secret_ = JoinPath(temp_.path(), "secret");
};

TEST_F(WorkerSandboxTest, CommandsBecomeAbsolute) {
  SandboxOptions options;
  options.command = {"rpc/server/testing/hostile_worker", "-L", "/usr", "./no",
                     "word"};
  const auto sandbox = WorkerSandbox::Create(options, folder_.path());
  ASSERT_TRUE(sandbox.ok()) << sandbox.status();
  EXPECT_EQ(sandbox->command()[0][0], '/');
  EXPECT_TRUE(absl::EndsWith(sandbox->command()[0], "/hostile_worker"));
  EXPECT_EQ(sandbox->command()[2], "/usr");
  EXPECT_EQ(sandbox->command()[3], "./no");
  EXPECT_EQ(sandbox->command()[4], "word");
}

TEST_F(WorkerSandboxTest, TheWorkerReadsItsArtifactsOnly) {
  ASSERT_TRUE(WriteFileAtomic(artifact_, "artifact").ok());
  ASSERT_TRUE(WriteFileAtomic(secret_, "secret").ok());
  SandboxOptions options;
  options.command = {"/bin/sh", "-c",
                     "read -r a < " + artifact_ + "; echo $a; read -r s < " +
                         secret_ + "; echo $s; echo x > " + folder_.path() +
                         "/file; echo x > " + artifact_};
  const auto sandbox = WorkerSandbox::Create(options, folder_.path());
  ASSERT_TRUE(sandbox.ok()) << sandbox.status();
  const runtime::ProcessResult result = Start(*sandbox);
  EXPECT_THAT(result.out, HasSubstr("artifact"));
  EXPECT_TRUE(FileExists(JoinPath(folder_.path(), "file")));
  if (absl::StrContains(sandbox->Description(), "landlock: not")) {
    GTEST_SKIP() << sandbox->Description();
  }
  EXPECT_THAT(result.out, testing::Not(HasSubstr("secret")));
  EXPECT_EQ(ReadFile(artifact_).value(), "artifact");
}

TEST_F(WorkerSandboxTest, HasLimits) {
  ASSERT_TRUE(WriteFileAtomic(artifact_, "artifact").ok());
  SandboxOptions options;
  options.command = {"/bin/cat", "/proc/self/limits"};
  options.max_memory_bytes = 1 << 29;
  options.max_cpu_seconds = 77;
  options.max_file_bytes = 1 << 21;
  options.max_open_files = 99;
  const auto sandbox = WorkerSandbox::Create(options, folder_.path());
  ASSERT_TRUE(sandbox.ok()) << sandbox.status();
  const std::string limits = Start(*sandbox).out;
  EXPECT_THAT(limits, testing::ContainsRegex("Max cpu time +77 "));
  EXPECT_THAT(limits, testing::ContainsRegex("Max file size +2097152 "));
  EXPECT_THAT(limits, testing::ContainsRegex("Max open files +99 "));
  if (sandbox->Description() == "complete") {
    EXPECT_THAT(limits, testing::ContainsRegex("Max data size +536870912 "));
  } else {
    EXPECT_THAT(sandbox->Description(), testing::StartsWith("without "));
  }
}

TEST_F(WorkerSandboxTest, ErrorsNameThePath) {
  SandboxOptions options;
  EXPECT_TRUE(absl::IsInvalidArgument(
      WorkerSandbox::Create(options, folder_.path()).status()));
  options.command = {"no/such/worker"};
  auto missing = WorkerSandbox::Create(options, folder_.path()).status();
  EXPECT_TRUE(absl::IsNotFound(missing));
  EXPECT_THAT(std::string(missing.message()), HasSubstr("no/such/worker"));
  options.command = {"/bin/cat"};
  options.readable = {"/no/such/sysroot"};
  missing = WorkerSandbox::Create(options, folder_.path()).status();
  EXPECT_TRUE(absl::IsNotFound(missing));
  EXPECT_THAT(std::string(missing.message()), HasSubstr("/no/such/sysroot"));
}

}  // namespace
}  // namespace assay::rpc
