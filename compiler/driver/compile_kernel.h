// CompileKernel: compiles one operator to one kernel, so that the kernel can be
// measured separately.
//
// The graph passes run, but without fusion. A convolution therefore gets the
// layout, the algorithm and the packed weights that it would get in a network,
// and the conversions between layouts become separate kernels. The kernel of
// the operator is compiled to an artifact. The nodes before and after this
// kernel become two graphs, `before` and `after`, for the reference
// interpreter:
//
//   model's inputs ──before──▶ operands ──artifact──▶ result ──after──▶ outputs
//
// With these graphs, the result of the kernel can be compared with the result
// of the original model.
#ifndef ASSAY_COMPILER_DRIVER_COMPILE_KERNEL_H_
#define ASSAY_COMPILER_DRIVER_COMPILE_KERNEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "runtime/artifact/artifact.h"

namespace assay::driver {

struct KernelCompileOptions {
  // Name of the implementation, such as `conv2d.direct_nchwc`. If empty, the
  // implementation is chosen automatically (ops::KernelOptions).
  std::string implementation;
  // Entries that override the default configuration of the implementation, such
  // as `tile_ow=[-1,7] unroll_kw=1` (ops::Config).
  std::string config;
  // The next two options have the same meaning as in CompileOptions.
  double max_error = ops::kDefaultMaxError;
  std::string dump_dir;
  // If false, the layout of convolutions stays NCHW and weights are not packed.
  bool choose_layout = true;
};

// An implementation that can compute the operator.
struct KernelCandidate {
  std::string name;
  bool exact = true;         // ops::Implementation::inexact is null
  double model_seconds = 0;  // time that the cost model predicts
  int64_t points = 1;        // number of configurations
  std::string config;        // default configuration
  // One string per knob: the name of the knob and all its values, for example
  // `tile_ow: [-1,7] [-1,14] …`.
  std::vector<std::string> knobs;
};

struct CompiledOperator {
  // An artifact with one kernel call. The inputs are named `p0`, `p1`, …, and
  // the output is named `out`.
  runtime::Artifact artifact;
  // The graphs before and after the kernel, as described above.
  std::unique_ptr<graph::Graph> before, after;
  // The operator with its types and attributes, in this form:
  // `conv2d(float32[…], float32[…]) -> float32[…] {strides=[1,1], …}`
  std::string instance;
  // Name of the compiled function. Dump files of the kernel are named
  // `kernel.<symbol>.…`.
  std::string symbol;
  // Selected implementation and configuration; empty if the operator has no
  // implementations to choose from.
  std::string implementation, config;
  // Upper bound of the error, relative to the largest absolute value of the
  // output (ops/implementation.h). 0 if the implementation is exact.
  double error_bound = 0;
  // The steps of the schedule, one per line.
  std::string schedule;
  // All implementations that can compute the operator; empty if the operator
  // has no implementations to choose from.
  std::vector<KernelCandidate> candidates;
  // Number of arithmetic operations according to the definition of the
  // operator. Fast algorithms execute fewer operations.
  int64_t flops = 0;
  // Total size of the operands and the result in bytes.
  int64_t bytes = 0;
};

// Compiles the operator that computes the output of `model`, which must have
// exactly one output. Returns InvalidArgument if the options do not apply to
// the operator. Returns Unimplemented if the graph passes replace the operator
// by other operators. Reproducers of failed checks are written to TempFolder()
// (CompileOptions::reproduce_failed_checks).
absl::StatusOr<CompiledOperator> CompileKernel(
    const graph::Graph& model, const target::Target& target,
    const KernelCompileOptions& options = {});

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_KERNEL_H_
