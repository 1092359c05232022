// Thread pragmas: how a loop program states what runs on the threads of a GPU.
// Lowering makes them from the primitives bind, env_threads and store_predicate
// of a schedule.
//
//   pragma bind_threadIdx_x 32 {   iteration i of the loop runs on the thread
//     for i in [0, 32) {           with threadIdx.x = i, of 32 threads
//   pragma env_blockIdx_x 0 {      all threads of blockIdx.x run the statements
//   pragma store_threadIdx_y 1 {   of the threads that compute the stores, only
//                                  the one with threadIdx.y = 1 executes them
//
// A serial execution of the program may ignore them. A code generator for a
// target without such threads rejects them.
#ifndef ASSAY_COMPILER_TIR_THREAD_PRAGMA_H_
#define ASSAY_COMPILER_TIR_THREAD_PRAGMA_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::tir {

enum class ThreadRole { kBind, kEnv, kStore };

// The key of a pragma, for a thread such as `threadIdx.x`.
std::string ThreadPragma(ThreadRole role, absl::string_view thread);

// The thread (`threadIdx.x`) of a pragma with this key; empty if it is not a
// thread pragma.
std::string ThreadOfPragma(absl::string_view key);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_THREAD_PRAGMA_H_
