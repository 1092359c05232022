#include "runtime/base/run_command.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

int RunWith(const char* argument) {
  CLI::App app("A test.");
  std::string model;
  app.add_option("--model", model);
  bool exact = false;
  app.add_flag("--exact", exact);
  const char* const argv[] = {"test", argument, "--exact"};
  return RunCommand(app, 3, argv, [&]() -> absl::StatusOr<ExitCode> {
    std::cout << "model " << model << "\n";
    return ExitCode::kRegression;
  });
}

TEST(RunCommandTest, ParsesFlagsAndRuns) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(RunWith("--model=x"), 1);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "model x\n");
}

TEST(RunCommandTest, PrintsTheHelpWithTheNameOfTheProgram) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(RunWith("--help"), 0);
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_NE(help.find("test [OPTIONS]"), std::string::npos) << help;
  EXPECT_NE(help.find("--model"), std::string::npos) << help;
  EXPECT_EQ(help.find("model x"), std::string::npos) << help;
}

TEST(RunCommandTest, FlagsWithoutValuesAreUsageErrors) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunWith("--model="), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "error: `--model=` has no value (see `--help`)\n");
}

TEST(RunCommandTest, ErrorsHaveNoControlCharacters) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunMain([]() -> absl::StatusOr<ExitCode> {
              return absl::NotFoundError("no `a\x1b[2J\xff`");
            }),
            2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "error: no `a\\x1b[2J\\xff`\n");
}

// Runs a program whose standard output is the file `path`, or closed if `path`
// is null.
[[noreturn]] void Report(const char* path, ExitCode code) {
  close(STDOUT_FILENO);
  if (path != nullptr) open(path, O_WRONLY);
  _exit(RunMain([code]() -> absl::StatusOr<ExitCode> {
    // A file of the program does not become the standard output.
    if (open("/dev/null", O_WRONLY) == STDOUT_FILENO) _exit(100);
    std::cout << "report\n";
    return code;
  }));
}

TEST(RunCommandDeathTest, LostOutputIsAFailure) {
  const char* const kError = "error: cannot write to the standard output";
  EXPECT_EXIT(Report("/dev/full", ExitCode::kPass), testing::ExitedWithCode(5),
              kError);
  EXPECT_EXIT(Report(nullptr, ExitCode::kPass), testing::ExitedWithCode(5),
              kError);
  EXPECT_EXIT(Report(nullptr, ExitCode::kRegression),
              testing::ExitedWithCode(5), kError);
  EXPECT_EXIT(Report("/dev/full", ExitCode::kWrongResult),
              testing::ExitedWithCode(4), kError);
  EXPECT_EXIT(Report("/dev/null", ExitCode::kPass), testing::ExitedWithCode(0),
              "");
}

}  // namespace
}  // namespace assay
