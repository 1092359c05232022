#include "runtime/base/run_command.h"

#include <iostream>

#include "absl/strings/str_cat.h"

namespace assay {

int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::StatusOr<ExitCode>()>& run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return static_cast<int>(ExitCode::kPass);
  } catch (const CLI::ParseError& error) {
    return ReportExitCode(absl::InvalidArgumentError(
        absl::StrCat(error.what(), " (see `--help`)")));
  }
  return ReportExitCode(run());
}

}  // namespace assay
