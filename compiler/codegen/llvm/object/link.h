// Links object files into the shared object of an artifact.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_LINK_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_LINK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/target/target.h"

namespace assay::codegen {

// Alignment of kernels in bytes. No section of a kernel needs a larger one.
inline constexpr int kKernelAlignment = 64;

// The object file of one kernel: the name of the kernel and the ELF image.
struct KernelObject {
  std::string kernel;
  std::string image;
};

// Links the object files with lld, in this process. Thread-safe: concurrent
// calls are serialized. The result depends only on the arguments. A shared
// object must not import symbols. Therefore this function returns
// Unimplemented if a kernel has undefined symbols. The error names the kernel
// and the symbols.
//
// The code of each kernel and its constants are adjacent: they begin at the
// symbol `KERNEL.begin`, a multiple of kKernelAlignment, and end at
// `KERNEL.end`. A kernel that refers to anything else has no such symbols. The
// bytes between them therefore do not depend on the other kernels, and two
// kernels with equal bytes are the same code wherever they are loaded
// (Module::CodeOf() in runtime/device/device.h).
absl::StatusOr<std::string> LinkSharedObject(
    const std::vector<KernelObject>& objects, const target::Target& target);

// Returns the names of the undefined symbols of an ELF file, except for symbols
// that the linker defines. `image` must be a shared object if `dynamic` is
// true, and an object file otherwise. Returns InvalidArgument if `image` is not
// an ELF file.
absl::StatusOr<std::vector<std::string>> UndefinedSymbols(
    absl::string_view image, bool dynamic);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_LINK_H_
