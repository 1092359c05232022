// Runs the program that shows one kernel, on very small shapes.
#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

runtime::ProcessResult RunKernel(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "suites/kernel");
  runtime::ProcessOptions options;
  options.timeout_s = 60;
  absl::StatusOr<runtime::ProcessResult> result =
      runtime::RunProcess(arguments, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result)
                     : runtime::ProcessResult{-1, 0, "", ""};
}

TEST(KernelSuiteTest, ShowsAndTimesConvolution) {
  const TempDir dir = TempDir::Create("kernel").value();
  // A cache without a stored machine peak.
  setenv("XDG_CACHE_HOME", dir.path().c_str(), 1);
  const std::string dump = JoinPath(dir.path(), "dump");
  const runtime::ProcessResult result = RunKernel(
      {"--op=conv2d", "--shape=1x16x8x8,16x3x3,p1", "--max_error=0",
       "--threads=1", "--dump_dir=" + dump, "--benchmark_min_time=0.001"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kPass)) << result.err;
  for (const char* text :
       {"implementation: conv2d.direct_nchwc", "config: tile_ow=",
        "vectorize(oc.i)", "vector register spills: none in a loop of",
        "1 thread: the largest difference from the reference interpreter is ",
        " is allowed\n", "conv2d/1x16x8x8,16x3x3,p1/threads:1", "GFLOP/s",
        "percentages need `//suites:peak` to have run once"}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
  for (const char* suffix : {"1.schedule.txt", "opt.ll", "s"}) {
    EXPECT_TRUE(
        ReadFile(JoinPath(dump, std::string("kernel.k000_conv2d.") + suffix))
            .ok())
        << suffix;
  }
}

TEST(KernelSuiteTest, OnlyCompilesForForeignTarget) {
  const runtime::ProcessResult result =
      RunKernel({"--op=matmul", "--shape=16x16x16",
                 "--target=llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kPass)) << result.err;
  EXPECT_THAT(result.out, HasSubstr("implementation: matmul."));
  EXPECT_THAT(result.out, Not(HasSubstr("threads:1")));
}

TEST(KernelSuiteTest, UnknownImplementationIsUsageError) {
  const runtime::ProcessResult result =
      RunKernel({"--op=matmul", "--shape=16x16x16", "--implementation=magic"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kUsage));
  EXPECT_THAT(result.err, HasSubstr("no implementation `magic` applies"));
}

}  // namespace
}  // namespace assay::suites
