// HostTarget: the machine that the compiler runs on, as a Target.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_

#include "absl/status/statusor.h"
#include "compiler/target/target.h"

namespace assay::codegen {

// Backend::host_target: triple, processor and the features that differ from
// what LLVM derives from the name of the processor (a virtual machine often
// hides some). num_cores is 0, since it depends on the processors a process may
// use.
absl::StatusOr<target::Target> HostTarget();

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_
