// KernelProgram: the program that is measured for a task
// (compiler/tune/task/tasks.h).
//
// A kernel in a loop by itself is faster than in its network, because its
// weights stay in the caches. In the network, the weights of the other layers
// replace them. The program therefore calls the kernel several times, each time
// with its own copy of the weights, so that all copies together do not fit a
// second-level cache. More copies would be worse: a shared third-level cache
// keeps them only after some tens of runs, more than a trial has, and until
// then a run takes up to twice as long as in a network that runs again and
// again. The activations are the same for all calls and stay in the caches, as
// the previous layer leaves them in the network. If reading the weights takes
// little time compared with the arithmetic, it does not matter where they are,
// and the number of calls only makes the program long enough to measure.
//
//   p0 ────┬───────────────┬──────── …
//          ▼               ▼
//   p1.0 ▶ kernel   p1.1 ▶ kernel    …
//          │               │
//        unused          … last: out
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
// Copies with this total size do not stay in a second-level cache: it is twice
// the size of a large one.
constexpr int64_t kColdBytes = int64_t{4} << 20;

struct KernelProgram {
  // A graph of kernels (driver::CompileKernelGraph) with the workload of the
  // task. Its outputs are those of the last call.
  std::unique_ptr<graph::Graph> graph;
  int calls = 1;
  // Operands that are constants in the model have the values of the model.
  // Others are random.
  runtime::NamedTensors inputs;
  // The outputs, computed by the interpreter.
  runtime::NamedTensors expected;
};

// `weights_bytes` is the size of all weights of the network. If it is smaller
// than kColdBytes, the copies have this total size instead, because the weights
// then stay in the caches in the network, too. `threads` is the number of
// threads on which the kernel will run.
absl::StatusOr<KernelProgram> MakeKernelProgram(const tune::Task& task,
                                                int64_t weights_bytes,
                                                int threads, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_KERNEL_PROGRAM_H_
