// This header declares the allocator of workspaces, the scratch memory of
// kernels (runtime/abi).
//
// Each thread has one free list per size class. When a thread frees a block, it
// adds the block to one of its lists; when it allocates a block, it first looks
// in these lists. After the first runs of a model, workspaces therefore rarely
// need the system's allocator. The smallest block has 256 bytes. Above this
// size, there are four size classes per power of two, so a block is at most
// 25 % larger than requested.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_
#define ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_

#include <cstddef>
#include <cstdint>

namespace assay::runtime {

// Allocates `bytes` bytes of uninitialised memory, aligned to
// ASSAY_BUFFER_ALIGNMENT. Returns null if `bytes` is negative or exceeds the
// largest size class, or if there is not enough memory.
void* WorkspaceAlloc(int64_t bytes);

// Frees memory from WorkspaceAlloc(). The memory may have been allocated by
// another thread. Null is ignored.
void WorkspaceFree(void* memory);

// Frees the blocks that the calling thread keeps. This is done automatically
// when a thread exits.
void WorkspaceTrim();

// Returns the number of bytes in the free lists of the calling thread, without
// the headers of the blocks. For tests.
size_t WorkspaceKeptBytes();

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_WORKSPACE_H_
