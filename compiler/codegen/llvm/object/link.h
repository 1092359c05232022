// From object files to the shared object that goes into an artifact.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_LINK_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_LINK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/target/target.h"

namespace assay::codegen {

// A kernel's object file, an ELF image.
struct KernelObject {
  std::string kernel;
  std::string image;
};

// Links with lld, in this process; one link at a time, others wait. The result
// depends on nothing but the arguments. It imports nothing: an error names
// the kernel and the symbol that it would have to import.
absl::StatusOr<std::string> LinkSharedObject(
    const std::vector<KernelObject>& objects, const target::Target& target);

// The symbols that an ELF object file or, if `dynamic`, a shared object wants
// from others.
absl::StatusOr<std::vector<std::string>> UndefinedSymbols(
    absl::string_view image, bool dynamic);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_LINK_H_
