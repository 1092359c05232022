// OperatorOptions: the values of the flags of //suites:kernel.
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
  // Target to compile for; empty selects this machine. A kernel for another
  // target is compiled, but not run.
  std::string target;
  std::vector<int> threads;  // each at least 1
  uint64_t seed = 0;
  // Flags that start with `--benchmark_`. They are passed to Google Benchmark.
  std::vector<std::string> benchmark_flags;
  // True if the benchmark writes a machine-readable format to standard output.
  bool machine_readable = false;

  // The help text if --help was given; the other fields are then meaningless.
  std::optional<std::string> help;
};

// Parses `arguments`, which must not contain the program name. A 0 in --threads
// is replaced by `all_threads`. Returns InvalidArgument, with the name of the
// flag, if a flag is invalid.
absl::StatusOr<OperatorOptions> ParseOperatorOptions(
    absl::Span<const std::string> arguments, int all_threads);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_OPERATOR_OPTIONS_H_
