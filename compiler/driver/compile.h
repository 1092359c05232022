// Compile: the entry point of the compiler for code outside compiler/.
//
//   graph (NCHW, as imported) ──passes──▶ kernels ──ops──▶ te + schedule
//     ──lower──▶ tir ──passes──▶ tir ──codegen──▶ code
//   + plan, parameters ──▶ artifact
//
// The result depends only on the arguments: equal models, targets and options
// result in byte-identical artifacts, on every machine.
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

// Compiles `model` to an artifact; `model` is not changed. Errors name the node
// or value that caused them, or the file that could not be written.
absl::StatusOr<runtime::Artifact> Compile(const graph::Graph& model,
                                          const target::Target& target,
                                          const CompileOptions& options = {});

// Compiles a graph of kernels, as the graph passes create them. The options of
// graph passes are ignored. Returns InvalidArgument if an operator is in no
// kernel.
absl::StatusOr<runtime::Artifact> CompileKernelGraph(
    const graph::Graph& kernels, const target::Target& target,
    const CompileOptions& options = {});

// Parses a target. `-mcpu=native` selects the processor of this machine
// (codegen/codegen.h).
absl::StatusOr<target::Target> ResolveTarget(absl::string_view text);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_H_
