// Backend: the interface between codegen.h and the code generators, one per
// target kind, each in a folder of its own beside this one.
//
// A back end takes functions of the loop IR after the loop passes of its kind
// (tir/passes/pipeline.h) and returns one CodeModule. Errors name the kernel
// and the construct that the back end does not support. The same input gives
// the same bytes, on every machine and with any number of threads.
#ifndef ASSAY_COMPILER_CODEGEN_BACKEND_BACKEND_H_
#define ASSAY_COMPILER_CODEGEN_BACKEND_BACKEND_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

struct CodeModule {
  // The code_kind of the artifact.
  std::string kind;
  // Empty if there are no kernels.
  std::string code;
  // One per kernel, in their order: equal digests mean equal code, whatever the
  // names of the kernels. 64 lower-case hexadecimal digits.
  std::vector<std::string> digests;
};

struct Options {
  // 0 to 3, as for a C compiler; 0 is for debugging only.
  int opt_level = 3;
  // Number of kernels that are compiled at the same time.
  int threads = 1;
  // If set, called for each kernel with the intermediate forms of the back end,
  // each with a suffix for file names (LLVM: `ll`, `opt.ll` and `s`), on the
  // calling thread and in the order of the kernels. Costs compile time.
  std::function<void(absl::string_view kernel, absl::string_view suffix,
                     absl::string_view text)>
      dump;
};

struct Backend {
  target::TargetKind kind;
  // Names of kernels are distinct.
  absl::StatusOr<CodeModule> (*generate)(
      const std::vector<tir::Function>& kernels, const target::Target& target,
      const Options& options);
  // The target to which `-mcpu=native` resolves on this machine; nullptr if
  // the kind has no processors.
  absl::StatusOr<target::Target> (*host_target)();
};

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_BACKEND_BACKEND_H_
