// Opt: runs only the graph passes, on a model or a reproducer.
//
//   opt --model=net.onnx --opt_level=1          the graph after the passes
//   opt --model=net.onnx --summary              counts of kernels, and memory
//   opt --model=net.onnx --bisect_limit=4       only the first four passes
//   opt --list                                  the passes and their levels
//   opt --reproduce=net.reproducer.txt          the reproduced failure
#ifndef ASSAY_COMPILER_TOOLS_OPT_H_
#define ASSAY_COMPILER_TOOLS_OPT_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"

namespace assay::tools {

struct OptOptions {
  // Path of an ONNX file (`.onnx`) or of the text of a graph.
  std::string model;
  std::map<std::string, int64_t> dims;
  std::string target = "llvm -mcpu=native";
  driver::CompileOptions compile;
  bool summary = false;
};

// Returns the text to print: the graph, or with `summary` the number of kernels
// of each kind and the memory of the intermediate values.
absl::StatusOr<std::string> Optimize(const OptOptions& options);

// Returns the passes in order, one per line, such as `0  fold_constants`.
std::string ListPasses();

// Replays the reproducer; returns the error of its passes, or OK if they pass.
absl::Status Reproduce(const std::string& path);

}  // namespace assay::tools

#endif  // ASSAY_COMPILER_TOOLS_OPT_H_
