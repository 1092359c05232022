// KernelMain: what the main() of //suites:gemm and //suites:conv calls.
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
  std::string shapes;  // the table's place in the workspace
  // Measures what `options` selects of the table `text`, prints a line for
  // each and a summary. Calls `keep` after each row.
  std::function<absl::Status(
      const KernelOptions& options, const References& references,
      absl::string_view text,
      const std::function<absl::Status(Comparison)>& keep)>
      run;
};

// Returns the program's exit code (runtime/base/exit_code.h).
int KernelMain(int argc, char** argv, const KernelSuite& suite);

// Of `shape`, uniform in [-1, 1]; bytes uniform in those of seven bits.
NDArray UniformOperand(const Shape& shape, uint64_t seed,
                       absl::string_view name, DType dtype = DType::Float32());

// A cell of a table: the number with so many decimals, `-` for 0, which stands
// for what is not there.
std::string Cell(double value, int decimals);

// What is to be said of a row below it: a wrong answer, or what is missing.
void PrintRemarks(const Comparison& comparison);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_
