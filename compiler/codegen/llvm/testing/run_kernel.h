// Runs compiled kernels in the test's own process. Free of the compiler, so
// that it can be built for other machines.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay::codegen {

// What the runtime that a kernel is handed should do, and what it saw.
struct RuntimeLog {
  // The allocation with this number, counted from 1, fails; 0: none does.
  int fail_allocation = 0;
  // parallel_for runs nothing and returns this, if it is not 0.
  int32_t parallel_error = 0;

  int allocations = 0;  // that succeeded
  int frees = 0;
  int parallel_loops = 0;
};

// Calls the kernel `name` of `image` with `buffers`, inputs first, and gives
// what it returned. Parallel loops run in three shares, the last one first.
absl::StatusOr<int32_t> RunKernel(absl::string_view image,
                                  const std::string& name,
                                  std::vector<NDArray>& buffers,
                                  RuntimeLog& log);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_
