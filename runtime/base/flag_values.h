// ParseFlags: parses the flags of a program. CheckFlagValues: rejects `--flag=`
// without a value.
//
// CLI11 takes the value of `--model= --threads=2` from the next argument: the
// model would be `--threads=2`, and nothing would tell the user that a variable
// of a script was empty.
#ifndef ASSAY_RUNTIME_BASE_FLAG_VALUES_H_
#define ASSAY_RUNTIME_BASE_FLAG_VALUES_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay {

// Returns InvalidArgument, with the name of the flag, if an argument before
// `--` has the form `--flag=` and the flag, of `app` or of one of its
// subcommands, needs a value. A flag with `expected(0, 1)` needs none.
absl::Status CheckFlagValues(const CLI::App& app,
                             absl::Span<const std::string> arguments);

// Parses `arguments`, which must not contain the name of the program. Returns
// the help text if they have `--help`, and otherwise nullopt. Returns
// InvalidArgument if a flag is wrong or CheckFlagValues() fails.
absl::StatusOr<std::optional<std::string>> ParseFlags(
    CLI::App& app, absl::Span<const std::string> arguments);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_FLAG_VALUES_H_
