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
#include "compiler/driver/compile_options.h"

// CLI/CLI.hpp takes seconds to compile, so only the sources include it.
namespace CLI {
class App;
}  // namespace CLI

namespace assay::suites {

struct KernelSuiteFlags {
  std::string name;                     // for example `gemm` for //suites:gemm
  std::string description;              // for --help
  std::vector<std::string> references;  // supported reference libraries
  bool takes_epilogue = false;          // true if the suite has --epilogue
  std::string shapes = {};  // path in the workspace of the table of problems
};

struct KernelOptions {
  std::vector<int> threads;  // each at least 1
  // Substring of the names of the rows to measure; empty selects all rows.
  std::string filter;
  std::vector<std::string> references;
  double max_error = driver::CompileOptions().max_error;
  // Number of samples of each contender.
  int rounds = 30;
  // Approximate duration of a sample in nanoseconds.
  int64_t sample_nanos = 2'000'000;
  // Seed of the inputs and of the order of samples.
  uint64_t seed = 0;
  // Variants of each problem to measure: false stands for the problem without
  // epilogue, true for the problem with epilogue (bias and ReLU).
  std::vector<bool> epilogues;
  // Folder of the reports: an absolute path, or empty.
  std::string out;
  // Folder of the dumps: an absolute path, or empty.
  std::string dump_dir;

  // The help text if --help was given; the other fields are then meaningless.
  std::optional<std::string> help;
};

// Parses `arguments`, which must not contain the program name. A 0 in --threads
// is replaced by `all_threads`. Returns InvalidArgument, with the name of the
// flag, if a flag is invalid.
absl::StatusOr<KernelOptions> ParseKernelOptions(
    const KernelSuiteFlags& suite, absl::Span<const std::string> arguments,
    int all_threads);

// Adds the flag --threads, which takes a list of numbers of threads.
void AddThreadsFlag(CLI::App& app, std::vector<int>* threads);

// Returns the numbers in --threads, each once: {1, all_threads} if `given` is
// empty. A 0 is replaced by `all_threads`. Returns InvalidArgument, with the
// name of the flag, if a number is negative.
absl::StatusOr<std::vector<int>> ThreadCounts(std::vector<int> given,
                                              int all_threads);

// Returns true if `options.filter` selects the row with this name.
bool Selected(const KernelOptions& options, absl::string_view name);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_KERNEL_OPTIONS_H_
