// RunCommand: the main function shared by the commands of reports/: parses
// flags, prints help and errors, and maps errors to exit codes.
#ifndef ASSAY_REPORTS_COMMAND_H_
#define ASSAY_REPORTS_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>

#include "absl/status/status.h"

namespace assay::reports {

// Returns the exit code: 0 if `run` succeeded or --help was given; 2 for
// invalid flags and for InvalidArgument and NotFound errors of `run`; 5 for
// other errors.
int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::Status()>& run);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_COMMAND_H_
