// Temporary memory for kernels: the workspace functions of the kernel ABI.
//
// Every thread keeps what it freed and hands it out again, so a model that
// runs for the second time calls malloc for no workspace. Sizes are rounded
// up to classes, four to each doubling: at most a quarter is wasted.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_
#define ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_

#include <cstddef>
#include <cstdint>

namespace assay::runtime {

// `bytes` bytes, aligned to ASSAY_BUFFER_ALIGNMENT, not cleared. Null if
// `bytes` is negative or there is not so much memory.
void* WorkspaceAlloc(int64_t bytes);

// Gives back what WorkspaceAlloc returned; on any thread, null is ignored.
void WorkspaceFree(void* memory);

// Returns the memory this thread keeps to the system. Done by itself when a
// thread ends.
void WorkspaceTrim();

// The bytes this thread keeps, headers not counted. For tests.
size_t WorkspaceKeptBytes();

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_
