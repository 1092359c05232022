// CodeDigest: whether two kernels are the same machine code.
//
//   SHA-256 over an object file's sections and relocations, without the names
//   of what it defines.
//
// An object file holds one kernel, whose name has its number within the model
// and so depends on the kernels before it. Kernels with equal digests run the
// same instructions on the same constants, wherever they are linked. They may
// take different times still: the digest says nothing of where code and
// operands lie.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::codegen {

// 64 lower-case characters. `object` is what EmitMachineCode() gives.
absl::StatusOr<std::string> CodeDigest(absl::string_view object);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_
