#include "runtime/process/subprocess.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::StatusOr<ProcessResult> Sh(const std::string& script,
                                 double timeout_s = 30) {
  ProcessOptions options;
  options.timeout_s = timeout_s;
  options.max_output_bytes = 1 << 20;
  return RunProcess({"/bin/sh", "-c", script}, options);
}

TEST(SubprocessTest, CollectsBothStreamsAndTheExitCode) {
  const absl::StatusOr<ProcessResult> r = Sh("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(r.ok()) << r.status();
  EXPECT_EQ(r->out, "out\n");
  EXPECT_EQ(r->err, "err\n");
  EXPECT_EQ(r->exit_code, 3);
  EXPECT_EQ(r->signal, 0);
  EXPECT_FALSE(r->ok());
}

TEST(SubprocessTest, PassesArgumentsUnchanged) {
  const absl::StatusOr<ProcessResult> r =
      RunProcess({"/bin/sh", "-c", "printf '%s|' \"$@\"", "sh", "a b", "$HOME",
                  "", "'\";"},
                 ProcessOptions());
  ASSERT_TRUE(r.ok()) << r.status();
  EXPECT_EQ(r->out, "a b|$HOME||'\";|");
}

// Both streams at once.
TEST(SubprocessTest, OutputBeyondThePipeCapacityDoesNotBlock) {
  const absl::StatusOr<ProcessResult> r =
      Sh("i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890;"
         " echo 0123456789012345678901234567890 >&2; i=$((i+1)); done");
  ASSERT_TRUE(r.ok()) << r.status();
  EXPECT_EQ(r->out.size(), 3000u * 32);
  EXPECT_EQ(r->err, r->out);
}

TEST(SubprocessTest, StandardInputIsEmpty) {
  const absl::StatusOr<ProcessResult> r = Sh("read line; echo \"[$line]\"");
  ASSERT_TRUE(r.ok()) << r.status();
  EXPECT_EQ(r->out, "[]\n");
}

TEST(SubprocessTest, ReportsTheSignal) {
  const absl::StatusOr<ProcessResult> r = Sh("kill -9 $$");
  ASSERT_TRUE(r.ok()) << r.status();
  EXPECT_EQ(r->exit_code, -1);
  EXPECT_EQ(r->signal, 9);
}

TEST(SubprocessTest, DistinguishesFailedChecksFromOtherErrors) {
  const std::string check =
      "echo 'a warning' >&2; echo 'a/b.cc:7: check failed: x < y (2) ' >&2; "
      "echo '  in pass `p`' >&2; ";
  EXPECT_EQ(FailedCheck(*Sh(check + "exit 5")),
            "a/b.cc:7: check failed: x < y (2) ; in pass `p`");
  EXPECT_EQ(FailedCheck(*Sh(check + "exit 4")), "");
  EXPECT_EQ(FailedCheck(*Sh(check + "kill -9 $$")), "");
  EXPECT_EQ(FailedCheck(*Sh("echo 'error: the device' >&2; exit 5")), "");
  EXPECT_EQ(FailedCheck(*Sh("echo 'error: it wrote: a.cc:7: check failed: x' "
                            ">&2; exit 5")),
            "");
}

TEST(SubprocessTest, ReportsThePeakMemory) {
  const absl::StatusOr<ProcessResult> small = Sh(":");
  const absl::StatusOr<ProcessResult> large =
      Sh("text=$(head -c 100000000 /dev/zero | tr '\\0' x); echo ${#text}");
  ASSERT_TRUE(small.ok()) << small.status();
  ASSERT_TRUE(large.ok()) << large.status();
  EXPECT_EQ(large->out, "100000000\n");
  EXPECT_GT(small->peak_bytes, 0);
  EXPECT_GT(large->peak_bytes, 100000000);
}

TEST(SubprocessTest, LimitsTheAddressSpace) {
  ProcessOptions options;
  options.max_address_space = int64_t{1} << 30;
  const absl::StatusOr<ProcessResult> r =
      RunProcess({"/bin/sh", "-c", "ulimit -v"}, options);
  ASSERT_TRUE(r.ok()) << r.status();
  EXPECT_EQ(r->out, "1048576\n");
}

TEST(SubprocessTest, DeadlineKillsTheWholeProcessGroup) {
  const int64_t start = MonotonicNanos();
  // The grandchild holds the pipes open; only killing the group ends them.
  const absl::Status status =
      Sh("echo waiting >&2; sleep 100 & sleep 100", 0.3).status();
  EXPECT_LT(MonotonicNanos() - start, int64_t{20} * 1000000000);
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("`/bin/sh` did not finish in time (0.3 s)"),
                    HasSubstr("it wrote: waiting")));
}

TEST(SubprocessTest, DeadlineHoldsAfterStreamsAreClosed) {
  EXPECT_EQ(Sh("exec >&- 2>&-; sleep 100", 0.3).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(SubprocessTest, TooMuchOutputIsAnError) {
  const absl::Status status = Sh("while :; do echo yes; done").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("`/bin/sh` wrote more"));
}

TEST(SubprocessTest, MissingProgramIsNotFound) {
  const absl::Status none =
      RunProcess({"/nonexistent/program"}, ProcessOptions()).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(none.message()),
              HasSubstr("cannot start `/nonexistent/program`"));
  EXPECT_EQ(RunProcess({"/"}, ProcessOptions()).status().code(),
            absl::StatusCode::kPermissionDenied);
}

TEST(SubprocessTest, LastLinesAreJoinedAndCut) {
  EXPECT_EQ(LastLines("a\nb\n"), "a; b");
  EXPECT_EQ(LastLines("\n"), "nothing");
  EXPECT_EQ(LastLines(std::string(1000, 'x')).size(), 400u);
}

}  // namespace
}  // namespace assay::runtime
