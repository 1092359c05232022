// Options: the values of all flags of a suite. `--help` prints the flags with
// their defaults. Each group of flags has its own file in this folder.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_OPTIONS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_OPTIONS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/driver/compile_options.h"
#include "suites/harness/flags/comparison_flags.h"
#include "suites/harness/flags/farm_flags.h"
#include "suites/harness/flags/matrix_flags.h"
#include "suites/harness/flags/model_flags.h"
#include "suites/harness/flags/output_flags.h"
#include "suites/harness/flags/timing_flags.h"

namespace assay::suites {

struct Options {
  ModelOptions model;
  MatrixOptions matrix;
  // The fields `fusion` and `tuned` are ignored; `matrix` replaces them.
  driver::CompileOptions compile;
  TimingOptions timing;
  ComparisonOptions comparison;
  OutputOptions output;
  FarmOptions farm;
  // The help text if --help was given; in this case no other field is set.
  std::optional<std::string> help;
};

// Parses `arguments`, which must not contain the program name. Relative paths
// are resolved against `working_directory`, the folder where the user typed the
// command. Returns InvalidArgument, with the name of the flag, if a flag is
// invalid.
absl::StatusOr<Options> ParseOptions(const SuiteFlags& suite,
                                     absl::Span<const std::string> arguments,
                                     const std::string& working_directory);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_OPTIONS_H_
