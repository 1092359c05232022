// Backend: the interface between codegen.h and the code generators. There is
// one code generator per target kind, for example compiler/codegen/llvm.
//
// A back end compiles functions of the loop IR to one CodeModule. The loop
// passes of its target kind (tir/passes/pipeline.h) must have run on the
// functions. If a function contains an unsupported construct, the error names
// the kernel and the construct. Equal inputs result in equal bytes, on every
// machine and for every number of threads.
#ifndef ASSAY_COMPILER_CODEGEN_BACKEND_BACKEND_H_
#define ASSAY_COMPILER_CODEGEN_BACKEND_BACKEND_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"
#include "runtime/base/check_context.h"

namespace assay::codegen {

struct CodeModule {
  // Value for Artifact::code_kind.
  std::string kind;
  // The generated code; empty if there are no kernels.
  std::string code;
  // One digest per kernel, in the order of the kernels. Kernels with equal
  // digests have equal code; the names of the kernels do not affect the digest.
  // A digest consists of 64 lower-case hexadecimal digits.
  std::vector<std::string> digests;
};

struct Options {
  // Optimization level from 0 to 3, with the meaning of -O0 to -O3 of a C
  // compiler. Level 0 is for debugging only.
  int opt_level = 3;
  // If not 0, a seed that changes where machine code lies but not what it does:
  // the order of the kernels and the padding before their functions. Two seeds
  // give two builds of one program, for tests of comparisons.
  uint64_t layout_seed = 0;
  // Maximum number of kernels that are compiled at the same time.
  int threads = 1;
  // If set, called once for each intermediate form of each kernel. `suffix` is
  // a suffix for file names that identifies the form (LLVM: `ll`, `opt.ll` and
  // `s`). Calls are made on the calling thread, in the order of the kernels.
  // Dumps increase the compile time.
  std::function<void(absl::string_view kernel, absl::string_view suffix,
                     absl::string_view text)>
      dump;
  // If set, called if a check fails while code is generated for `kernel`, for
  // example to write a reproducer. `failure` is the message of the check. The
  // call is made on the thread on which the check failed, and the result is
  // printed (OnCheckFailure in runtime/base/check_context.h).
  std::function<std::string(absl::string_view kernel,
                            absl::string_view failure)>
      on_failed_check;
};

// Code generators create a KernelScope while they work on a kernel. If a check
// fails in this time, its message contains the name of the kernel, and
// Options::on_failed_check is called.
class KernelScope {
 public:
  // `kernel` and `options` must outlive the scope.
  KernelScope(const std::string& kernel, const Options& options)
      : context_("while generating code for kernel", kernel),
        hook_([&kernel, &options](absl::string_view failure) {
          return options.on_failed_check
                     ? options.on_failed_check(kernel, failure)
                     : std::string();
        }) {}

 private:
  const ScopedCheckContext context_;
  const OnCheckFailure hook_;
};

struct Backend {
  target::TargetKind kind;
  // Generates code for `kernels`, whose names must be distinct.
  absl::StatusOr<CodeModule> (*generate)(
      const std::vector<tir::Function>& kernels, const target::Target& target,
      const Options& options);
  // Returns the target that `-mcpu=native` selects on this machine. This
  // function pointer is null if the target kind does not support
  // `-mcpu=native`.
  absl::StatusOr<target::Target> (*host_target)();
};

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_BACKEND_BACKEND_H_
