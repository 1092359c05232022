// Workspace allocator: scratch memory for kernels (see runtime/abi).
//
// Each thread caches the blocks that it frees in per-size-class free lists, so
// from the second run of a model on, no workspace is allocated with malloc.
// There are four size classes per power of two, so the internal fragmentation
// is at most 25% of the requested size.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_
#define ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_

#include <cstddef>
#include <cstdint>

namespace assay::runtime {

// Allocates `bytes` bytes of uninitialised memory, aligned to
// ASSAY_BUFFER_ALIGNMENT. Returns null if `bytes` is negative or the memory is
// exhausted.
void* WorkspaceAlloc(int64_t bytes);

// Frees memory from WorkspaceAlloc(), on any thread. Ignores null.
void WorkspaceFree(void* memory);

// Releases the blocks cached by this thread to the system. Runs automatically
// when a thread exits.
void WorkspaceTrim();

// Number of bytes cached by this thread, without headers. For tests.
size_t WorkspaceKeptBytes();

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_
