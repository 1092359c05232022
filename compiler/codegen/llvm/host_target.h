// HostTarget: returns the Target of the machine on which the compiler runs.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_

#include "absl/status/statusor.h"
#include "compiler/target/target.h"

namespace assay::codegen {

// Implements Backend::host_target for TargetKind::kLlvm. The target contains
// the triple, the name of the processor, and the features in which this machine
// differs from that processor (a virtual machine often hides features). An x86
// processor that is not in the processor table (target/cpu_table.h) gets the
// name of the processor of the table that resembles it most. If LLVM does not
// know the processor, the name is left empty, and all features of the machine
// are listed. num_cores is left 0 (unknown), because the number of
// processors that a process may use can differ between processes. Returns
// Unimplemented if the compiler does not support the machine.
absl::StatusOr<target::Target> HostTarget();

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_HOST_TARGET_H_
