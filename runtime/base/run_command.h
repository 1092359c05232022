// RunCommand and RunMain: implement the main() of a program.
#ifndef ASSAY_RUNTIME_BASE_RUN_COMMAND_H_
#define ASSAY_RUNTIME_BASE_RUN_COMMAND_H_

#include <functional>

#include "absl/status/statusor.h"
#include "runtime/base/exit_code.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay {

// Parses the flags that were added to `app`, calls `run`, and returns the value
// for main() to return, as RunMain() does. `run` is not called for `--help`,
// which prints the help and returns kPass, or for a wrong flag, which returns
// kUsage.
int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::StatusOr<ExitCode>()>& run);

// Calls `run`, which parses its own flags if there are any, and returns the
// value for main() to return. An error is printed to standard error in
// printable characters (plain_text.h). If the standard output is closed or
// cannot be written, the program fails with kInfrastructure, unless its own
// code is more severe (ReportExitCode). If the shell has closed a standard
// stream (`>&-`), RunMain() reserves its descriptor, so that no file that the
// program opens later becomes, for example, its standard output.
int RunMain(const std::function<absl::StatusOr<ExitCode>()>& run);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_RUN_COMMAND_H_
