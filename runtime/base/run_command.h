// RunCommand: the main() of a program that has flags. Handles `--help` and
// wrong flags, prints an error as one sentence and returns the exit code.
#ifndef ASSAY_RUNTIME_BASE_RUN_COMMAND_H_
#define ASSAY_RUNTIME_BASE_RUN_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>

#include "absl/status/statusor.h"
#include "runtime/base/exit_code.h"

namespace assay {

// Parses the flags that were added to `app` and calls `run`, unless the help
// was asked for or a flag is wrong, which is kUsage.
int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::StatusOr<ExitCode>()>& run);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_RUN_COMMAND_H_
