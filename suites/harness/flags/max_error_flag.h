// --max_error: which algorithms the compiler may use
// (driver::CompileOptions::max_error).
#ifndef ASSAY_SUITES_HARNESS_FLAGS_MAX_ERROR_FLAG_H_
#define ASSAY_SUITES_HARNESS_FLAGS_MAX_ERROR_FLAG_H_

#include "absl/status/status.h"

// CLI/CLI.hpp takes seconds to compile, so only the sources include it.
namespace CLI {
class App;
}  // namespace CLI

namespace assay::suites {

// Adds the flag, which sets `*max_error`.
void AddMaxErrorFlag(CLI::App& app, double* max_error);

// Returns InvalidArgument if the value of the flag is negative or NaN.
absl::Status CheckMaxError(double max_error);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_MAX_ERROR_FLAG_H_
