// HostTarget: the machine that the compiler itself runs on, as a Target.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/target/target.h"

namespace assay::codegen {

// Triple, processor and, as far as they differ from what LLVM takes the
// processor's name to mean, features: a virtual machine often hides some.
// num_cores is left open, since it depends on where a process may run.
absl::StatusOr<target::Target> HostTarget();

// Target::Parse, except that `llvm -mcpu=native` (with -num-cores if wanted,
// and nothing else) stands for HostTarget().
absl::StatusOr<target::Target> ResolveTarget(absl::string_view text);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_
