// Code generation with LLVM: kernels in tir to one shared object.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       std::string image, CompileToSharedObject(kernels, target, {}));
//
// Who wants to know the kernels one by one (code_digest.h) compiles them to
// objects and links those (link.h).
//
// Input: tir after its passes (check_input.h lists what is demanded). Loops
// that are to be vectors or unrolled must be so already; a vectorized loop
// that is left runs as a serial one, an unrolled one is unrolled by LLVM.
//
// Output: an ELF shared object for the target that exports each kernel under
// its name as an AssayKernel (runtime/abi/abi.h) and imports nothing. The same
// input gives the same bytes, whatever the number of threads.
//
// Numbers: multiplications and additions may be fused, nothing else is
// changed, so two targets differ by that alone. On 32-bit ARM, vectors flush
// subnormal float32 to zero.
//
// Stack: local buffers of up to 64 KiB each live on the thread's stack, larger
// ones in the runtime's workspace like global ones.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/codegen/llvm/object/link.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

struct Options {
  // 0 to 3, as of a C compiler. 0 does not even keep accumulators in
  // registers: for debugging.
  int opt_level = 3;
  // How many kernels are compiled at a time.
  int threads = 1;
  // If set, called for each kernel with what was made of it: `ll` (LLVM IR as
  // emitted), `opt.ll` (optimised) and `s` (assembly), on the calling thread
  // and in the order of the kernels. Assembly costs a second run of LLVM's
  // code generator.
  std::function<void(absl::string_view kernel, absl::string_view kind,
                     absl::string_view text)>
      dump;
};

// One for each kernel, in their order. Names of kernels must differ. Errors
// name the kernel and what about it cannot be compiled.
absl::StatusOr<std::vector<KernelObject>> CompileToObjects(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

// Those, linked.
absl::StatusOr<std::string> CompileToSharedObject(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_H_
