// CompileKernel: one operator as one kernel, in the form that it has within a
// network, for measuring it alone.
//
// The graph passes run with fusion off, so that a convolution gets the layout,
// the algorithm and the packed weights that it would get in a network, and its
// changes of layout are kernels of their own. The operator's kernel then
// becomes an artifact; what surrounds it becomes two graphs, which the
// reference interpreter can run:
//
//   model's inputs ──before──▶ operands ──artifact──▶ result ──after──▶ outputs
//
// so that the kernel's answer can be held against that of the plain model.
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
  // As those of ops::KernelOptions: `conv2d.direct_nchwc`, and entries such as
  // `tile_ow=[-1,7] unroll_kw=1` that replace those of the default.
  std::string implementation;
  std::string config;
  // As those of CompileOptions.
  int64_t max_winograd = kDefaultMaxWinograd;
  bool exact = false;
  std::string dump_dir;
  // Off: convolutions stay NCHW.
  bool choose_layout = true;
};

// An implementation that applies to the kernel.
struct KernelCandidate {
  std::string name;
  bool exact = true;
  double model_seconds = 0;        // of the analytical model
  int64_t points = 1;              // of its configuration space
  std::string config;              // the default
  std::vector<std::string> knobs;  // `tile_ow: [-1,7] [-1,14] …`
};

struct CompiledOperator {
  // One call. Its inputs are called `p0`, `p1`, …, its output `out`.
  runtime::Artifact artifact;
  std::unique_ptr<graph::Graph> before, after;
  // `conv2d(float32[…], float32[…]) -> float32[…] {strides=[1,1], …}`
  std::string instance;
  // The function; files of the dump are called `kernel.<symbol>.…`.
  std::string symbol;
  // What it was scheduled with; empty where there was nothing to choose.
  std::string implementation, config;
  // Bound of its error relative to the largest output (ops/implementation.h); 0
  // if it is exact.
  double error_bound = 0;
  std::string schedule;  // its steps, one a line
  std::vector<KernelCandidate> candidates;
  // Arithmetic of the operator's definition, which those of Winograd and
  // Strassen need less than, and the bytes of the kernel's operands and result.
  int64_t flops = 0;
  int64_t bytes = 0;
};

// `model` has one output, and its operator is the one compiled. InvalidArgument
// for options that do not fit it, Unimplemented where the passes turn it into
// something else.
absl::StatusOr<CompiledOperator> CompileKernel(
    const graph::Graph& model, const target::Target& target,
    const KernelCompileOptions& options = {});

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_KERNEL_H_
