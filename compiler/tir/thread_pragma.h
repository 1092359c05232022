// Thread pragmas: state which statements of a loop program are executed by
// which threads of a GPU. Lowering creates them from the schedule primitives
// bind, env_threads and store_predicate.
//
//   pragma bind_threadIdx_x 32 {   iteration i of the loop runs on the thread
//     for i in [0, 32) {           with threadIdx.x = i; there are 32 threads
//   pragma env_blockIdx_x 0 {      all threads of blockIdx.x run the statements
//   pragma store_threadIdx_y 1 {   of the threads that compute the stores, only
//                                  the one with threadIdx.y = 1 executes them
//
// A program has the same outputs if it is executed serially and thread pragmas
// are ignored. The interpreter and the bytecode pipeline ignore them; the LLVM
// code generator rejects them.
#ifndef ASSAY_COMPILER_TIR_THREAD_PRAGMA_H_
#define ASSAY_COMPILER_TIR_THREAD_PRAGMA_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::tir {

enum class ThreadRole { kBind, kEnv, kStore };

// Returns the key of the pragma with role `role` for a thread tag such as
// `threadIdx.x`.
std::string ThreadPragma(ThreadRole role, absl::string_view thread);

// Returns the thread tag, such as `threadIdx.x`, of a thread pragma with key
// `key`. Returns an empty string if `key` is not the key of a thread pragma.
std::string ThreadOfPragma(absl::string_view key);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_THREAD_PRAGMA_H_
