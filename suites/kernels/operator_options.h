// The command line of //suites:kernel.
#ifndef ASSAY_SUITES_KERNELS_OPERATOR_OPTIONS_H_
#define ASSAY_SUITES_KERNELS_OPERATOR_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/driver/compile_kernel.h"
#include "suites/kernels/operator_problem.h"

namespace assay::suites {

struct OperatorOptions {
  OperatorProblem problem;
  // `dump_dir` is an absolute path or empty.
  driver::KernelCompileOptions compile;
  // Empty selects this machine; kernels for other targets are not run.
  std::string target;
  std::vector<int> threads;  // each at least 1
  uint64_t seed = 0;
  // Flags that start with `--benchmark_`, unchanged.
  std::vector<std::string> benchmark_flags;
  // True if the benchmark writes a machine-readable format to stdout.
  bool machine_readable = false;

  // The help text if --help was given; then no other field is set.
  std::optional<std::string> help;
};

// Parses `arguments`, which exclude the program name. `all_threads` replaces 0
// in --threads. Relative paths are resolved against `working_directory`. Error
// messages name the flag.
absl::StatusOr<OperatorOptions> ParseOperatorOptions(
    absl::Span<const std::string> arguments, int all_threads,
    const std::string& working_directory);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_OPERATOR_OPTIONS_H_
