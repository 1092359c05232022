// KernelMain: implements the main functions of //suites:gemm and //suites:conv.
#ifndef ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_
#define ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/stats/ratio.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/kernels/comparison.h"
#include "suites/kernels/kernel_options.h"
#include "suites/references/all_references.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Called with each Comparison when it is complete.
using KeepComparison = std::function<absl::Status(Comparison)>;

// Measures those rows of the table `text` that `options` selects. Prints one
// line for each Comparison; //suites:conv also prints a summary at the end.
using MeasureRows = std::function<absl::Status(
    const KernelOptions& options, const References& references,
    absl::string_view text, const KeepComparison& keep)>;

// Runs the suite and returns the exit code of the program
// (runtime/base/exit_code.h).
int KernelMain(int argc, char** argv, const KernelSuiteFlags& suite,
               const MeasureRows& measure);

// Names of the series of our programs: of the program that the compiler
// chooses, of the one with exact algorithms only, and of their kernels without
// layout transformations.
inline constexpr char kOurs[] = "ours";
inline constexpr char kExact[] = "exact";
inline constexpr char kOurKernel[] = "kernel";
inline constexpr char kExactKernel[] = "exact_kernel";

// A problem that is measured.
struct KernelProblem {
  std::string name;       // Comparison::name
  std::string text;       // Comparison::problem
  double flops = 0;       // Comparison::flops
  std::string precision;  // Parity::precision
  // Name of the folder for the stages of the compilation, to which the number
  // of threads is appended.
  std::string dump;
  std::string model;  // content of an ONNX file
  runtime::NamedTensors inputs;
  // Loads the problem into a reference.
  std::function<absl::StatusOr<PreparedReference>(Reference&, int threads)>
      prepare;
  // Name of a reference that keeps data in a layout of its own. It is compared
  // with our kernels without layout transformations. Empty if there is none.
  std::string kernel_reference;
};

// Compiles the problem for this machine, and compares the programs with the
// references. If no reference supports the problem, compares the outputs with
// those of the reference interpreter. Calls `keep` with the result for each
// number of threads in `options.threads`. An error becomes a note, except for
// an error of `keep`, which ends the measurement and is returned.
absl::Status MeasureProblem(const KernelProblem& problem,
                            const KernelOptions& options,
                            const References& references,
                            const KeepComparison& keep);

// Formats a cell of the printed table: `value` with `decimals` decimals, or `-`
// if `value` is 0, which stands for a missing value.
std::string Cell(double value, int decimals);

// Formats a cell with a ratio and its interval; `-` if there is no ratio.
std::string Cell(const std::optional<stats::Ratio>& ratio);

// Returns `text`, with the mark of parity.h if `precision_differs`.
std::string Marked(absl::string_view text, bool precision_differs);

// Prints the remarks of `comparison` to standard output: the description of a
// wrong output, and the notes.
void PrintRemarks(const Comparison& comparison);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_KERNEL_MAIN_H_
