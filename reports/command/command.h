// RunCommand: what the commands of this folder have in common: flags, help,
// errors as one sentence, exit codes.
#ifndef ASSAY_REPORTS_COMMAND_H_
#define ASSAY_REPORTS_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>

#include "absl/status/status.h"

namespace assay::reports {

// 0 if `run` did what it should, or the help was asked for; 2 for flags that
// are wrong, and what is an InvalidArgument or NotFound error of `run`; 5 for
// its other errors.
int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::Status()>& run);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_COMMAND_H_
