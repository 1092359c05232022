// Reproducer: a failure of a graph pass as one file, with everything that is
// needed to see it again.
//
//   assay reproducer
//   error: pass 3 (alter_conv_layout): …
//   target: llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3
//   options: fusion=1 choose_layout=1 max_winograd=4
//   passes: alter_conv_layout,fold_constants,fuse_operators
//   graph:
//   graph net(%x: float32[1,4]) -> (%1) {
//   …
//   constants:
//   float32[4,3,3,3] <base64>
//
// The graph is the one before the first of the passes, which is the one that
// failed. Constants follow where its text gives only their digests.
// `bazel run //compiler/tools:opt -- --reproduce=FILE` runs the passes again.
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

namespace assay::driver {

struct Reproducer {
  std::string error;
  std::string target;
  bool fusion = true;
  bool choose_layout = true;
  int64_t max_winograd = kDefaultMaxWinograd;
  std::vector<std::string> passes;
  std::unique_ptr<graph::Graph> graph;
};

std::string ToString(const Reproducer& reproducer);

// The inverse; the error says which line is not as it should be.
absl::StatusOr<Reproducer> ParseReproducer(absl::string_view text);

// Runs the passes as the compilation that wrote the file did. The error is that
// of the pass; OK where it does not fail any more.
absl::Status Replay(const Reproducer& reproducer);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_REPRODUCER_H_
