#include "runtime/base/run_command.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "runtime/base/flag_values.h"
#include "runtime/base/plain_text.h"

namespace assay {
namespace {

// Opens those of the three standard streams that are closed. The next file that
// the program opens would get the number of the stream, and the report would be
// written to it.
void HoldStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The smallest free number is that of the stream. In the wrong direction,
    // reading and writing fail as they would without the file.
    const int mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    (void)open("/dev/null", mode);
  }
}

absl::StatusOr<ExitCode> ParseAndRun(
    CLI::App& app, int argc, const char* const* argv,
    const std::function<absl::StatusOr<ExitCode>()>& run) {
  // The help begins with the name of the program.
  if (argc > 0 && app.get_name().empty()) app.name(argv[0]);
  const auto help = ParseFlags(
      app, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  if (!help.ok()) return help.status();
  if (!help->has_value()) return run();
  std::cout << **help;
  return ExitCode::kPass;
}

}  // namespace

int RunMain(const std::function<absl::StatusOr<ExitCode>()>& run) {
  HoldStandardStreams();
  const absl::StatusOr<ExitCode> code = run();
  if (code.ok()) return ReportExitCode(code);
  return ReportExitCode(
      absl::Status(code.status().code(), PlainLines(code.status().message())));
}

int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::StatusOr<ExitCode>()>& run) {
  return RunMain([&] { return ParseAndRun(app, argc, argv, run); });
}

}  // namespace assay
