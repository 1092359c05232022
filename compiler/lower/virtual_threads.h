// Virtual threads: what becomes of loops bound to `vthread`.
//
// The iterations of such a loop, its threads, run side by side: each statement
// inside is done for one thread after the other before the next one begins.
// Loops and conditions that do not depend on the thread are shared; where the
// bounds or the condition do, and at a vectorized loop, the whole is done once
// per thread. A buffer allocated inside whose contents depend on the thread
// gets a dimension for it in front. What does not depend on the thread is done
// once.
//
//   vthread v in [0, 2) {            alloc %b: local float32[2,1]
//     alloc %b: local float32[1]     for k in [0, 8) {
//     for k in [0, 8) {        ->      %b[0, 0] = %a[0, k]
//       %b[0] = %a[v, k]               %b[1, 0] = %a[1, k]
//       …                              …
//
// So the work of several tiles is interleaved, which hides latencies, and what
// the tiles have in common is loaded once for all.
#ifndef ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_
#define ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_

#include "compiler/tir/stmt.h"

namespace assay::lower {

// The pragma around a loop of virtual threads, whose extent is constant and
// whose iterations do not depend on one another.
inline constexpr char kVirtualThreadPragma[] = "virtual_thread";

// Leaves no such pragma.
tir::Stmt InjectVirtualThreads(const tir::Stmt& s);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_
