// ShareFirstBuffer: makes two processes use the same physical memory.
//
// The speed of a program depends on the physical pages of its data: on whether
// they are huge pages, on their sets in a physically indexed cache, and on
// their NUMA node. The system chooses new pages for each process, so two
// processes that run the same program can differ in speed for as long as they
// live. Two programs in one process share the memory of inputs, outputs and
// intermediate values. With ShareFirstBuffer(), two processes that are compared
// share this memory, too. Only one of them may run at a time, and each must set
// its inputs before it runs after the other one.
#ifndef ASSAY_RUNTIME_DEVICE_SHARED_BUFFER_H_
#define ASSAY_RUNTIME_DEVICE_SHARED_BUFFER_H_

#include <cstddef>
#include <string>

namespace assay::runtime {

// Makes the next buffer that HostMemoryDevice::Allocate() returns in this
// process use the file `path` as its memory (MapSharedBuffer). The file is
// created if it does not exist, and should be in a file system in memory. New
// bytes of the file are zero. Must be called before there are other threads.
void ShareFirstBuffer(const std::string& path);

// HostMemoryDevice calls this function for each buffer that it allocates. The
// first call after ShareFirstBuffer() replaces the `bytes` bytes of mapped
// memory at `memory` by the beginning of the file, and returns true. The file
// is extended if it is shorter. All other calls return false and do not change
// the memory. If the system refuses, or if `memory` is null because the buffer
// is too small to be mapped, the first call also returns false, and no buffer
// is shared.
bool MapSharedBuffer(void* memory, size_t bytes);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_SHARED_BUFFER_H_
