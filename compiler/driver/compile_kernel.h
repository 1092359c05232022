// CompileKernel: compiles one operator to one kernel, as in a network, so that
// it can be measured separately.
//
// The graph passes run with fusion off, so that a convolution gets the layout,
// the algorithm and the packed weights that it would get in a network, and its
// layout conversions are separate kernels. The operator's kernel becomes an
// artifact; the surrounding nodes become two graphs, which the reference
// interpreter can run:
//
//   model's inputs ──before──▶ operands ──artifact──▶ result ──after──▶ outputs
//
// so that the kernel's result can be compared with that of the plain model.
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
  // See ops::KernelOptions: a name such as `conv2d.direct_nchwc`, and entries
  // such as `tile_ow=[-1,7] unroll_kw=1` that override the default.
  std::string implementation;
  std::string config;
  // See CompileOptions.
  int64_t max_winograd = kDefaultMaxWinograd;
  bool exact = false;
  std::string dump_dir;
  // If false, convolutions stay NCHW.
  bool choose_layout = true;
};

// An implementation that applies to the kernel.
struct KernelCandidate {
  std::string name;
  bool exact = true;
  double model_seconds = 0;        // predicted by the analytical cost model
  int64_t points = 1;              // size of the configuration space
  std::string config;              // default configuration
  std::vector<std::string> knobs;  // `tile_ow: [-1,7] [-1,14] …`
};

struct CompiledOperator {
  // Has one call. The inputs are named `p0`, `p1`, …, the output `out`.
  runtime::Artifact artifact;
  std::unique_ptr<graph::Graph> before, after;
  // `conv2d(float32[…], float32[…]) -> float32[…] {strides=[1,1], …}`
  std::string instance;
  // Name of the function; dump files are named `kernel.<symbol>.…`.
  std::string symbol;
  // Selected implementation and configuration; empty if there is no choice.
  std::string implementation, config;
  // Bound of the error relative to the largest output (ops/implementation.h); 0
  // if the implementation is exact.
  double error_bound = 0;
  std::string schedule;  // steps, one per line
  std::vector<KernelCandidate> candidates;
  // Number of operations by the operator's definition, more than Winograd's
  // and Strassen's algorithms need, and bytes of the operands and the result.
  int64_t flops = 0;
  int64_t bytes = 0;
};

// Compiles the operator of the only output of `model`. Returns InvalidArgument
// if the options do not apply to it, Unimplemented if the passes replace it by
// other operators.
absl::StatusOr<CompiledOperator> CompileKernel(
    const graph::Graph& model, const target::Target& target,
    const KernelCompileOptions& options = {});

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_KERNEL_H_
