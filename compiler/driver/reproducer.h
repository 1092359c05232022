// Reproducer: a file that contains what is needed to reproduce a failure of the
// compiler: an error of a graph pass, or a check (runtime/base/check.h) that
// failed in a graph pass or later.
//
//   assay reproducer
//   error: pass 3 (assign_encodings): …
//   target: llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3
//   options: fusion=1 choose_layout=1 max_error=0.0001
//   passes: assign_encodings,fold_constants,fuse_operators
//   kernel: max_error=0.0001 implementation=
//   config:
//   graph:
//   graph net(%x: float32[1,4]) -> (%1) {
//   …
//   constants:
//   float32[4,3,3,3] <base64>
//
// The first pass in `passes` is the pass that failed, and the graph is the
// input of this pass. If the failure came after the passes, `passes` is empty,
// and the graph is their result, or only the kernel that failed. The lines
// `kernel` and `config` (ops::KernelOptions) apply in this case only.
//
// The graph is followed by the values of its large constants
// (compiler/graph/complete_text.h).
//
// `bazel run //compiler/tools:opt -- --reproduce=FILE` runs the passes again,
// or compiles the kernels.
#ifndef ASSAY_COMPILER_DRIVER_REPRODUCER_H_
#define ASSAY_COMPILER_DRIVER_REPRODUCER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/kernel/kernel.h"

namespace assay::driver {

struct Reproducer {
  std::string error;
  std::string target;
  bool fusion = true;
  bool choose_layout = true;
  double max_error = ops::kDefaultMaxError;
  std::vector<std::string> passes;
  ops::KernelOptions kernel;
  std::unique_ptr<graph::Graph> graph;
};

std::string ToString(const Reproducer& reproducer);

// Parses the output of ToString(). Returns an error that describes the problem
// if `text` is malformed.
absl::StatusOr<Reproducer> ParseReproducer(absl::string_view text);

// Returns the directory for the reproducers of failed checks, or an empty
// string if `options` asks for none.
std::string FailedCheckFolder(const CompileOptions& options);

// Writes `reproducer` to the file `<name of the graph>.reproducer.txt` in
// `folder`, which is created if it does not exist. Returns a text for messages:
// "WHAT is in `<path>`", where WHAT is `what`, or the reason why no file was
// written.
std::string SaveReproducer(const Reproducer& reproducer,
                           const std::string& folder, absl::string_view what);

// Runs the passes on the graph with the recorded options, and with
// CompileOptions::verify set. If there are no passes, lowers the kernels of the
// graph, plans the memory and generates code instead. Returns the error of the
// step that fails, or OK if none fails. A check that fails ends the process,
// but writes no reproducer. Other options of the original compilation, such as
// measured layout times, are not recorded; their defaults are used.
absl::Status Replay(const Reproducer& reproducer);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_REPRODUCER_H_
