// Links object files to the shared object of an artifact.
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

// Links with lld in this process; concurrent calls are serialized. The result
// depends on the arguments only. Returns an error that names kernel and symbol
// if the result would have to import a symbol.
absl::StatusOr<std::string> LinkSharedObject(
    const std::vector<KernelObject>& objects, const target::Target& target);

// The undefined symbols of an ELF object file or, if `dynamic`, of a shared
// object.
absl::StatusOr<std::vector<std::string>> UndefinedSymbols(
    absl::string_view image, bool dynamic);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_LINK_H_
