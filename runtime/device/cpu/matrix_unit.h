// EnableMatrixUnit: permission to use the matrix unit of Intel processors
// (AMX).
//
// The registers of the unit have 8 KiB, so Linux saves them only for processes
// that ask for it (arch_prctl with ARCH_REQ_XCOMP_PERM). An instruction of the
// unit raises SIGILL in a process that did not. The permission holds for all
// threads of the process.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_MATRIX_UNIT_H_
#define ASSAY_RUNTIME_DEVICE_CPU_MATRIX_UNIT_H_

namespace assay::runtime {

// Asks for the permission once per process. Returns false if the processor, the
// hypervisor or the kernel does not provide the unit.
bool EnableMatrixUnit();

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_MATRIX_UNIT_H_
