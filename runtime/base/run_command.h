// RunCommand: implements the main() of a program that has flags.
#ifndef ASSAY_RUNTIME_BASE_RUN_COMMAND_H_
#define ASSAY_RUNTIME_BASE_RUN_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>

#include "absl/status/statusor.h"
#include "runtime/base/exit_code.h"

namespace assay {

// Parses the flags that were added to `app`, calls `run`, and returns the value
// for main() to return. For `--help`, prints the help and returns kPass without
// a call of `run`; for a wrong flag, returns kUsage without a call of `run`. An
// error is printed to standard error (ReportExitCode).
int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::StatusOr<ExitCode>()>& run);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_RUN_COMMAND_H_
