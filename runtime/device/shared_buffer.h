// ShareFirstBuffer: makes two processes use the same physical memory.
//
// The speed of a program depends on the physical pages of its data: on whether
// they are huge, on which sets of a physically indexed cache they fall, and on
// the memory node. The system chooses them anew for each process, so two equal
// processes can differ for as long as they live. Two programs in one process
// share the memory of inputs, outputs and intermediate values; with this, two
// processes that are compared share it, too. Only one of them may run at a
// time, and each must set its inputs before it runs after the other one.
#ifndef ASSAY_RUNTIME_DEVICE_SHARED_BUFFER_H_
#define ASSAY_RUNTIME_DEVICE_SHARED_BUFFER_H_

#include <cstddef>
#include <string>

namespace assay::runtime {

// The next buffer that HostMemoryDevice::Allocate() returns in this process is
// in the file `path`, which is created if it does not exist, and whose bytes
// are zeros until a program writes them. It should be in a file system in
// memory. Must be called before there are other threads.
void ShareFirstBuffer(const std::string& path);

// Called by HostMemoryDevice for each buffer: maps `bytes` bytes of the file at
// the address `memory`, which is mapped already, if this is the first buffer
// and there is a file. Returns false if it is not or there is none, or if the
// system refuses; the memory is then as it was. `memory` is null for a buffer
// that is too small to be mapped, which is then not shared.
bool MapSharedBuffer(void* memory, size_t bytes);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_SHARED_BUFFER_H_
