// KernelMain: implements the main functions of //suites:gemm and //suites:conv.
#ifndef ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_
#define ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "reports/stats/ratio.h"
#include "runtime/base/ndarray.h"
#include "suites/kernels/comparison.h"
#include "suites/kernels/kernel_options.h"
#include "suites/references/all_references.h"

namespace assay::suites {

struct KernelSuite {
  KernelSuiteFlags flags;
  // Path in the workspace of the file with the table of problems.
  std::string shapes;
  // Measures those rows of the table `text` that `options` selects. Prints one
  // line for each Comparison, and a summary at the end. Calls `keep` with each
  // Comparison when it is complete.
  std::function<absl::Status(
      const KernelOptions& options, const References& references,
      absl::string_view text,
      const std::function<absl::Status(Comparison)>& keep)>
      run;
};

// Runs the suite and returns the exit code of the program
// (runtime/base/exit_code.h).
int KernelMain(int argc, char** argv, const KernelSuite& suite);

// Returns an array with uniform random values, which depend on `seed` and
// `name`: floats in [-1, 1], signed bytes in [-127, 127] and unsigned bytes in
// [0, 127].
NDArray UniformOperand(const Shape& shape, uint64_t seed,
                       absl::string_view name, DType dtype = DType::Float32());

// Formats a cell of the printed table: `value` with `decimals` decimals, or `-`
// if `value` is 0, which stands for a missing value.
std::string Cell(double value, int decimals);

// Formats a cell with a ratio and its interval; `-` if there is no ratio.
std::string Cell(const std::optional<stats::Ratio>& ratio);

// Returns `text`, with the mark of parity.h if `precision_differs`.
std::string Marked(absl::string_view text, bool precision_differs);

// Prints the remarks of `comparison` to standard output: the description of a
// wrong output, and the reasons for missing results.
void PrintRemarks(const Comparison& comparison);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_
