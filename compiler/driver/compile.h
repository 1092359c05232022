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
#include "compiler/driver/compile_options.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "runtime/artifact/artifact.h"

namespace assay::driver {

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
