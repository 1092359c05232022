// Compile: the one façade that everybody outside of compiler/ uses.
//
//   graph (NCHW, as imported) ──passes──▶ kernels ──ops──▶ te + schedule
//     ──lower──▶ tir ──passes──▶ tir ──codegen/llvm──▶ shared object
//   + plan, parameters ──▶ artifact
//
// The result is a function of the arguments alone: equal models, targets and
// options give equal bytes and so equal digests, on every machine.
#ifndef ASSAY_COMPILER_DRIVER_COMPILE_H_
#define ASSAY_COMPILER_DRIVER_COMPILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "runtime/artifact/artifact.h"

namespace assay::driver {

struct CompileOptions {
  // Off: every operator is a kernel of its own.
  bool fusion = true;
  // The largest tile of the Winograd algorithm that may be chosen for 3x3
  // convolutions: 0 (never), 2, 4 or 6. It computes another sum than the
  // definition, equal over the real numbers; the error relative to the largest
  // output stays below 1e-5, 1e-4 and 1e-3 for tiles of 2, 4 and 6.
  int64_t max_winograd = 4;
  // Verify after every stage and check that passes tell the truth about what
  // they changed. Costs time; on in tests.
  bool verify = false;
  // Where to write what every stage produced; empty: nowhere. The folder is
  // made if need be. Names sort in the order of the stages:
  //   graph.000.imported.txt           the model
  //   graph.003.fold_constants.txt     after each pass that changed it
  //   kernel.k007_conv2d_add_relu.0.te.txt, .1.schedule.txt,
  //   .2.lowered.tir.txt, .4.<pass>.tir.txt for each loop pass that changed
  //   it, .ll, .opt.ll, .s
  std::string dump_dir;
};

// `model` is not changed. Errors name the node at fault, or the file where a
// dump could not be written.
absl::StatusOr<runtime::Artifact> Compile(const graph::Graph& model,
                                          const target::Target& target,
                                          const CompileOptions& options = {});

// The target that a text names: target::Target::Parse, and `llvm -mcpu=native`
// for the machine that this runs on.
absl::StatusOr<target::Target> ResolveTarget(absl::string_view text);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_H_
