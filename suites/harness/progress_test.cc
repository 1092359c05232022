#include "suites/harness/progress.h"

#include <sstream>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

constexpr int64_t kSecond = 1000000000;

TEST(ProgressTest, SaysWhatTheRunWaitsFor) {
  std::ostringstream terminal;
  FakeClock clock;
  Progress progress(&terminal, &clock);
  progress.Say("waiting for rpi3b: place 2");
  progress.Clear();
  EXPECT_EQ(terminal.str(),
            "\r\x1b[K\x1b[?7lwaiting for rpi3b: place 2\x1b[?7h\r\x1b[K");
}

TEST(ProgressTest, RowsThatAreRepeatedCountOnce) {
  std::ostringstream terminal;
  FakeClock clock;
  Progress progress(&terminal, &clock);
  progress.Start(2);
  progress.NextRow("fusion on");
  progress.NextRow("fusion off");
  progress.Repeat(2);
  progress.NextRow("fusion on");
  progress.Step("measuring");
  EXPECT_EQ(terminal.str(), "\r\x1b[K[1/2] fusion on: measuring");
}

TEST(ProgressTest, PrintsTheStepAndTheRemainingTime) {
  std::ostringstream terminal;
  FakeClock clock;
  Progress progress(&terminal, &clock);
  progress.Start(3);
  progress.NextRow("net on host");
  progress.Step("compiling");
  EXPECT_EQ(terminal.str(), "\r\x1b[K[1/3] net on host: compiling");

  clock.Advance(10 * kSecond);
  terminal.str("");
  progress.NextRow("net on board");
  progress.Step("compiling");
  EXPECT_EQ(terminal.str(),
            "\r\x1b[K[2/3] net on board: compiling (about 20 s left)");
  clock.Advance(4 * kSecond);
  terminal.str("");
  progress.Step("measuring");
  EXPECT_EQ(terminal.str(),
            "\r\x1b[K[2/3] net on board: measuring (about 16 s left)");
  // Remaining times are not negative if a row takes longer than expected.
  clock.Advance(40 * kSecond);
  terminal.str("");
  progress.Step("measuring");
  EXPECT_EQ(terminal.str(),
            "\r\x1b[K[2/3] net on board: measuring (about 10 s left)");
  terminal.str("");
  progress.Clear();
  progress.Clear();
  EXPECT_EQ(terminal.str(), "\r\x1b[K");
}

TEST(ProgressTest, IsSilentWithoutATerminal) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  FakeClock clock;
  Progress progress(nullptr, &clock);
  progress.Start(1);
  progress.NextRow("net");
  progress.Step("compiling");
  progress.Clear();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace assay::suites
