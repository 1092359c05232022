// The flags of the suites that measure kernels against references.
#ifndef ASSAY_SUITES_KERNELS_KERNEL_OPTIONS_H_
#define ASSAY_SUITES_KERNELS_KERNEL_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::suites {

struct KernelSuiteFlags {
  std::string name;                     // `gemm`: the target is `//suites:gemm`
  std::string description;              // for --help
  std::vector<std::string> references;  // supported reference libraries
  bool takes_epilogue = false;          // true if the suite has --epilogue
};

struct KernelOptions {
  std::vector<int> threads;  // each at least 1
  // Substring of the names of the rows to measure; empty selects all rows.
  std::string filter;
  std::vector<std::string> references;
  bool exact = false;  // as in driver::CompileOptions
  int rounds = 30;
  int64_t sample_nanos = 2'000'000;
  uint64_t seed = 0;
  std::vector<bool> epilogues;  // without (false) and/or with (true) epilogue
  // Absolute paths, or empty.
  std::string out;
  std::string dump_dir;

  // The help text if --help was given; then no other field is set.
  std::optional<std::string> help;
};

// Parses `arguments`, which exclude the program name. `all_threads` replaces 0
// in --threads. Relative paths are resolved against `working_directory`. Error
// messages name the flag.
absl::StatusOr<KernelOptions> ParseKernelOptions(
    const KernelSuiteFlags& suite, absl::Span<const std::string> arguments,
    int all_threads, const std::string& working_directory);

// Returns true if `options` select the row with this name.
bool Selected(const KernelOptions& options, absl::string_view name);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_KERNEL_OPTIONS_H_
