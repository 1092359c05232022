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
  // The dump folder is absolute or empty.
  driver::KernelCompileOptions compile;
  // Empty for this machine; the kernel of any other is not run.
  std::string target;
  std::vector<int> threads;  // each at least 1
  uint64_t seed = 0;
  // Those that begin with `--benchmark_`, as they were given.
  std::vector<std::string> benchmark_flags;
  // Whether the benchmark's own output on stdout is for a program to read.
  bool machine_readable = false;

  // Set if --help was given; then nothing else is.
  std::optional<std::string> help;
};

// `arguments` without the program's name. `all_threads` is what 0 stands for.
// Relative paths are taken from `working_directory`. The error names the flag.
absl::StatusOr<OperatorOptions> ParseOperatorOptions(
    absl::Span<const std::string> arguments, int all_threads,
    const std::string& working_directory);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_OPERATOR_OPTIONS_H_
