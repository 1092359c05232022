// DrawAddressSpace: makes the addresses of this process depend on a seed alone.
//
// The speed of a program depends on the addresses of its data and its stack by
// some percent, because a processor uses only some bits of an address to
// predict the way of a cache and to detect conflicts between loads and stores.
// Linux chooses the addresses of every process at random. If two processes are
// compared, these random addresses add noise to the difference of their times.
// With the same seed, two processes of one program have the same addresses.
// Different seeds give different addresses.
#ifndef ASSAY_RUNTIME_PROCESS_ADDRESS_SPACE_H_
#define ASSAY_RUNTIME_PROCESS_ADDRESS_SPACE_H_

#include <cstddef>
#include <cstdint>

namespace assay::runtime {

// Must be called at the start of main(), before there are other threads. If
// this process has random addresses, executes the program again without them;
// the call then does not return. Otherwise moves the heap and all later
// mappings, each by a number of pages that is drawn from `seed`, and returns
// the number of bytes, a multiple of 16, by which the caller should move its
// stack (alloca). If the system refuses, addresses stay random. The environment
// variable ASSAY_ADDRESS_SPACE tells the program that it was executed again.
size_t DrawAddressSpace(uint64_t seed, char** argv);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_ADDRESS_SPACE_H_
