// KernelMain: the shared main function of //suites:gemm and //suites:conv.
#ifndef ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_
#define ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/base/ndarray.h"
#include "suites/kernels/comparison.h"
#include "suites/kernels/kernel_options.h"
#include "suites/references/all_references.h"

namespace assay::suites {

struct KernelSuite {
  KernelSuiteFlags flags;
  std::string shapes;  // path of the table in the workspace
  // Measures the rows of the table `text` that `options` selects, and prints a
  // line for each and a summary. Calls `keep` after each row.
  std::function<absl::Status(
      const KernelOptions& options, const References& references,
      absl::string_view text,
      const std::function<absl::Status(Comparison)>& keep)>
      run;
};

// Returns the program's exit code (runtime/base/exit_code.h).
int KernelMain(int argc, char** argv, const KernelSuite& suite);

// Returns an array with uniform random values: floats in [-1, 1], signed bytes
// in [-127, 127] and unsigned bytes in [0, 127].
NDArray UniformOperand(const Shape& shape, uint64_t seed,
                       absl::string_view name, DType dtype = DType::Float32());

// Formats a table cell with this number of decimals; `-` for 0, which means
// that there is no value.
std::string Cell(double value, int decimals);

// Prints remarks below a row: a wrong output, or reasons for missing results.
void PrintRemarks(const Comparison& comparison);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_
