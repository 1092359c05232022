// Opt: a command-line tool that runs the graph passes on a model and generates
// no code. It can also replay a reproducer, i.e. a file that repeats a failure
// of the compiler (driver/reproducer.h).
//
//   opt --model=net.onnx --opt_level=1
//       prints the graph after the passes of level 0 and 1
//   opt --model=net.onnx --summary
//       prints the number of kernels of each kind and the memory of
//       intermediate values
//   opt --model=net.onnx --bisect_limit=4
//       runs only the first four passes and the required passes after them
//   opt --list
//       prints the passes and their optimization levels
//   opt --reproduce=net.reproducer.txt
//       runs the passes of the reproducer, or compiles its kernels, and prints
//       the error; exits with 5 if a check fails again
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
  // Path of an ONNX file (`.onnx`) or of a text file with a graph in the format
  // of graph::ToString().
  std::string model;
  // Values of the symbolic dimensions of an ONNX model.
  std::map<std::string, int64_t> dims;
  std::string target = "llvm -mcpu=native";
  driver::CompileOptions compile;
  bool summary = false;
};

// Runs the passes. Returns the resulting graph as text or, if `summary` is
// true, the number of kernels of each kind and the memory of the intermediate
// values.
absl::StatusOr<std::string> Optimize(const OptOptions& options);

// Returns the optimization level and the name of each pass, one pass per line
// in the order of execution, for example `0  fold_constants`.
std::string ListPasses();

// Replays the reproducer in the file `path`. Returns the error of the step that
// fails, or OK if no step fails.
absl::Status Reproduce(const std::string& path);

}  // namespace assay::tools

#endif  // ASSAY_COMPILER_TOOLS_OPT_H_
