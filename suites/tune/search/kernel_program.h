// KernelProgram: what is measured for a task (compiler/tune/task/tasks.h).
//
// A kernel in a loop by itself is faster than in its network: its weights stay
// in the caches, which in the network the weights of the other layers pass
// through. The program therefore calls the kernel several times, each time with
// its own copy of the weights, so that all copies together do not fit a
// second-level cache. More copies would be worse: a shared third-level cache
// keeps them only after some tens of runs, more than a trial has, and the first
// runs take up to twice the time of those of a network that runs again and
// again. The activations are the same for all calls and stay in the caches, as
// the previous layer leaves them in the network. Where reading the weights
// takes little time compared with the arithmetic, there are few calls.
//
//   p0 ──┬─────────┬────────── …
//        ▼         ▼
//   w.0 ▶ kernel   w.1 ▶ kernel   …
//            │         │
//         unused    … last: out
//
// Weights are inputs of the program, not constants. All points of a task thus
// have the same inputs, and a device receives them once.
#ifndef ASSAY_SUITES_TUNE_SEARCH_KERNEL_PROGRAM_H_
#define ASSAY_SUITES_TUNE_SEARCH_KERNEL_PROGRAM_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/tune/task/tasks.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::suites {

// The largest number of calls in a program.
constexpr int kMaxKernelCalls = 64;
// Copies of this size together are cold: twice a large second-level cache.
constexpr int64_t kColdBytes = int64_t{4} << 20;

struct KernelProgram {
  // A graph of kernels (driver::CompileKernelGraph) with the workload of the
  // task. Its outputs are those of the last call.
  std::unique_ptr<graph::Graph> graph;
  int calls = 1;
  // Operands that are constants in the model have their values there; others
  // are random.
  runtime::NamedTensors inputs;
  // The outputs, computed by the interpreter.
  runtime::NamedTensors expected;
};

// `weights_bytes` is the size of all weights of the network: a smaller network
// fits the caches, so there are not more copies. `threads` is the number of
// threads on which the kernel will run.
absl::StatusOr<KernelProgram> MakeKernelProgram(const tune::Task& task,
                                                int64_t weights_bytes,
                                                int threads, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_KERNEL_PROGRAM_H_
