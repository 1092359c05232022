#include "runtime/tools/count/counted_run.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"

namespace assay::runtime {
namespace {

// Runs known_counts (testing/known_counts.cc).
absl::StatusOr<std::vector<RegionCounts>> RunKnown(
    const std::string& machine, const std::string& what,
    const std::string& cpu = "max") {
  ASSAY_ASSIGN_OR_RETURN(const CountedRun run,
                         CountedRun::Create("", {machine, cpu, 60}));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string program,
      FindRunfile(
          "", absl::StrCat("assay/runtime/tools/count/testing/known_counts_",
                           machine)));
  return run.Run(program, {what});
}

class CountedRunTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Machines, CountedRunTest,
                         testing::Values("aarch64", "armhf", "x86_64"),
                         [](const auto& info) { return info.param; });

TEST_P(CountedRunTest, CountsEveryIterationOfALoop) {
  const auto regions = RunKnown(GetParam(), "loops");
  ASSERT_TRUE(regions.ok()) << regions.status();
  ASSERT_EQ(regions->size(), 7u);
  const RegionCounts& empty = (*regions)[0];
  EXPECT_LE(empty.Total(), 8);
  EXPECT_EQ(empty.loads + empty.stores + empty.Bytes() + empty.lines, 0);

  // 1000 more iterations add these counts.
  RegionCounts multiply_adds = (*regions)[2];
  multiply_adds -= (*regions)[1];
  RegionCounts expected;
  expected.instructions = {1000, 0, 0, 1000, 0, 0, 1000, 0};
  expected.lines = (*regions)[1].lines;
  EXPECT_TRUE(multiply_adds == expected) << RegionLine(multiply_adds);
  EXPECT_EQ((*regions)[1].Of(InstructionClass::kVectorMultiplyAdd), 1000);

  RegionCounts copies = (*regions)[4];
  copies -= (*regions)[3];
  expected.instructions = {0, 0, 0, 2000, 1000, 1000, 1000, 0};
  expected.loads = 1000;
  expected.stores = 1000;
  expected.loaded_bytes = 16000;
  expected.stored_bytes = 16000;
  // The lines are not subtracted. Both regions also access the stack frame.
  EXPECT_GE((*regions)[3].lines, 16000 / 64);
  EXPECT_EQ(copies.lines - (*regions)[3].lines, 16000 / 64);
  expected.lines = copies.lines;
  EXPECT_TRUE(copies == expected) << RegionLine(copies);
}

TEST_P(CountedRunTest, ShowsSpillsAsLoadsAndStores) {
  const auto regions = RunKnown(GetParam(), "loops");
  ASSERT_TRUE(regions.ok()) << regions.status();
  const RegionCounts& registers = (*regions)[5];
  const RegionCounts& spills = (*regions)[6];
  EXPECT_LT(registers.stores, 20);
  // The compiler may keep the four sums in one vector.
  EXPECT_GE(spills.stores, 1000);
  EXPECT_GE(spills.stored_bytes, 4 * 4 * 1000);
  EXPECT_GE(spills.loads, 1000);
  // The stack frame has few lines.
  EXPECT_LT(spills.lines, 10);
}

TEST_P(CountedRunTest, IsTheSameInEveryRun) {
  const auto first = RunKnown(GetParam(), "loops");
  ASSERT_TRUE(first.ok()) << first.status();
  for (int i = 0; i < 2; ++i) {
    const auto again = RunKnown(GetParam(), "loops");
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(*again == *first);
  }
}

TEST_P(CountedRunTest, RejectsWrongRegions) {
  const auto message = [](const std::string& what) {
    const absl::Status status = RunKnown(GetParam(), what).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  EXPECT_EQ(message("nested"),
            "the program cannot be counted: a region begins within a region");
  EXPECT_EQ(message("unbegun"),
            "the program cannot be counted: a region ends that has not begun");
  EXPECT_EQ(message("unended"),
            "the program cannot be counted: a region has no end");
}

TEST_P(CountedRunTest, RejectsASecondThread) {
  EXPECT_EQ(
      RunKnown(GetParam(), "threads").status().message(),
      "the program cannot be counted: the program has more than one thread");
}

TEST_P(CountedRunTest, ReportsAFailedProgram) {
  const absl::Status status = RunKnown(GetParam(), "anything else").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), "the program under qemu failed: nothing");
}

TEST(CountedRunErrorsTest, RejectsInstructionsThatTheProcessorLacks) {
  // Without AVX.
  const absl::Status status = RunKnown("x86_64", "loops", "Nehalem").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "the code has an instruction that the processor `Nehalem` of qemu "
            "for x86_64 does not have");
}

TEST(CountedRunErrorsTest, RejectsUnknownMachineAndProcessor) {
  EXPECT_EQ(RunKnown("riscv64", "loops").status().message(),
            "instructions cannot be counted for the machine `riscv64`, only "
            "for aarch64, armhf and x86_64");
  EXPECT_EQ(RunKnown("aarch64", "loops", "cortex-z1").status(),
            absl::InvalidArgumentError(
                "qemu has no processor `cortex-z1` for aarch64"));
}

}  // namespace
}  // namespace assay::runtime
