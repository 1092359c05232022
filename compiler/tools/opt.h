// Opt: the graph passes alone, on a model or on what a failed compilation left.
//
//   opt --model=net.onnx --opt_level=1          the graph after the passes
//   opt --model=net.onnx --summary              counts of kernels, and memory
//   opt --model=net.onnx --bisect_limit=4       only the first four passes
//   opt --list                                  the passes and their levels
//   opt --reproduce=net.reproducer.txt          the failure again
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
  // An ONNX file, or with another ending the text of a graph.
  std::string model;
  std::map<std::string, int64_t> dims;
  std::string target = "llvm -mcpu=native";
  driver::CompileOptions compile;
  bool summary = false;
};

// What to print: the graph, or with `summary` how many kernels of each kind
// there are and the memory of the intermediates.
absl::StatusOr<std::string> Optimize(const OptOptions& options);

// `0  fold_constants`, a pass a line, in order.
std::string ListPasses();

// The error that the file's passes still end with; OK where they do not.
absl::Status Reproduce(const std::string& path);

}  // namespace assay::tools

#endif  // ASSAY_COMPILER_TOOLS_OPT_H_
