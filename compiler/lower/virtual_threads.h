// Virtual threads: lowering of loops bound to `vthread` (as in TVM).
//
// Each iteration of a loop bound to `vthread` is a virtual thread. The threads
// are interleaved: each statement of the loop body is executed for all threads
// before the next statement starts.
//
// - A statement that does not depend on the thread index is executed once.
// - A loop is shared by all threads if its bounds do not depend on the thread
//   index. A branch is shared if its condition does not depend on the thread
//   index. Otherwise the whole loop or branch is executed once per thread.
// - A vectorized loop is an exception: it is executed once per thread if any
//   part of it, not only its bounds, depends on the thread index.
// - A buffer that is allocated in the loop body, and whose contents depend on
//   the thread index, gets an additional outermost dimension, indexed by the
//   thread.
//
//   vthread v in [0, 2) {            alloc %b: local float32[2,1]
//     alloc %b: local float32[1]     for k in [0, 8) {
//     for k in [0, 8) {        ->      %b[0, 0] = %a[0, k]
//       %b[0] = %a[v, k]               %b[1, 0] = %a[1, k]
//       …                              …
//
// If each thread computes a tile, interleaving hides latencies, and data that
// all tiles use is loaded once.
#ifndef ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_
#define ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_

#include "compiler/tir/stmt.h"

namespace assay::lower {

// The key of the pragma around a loop of virtual threads. The loop must have a
// constant extent and independent iterations.
inline constexpr char kVirtualThreadPragma[] = "virtual_thread";

// Interleaves the threads of every loop with the pragma kVirtualThreadPragma
// and removes these loops and pragmas.
tir::Stmt InjectVirtualThreads(const tir::Stmt& s);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_
