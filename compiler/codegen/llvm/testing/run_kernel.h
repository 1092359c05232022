// RunKernel: runs a compiled kernel in the test process. This code does not
// depend on the compiler, so it can be built for other machines.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay::codegen {

// Controls the behaviour of the runtime that a kernel receives, and records the
// calls of the kernel.
struct RuntimeLog {
  // Sequence number of the allocation that fails, counted from 1. If 0, no
  // allocation fails.
  int fail_allocation = 0;
  // If not 0, parallel_for runs no iterations and returns this value.
  int32_t parallel_error = 0;

  int allocations = 0;  // number of successful allocations
  int frees = 0;
  int parallel_loops = 0;
  int32_t max_extent = 0;  // largest extent of a parallel loop
};

// Calls the kernel `name` of the shared object `image` and returns the return
// value of the kernel. `buffers` must contain the inputs, followed by the
// outputs. Each parallel loop is executed in three chunks; the chunk with the
// last iterations is executed first.
absl::StatusOr<int32_t> RunKernel(absl::string_view image,
                                  const std::string& name,
                                  std::vector<NDArray>& buffers,
                                  RuntimeLog& log);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_
