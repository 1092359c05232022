// The kernels of a compiled network are counted by
// //tests/e2e:count_kernels_e2e_test.
#include "runtime/tools/count/count_kernels.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

// The kernels read and write tensors of kTestCount floats, test_scale also a
// workspace.
TEST(CountKernelsTest, CountsTheAccessesOfEachCall) {
  const Artifact artifact = TestArtifact();
  const auto counts = CountKernels("", artifact, {});
  ASSERT_TRUE(counts.ok()) << counts.status();
  EXPECT_EQ(counts->machine, "x86_64");
  EXPECT_EQ(counts->cpu, "max");
  ASSERT_EQ(counts->calls.size(), artifact.calls.size());
  constexpr int64_t kBytes = kTestCount * 4;
  for (size_t i = 0; i < counts->calls.size(); ++i) {
    const std::string& symbol = artifact.calls[i].symbol;
    SCOPED_TRACE(symbol);
    const int64_t read = 2 * kBytes;
    const int64_t written = symbol == "test_scale" ? 2 * kBytes : kBytes;
    const RegionCounts& call = counts->calls[i];
    // The runtime accesses some hundred bytes more.
    EXPECT_GE(call.loaded_bytes, read);
    EXPECT_LT(call.loaded_bytes, read + 1000);
    EXPECT_GE(call.stored_bytes, written);
    EXPECT_LT(call.stored_bytes, written + 1000);
    // All tensors and workspaces begin at a line of their own.
    EXPECT_GE(call.lines, 3 * kBytes / 64);
    EXPECT_LT(call.lines, 3 * kBytes / 64 + 20);
    EXPECT_GT(call.Total(), kTestCount / 8);
    EXPECT_LT(call.Total(), kTestCount * 10);
  }
}

TEST(CountKernelsTest, ArtifactWithoutCallsHasNoCounts) {
  const auto counts = CountKernels("", Artifact(), {});
  ASSERT_TRUE(counts.ok()) << counts.status();
  EXPECT_TRUE(counts->calls.empty());
}

TEST(CountKernelsTest, RejectsCodeThatQemuCannotRun) {
  Artifact artifact = TestArtifact();
  artifact.code_kind = "bytecode";
  EXPECT_EQ(CountKernels("", artifact, {}).status(),
            absl::InvalidArgumentError(
                "the artifact has no machine code whose instructions could be "
                "counted, but code of the kind `bytecode`"));
  artifact = TestArtifact();
  artifact.code.resize(19);
  EXPECT_EQ(
      CountKernels("", artifact, {}).status(),
      absl::InvalidArgumentError("the code of the artifact is truncated"));
  artifact = TestArtifact();
  artifact.code[18] = '\xf3';  // RISC-V
  EXPECT_EQ(CountKernels("", artifact, {}).status(),
            absl::InvalidArgumentError(
                "instructions cannot be counted for the machine with the ELF "
                "number 243, only for aarch64, armhf and x86_64"));
}

TEST(CountKernelsTest, ReportsTheErrorOfTheProgram) {
  Artifact artifact = TestArtifact();
  artifact.calls[0].symbol = "missing";
  const absl::Status status = CountKernels("", artifact, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_NE(status.message().find("missing"), absl::string_view::npos)
      << status;
}

TEST(CountKernelsTest, KeepsTheTimeLimit) {
  CountOptions options;
  options.time_limit_s = 0.001;
  EXPECT_EQ(CountKernels("", TestArtifact(), options).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace assay::runtime
