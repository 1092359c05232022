#include "runtime/process/line_protocol.h"

#include <sys/wait.h>

#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/process/interrupt.h"

namespace assay::runtime {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::unique_ptr<LineProtocol>> Shell(const char* script,
                                                    double timeout_s = 20) {
  return LineProtocol::Start({"/bin/sh", "-c", script}, timeout_s);
}

TEST(LineProtocolTest, AnswersEachLine) {
  auto program =
      Shell("echo ready; while read -r x; do echo \"you said $x\"; done");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)->ReadLine().value(), "ready");
  EXPECT_EQ((*program)->Request("one").value(), "you said one");
  EXPECT_EQ((*program)->Request("").value(), "you said ");
  EXPECT_EQ((*program)->Request("two words").value(), "you said two words");
}

TEST(LineProtocolTest, SplitsBufferedOutputIntoLines) {
  auto program = Shell("printf 'a\\nb\\nc\\n'; read -r x");
  for (const char* line : {"a", "b", "c"}) {
    EXPECT_EQ((*program)->ReadLine().value(), line);
  }
}

TEST(LineProtocolTest, ErrorsNameTheProgram) {
  EXPECT_TRUE(
      absl::IsNotFound(LineProtocol::Start({"/no/such/program"}, 1).status()));
  auto ended = Shell("read -r x; exit 3");
  const auto none = (*ended)->Request("hello");
  EXPECT_TRUE(absl::IsUnavailable(none.status()));
  EXPECT_THAT(std::string(none.status().message()), HasSubstr("/bin/sh"));
  EXPECT_THAT(std::string(none.status().message()),
              HasSubstr("exited with 3 without an answer"));
  EXPECT_TRUE(absl::IsUnavailable((*ended)->Request("still there?").status()));
  auto slow = Shell("read -r x; sleep 60", 0.2);
  EXPECT_TRUE(absl::IsDeadlineExceeded((*slow)->Request("hurry").status()));
  auto endless = Shell("yes | tr -d '\\n'");
  EXPECT_TRUE(absl::IsResourceExhausted((*endless)->ReadLine().status()));
}

TEST(LineProtocolTest, ErrorsQuoteStandardError) {
  auto program = Shell("read -r x; echo no memory >&2; kill -9 $$");
  EXPECT_EQ(
      (*program)->Request("x").status().message(),
      "`/bin/sh` died of signal 9 without an answer; it wrote: no memory");
}

TEST(LineProtocolTest, TellsHowTheProgramEnded) {
  auto program = Shell("read -r x; exit 3");
  EXPECT_FALSE((*program)->wait_status().has_value());
  EXPECT_FALSE((*program)->Request("x").ok());
  ASSERT_TRUE((*program)->wait_status().has_value());
  EXPECT_EQ(WEXITSTATUS(*(*program)->wait_status()), 3);
}

// The program waits, reads nothing, or has closed its output and still runs.
TEST(LineProtocolTest, AnInterruptEndsTheCall) {
  for (const char* script : {"sleep 60", "while true; do echo busy >&2; done",
                             "exec >&- 2>&-; while true; do sleep 60; done"}) {
    Interrupt interrupt;
    auto program =
        LineProtocol::Start({"/bin/sh", "-c", script}, 20, {}, &interrupt);
    ASSERT_TRUE(program.ok()) << program.status();
    std::thread other([&] {
      Clock::Monotonic()->SleepNanos(50'000'000);
      interrupt.Raise();
    });
    const int64_t start = MonotonicNanos();
    const std::string long_line(1 << 20, 'x');
    EXPECT_TRUE(absl::IsCancelled((*program)->Request(long_line).status()))
        << script;
    EXPECT_LT(MonotonicNanos() - start, 2'000'000'000) << script;
    EXPECT_TRUE(absl::IsCancelled((*program)->ReadLine().status()));
    other.join();
  }
}

// The buffer of a pipe is smaller than this line.
TEST(LineProtocolTest, SendsLongLines) {
  auto program = Shell(
      "echo busy >&2; read -r first rest; echo ${#first} ${#rest}; read -r x");
  EXPECT_EQ(
      (*program)
          ->Request(std::string(100000, 'a') + " " + std::string(80000, 'b'))
          .value(),
      "100000 80000");
}

TEST(LineProtocolTest, ProgramThatReadsNothingTimesOut) {
  auto deaf = Shell("sleep 60");
  EXPECT_TRUE(absl::IsDeadlineExceeded(
      (*deaf)->Request(std::string(1 << 20, 'x'), 0.2).status()));
}

TEST(LineProtocolTest, CallsMayHaveTheirOwnTimeLimits) {
  auto program = Shell("read -r x; sleep 1; echo late; read -r x", 0.1);
  EXPECT_EQ((*program)->Request("x", 20).value(), "late");
  EXPECT_TRUE(absl::IsDeadlineExceeded((*program)->ReadLine().status()));
  const absl::Status status = (*program)->ReadLine(0.2).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("did not answer within 0.2 s"));
}

TEST(LineProtocolTest, MuchStandardErrorDoesNotBlock) {
  auto program = Shell(
      "i=0; while [ $i -lt 9000 ]; do echo 0123456789012345678901234567890 "
      ">&2; i=$((i+1)); done; echo done");
  EXPECT_EQ((*program)->ReadLine().value(), "done");
}

}  // namespace
}  // namespace assay::runtime
