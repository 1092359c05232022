// DrawAddressSpace: makes the addresses of this process depend on a seed alone.
//
// The speed of a program depends on the addresses of its data and its stack by
// some percent: caches predict the way, and detect conflicts, by parts of the
// address. Linux draws the addresses of every process. If two processes are
// compared, each then has addresses of its own, and the difference between them
// is noise. With the same seed, two processes of one program have the same
// addresses, and different seeds still draw other ones.
#ifndef ASSAY_RUNTIME_PROCESS_ADDRESS_SPACE_H_
#define ASSAY_RUNTIME_PROCESS_ADDRESS_SPACE_H_

#include <cstddef>
#include <cstdint>

namespace assay::runtime {

// Must be called at the start of main(), before there are other threads. If
// this process has random addresses, executes the program again without them;
// the call then does not return. Otherwise moves the heap and all later
// mappings by a number of pages that is drawn from `seed`, and returns the
// number of bytes, a multiple of 16, by which the caller should move its stack
// (alloca). If the system refuses, addresses stay random. The variable
// ASSAY_ADDRESS_SPACE tells the program that it was executed again.
size_t DrawAddressSpace(uint64_t seed, char** argv);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_ADDRESS_SPACE_H_
