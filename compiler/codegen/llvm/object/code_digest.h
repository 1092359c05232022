// CodeDigest: identifies kernels with equal machine code.
//
//   SHA-256 of an object file's sections and relocations, without the names of
//   the symbols it defines.
//
// An object file contains one kernel; its name includes its number in the model
// and so depends on other kernels. Kernels with equal digests execute the same
// instructions on the same constants. Their run times may still differ, because
// the digest does not cover the addresses of code and operands.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::codegen {

// Returns 64 lower-case hexadecimal digits. `object` is the output of
// EmitMachineCode().
absl::StatusOr<std::string> CodeDigest(absl::string_view object);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_
