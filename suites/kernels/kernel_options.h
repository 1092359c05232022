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
  std::vector<std::string> references;  // those that can take part
  bool takes_epilogue = false;          // whether there is --epilogue
};

struct KernelOptions {
  std::vector<int> threads;  // each at least 1
  // Part of the names of the rows to measure; empty for all.
  std::string filter;
  std::vector<std::string> references;
  bool exact = false;  // as in driver::CompileOptions
  int rounds = 30;
  int64_t sample_nanos = 2'000'000;
  uint64_t seed = 0;
  std::vector<bool> epilogues;  // which of without (false) and with (true)
  // Absolute or empty.
  std::string out;
  std::string dump_dir;

  // Set if --help was given; then nothing else is.
  std::optional<std::string> help;
};

// `arguments` without the program's name. `all_threads` is what 0 stands for.
// Relative paths are taken from `working_directory`. The error names the flag.
absl::StatusOr<KernelOptions> ParseKernelOptions(
    const KernelSuiteFlags& suite, absl::Span<const std::string> arguments,
    int all_threads, const std::string& working_directory);

// Whether a row of that name is to be measured.
bool Selected(const KernelOptions& options, absl::string_view name);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_KERNEL_OPTIONS_H_
