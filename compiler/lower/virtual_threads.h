// Virtual threads: lowering of loops bound to `vthread` (as in TVM).
//
// The iterations of such a loop, the threads, are interleaved: each statement
// inside is executed for all threads before the next one starts. Loops and
// conditions that do not depend on the thread are shared; a loop or branch
// whose bounds or condition depend on it, and a vectorized loop, is executed
// once per thread as a whole. A buffer allocated inside whose contents depend
// on the thread is expanded by an outermost dimension for the thread.
// Statements that do not depend on the thread are executed once.
//
//   vthread v in [0, 2) {            alloc %b: local float32[2,1]
//     alloc %b: local float32[1]     for k in [0, 8) {
//     for k in [0, 8) {        ->      %b[0, 0] = %a[0, k]
//       %b[0] = %a[v, k]               %b[1, 0] = %a[1, k]
//       …                              …
//
// Interleaving the work of several tiles hides latencies, and data shared by
// the tiles is loaded once.
#ifndef ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_
#define ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_

#include "compiler/tir/stmt.h"

namespace assay::lower {

// The pragma around a loop of virtual threads, which has a constant extent and
// independent iterations.
inline constexpr char kVirtualThreadPragma[] = "virtual_thread";

// The result contains no such pragma.
tir::Stmt InjectVirtualThreads(const tir::Stmt& s);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_VIRTUAL_THREADS_H_
