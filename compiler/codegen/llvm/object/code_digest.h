// CodeDigest: a digest by which kernels with equal machine code are recognized.
//
// The digest is the SHA-256 of the sections, relocations and symbols of an
// object file with one kernel. The names of the symbols that the file defines
// are not included, because the name of a kernel contains its index in the
// model. Kernels with equal digests execute the same instructions on the same
// constants. Their run times may still differ, because the digest does not
// cover the addresses of code and operands.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::codegen {

// Returns 64 lower-case hexadecimal digits. `object` must be the output of
// EmitMachineCode() for OutputKind::kObject. Returns InvalidArgument if it is
// not an ELF object file.
absl::StatusOr<std::string> CodeDigest(absl::string_view object);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OBJECT_CODE_DIGEST_H_
