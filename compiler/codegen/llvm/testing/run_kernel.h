// Runs compiled kernels in the test process. Does not depend on the compiler,
// so it can be built for other machines.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay::codegen {

// Controls and records the behaviour of the runtime passed to a kernel.
struct RuntimeLog {
  // Number of the allocation that fails, counted from 1; 0: none.
  int fail_allocation = 0;
  // If not 0, parallel_for runs nothing and returns this value.
  int32_t parallel_error = 0;

  int allocations = 0;  // number of successful allocations
  int frees = 0;
  int parallel_loops = 0;
};

// Calls kernel `name` of `image` with `buffers`, inputs first, and returns its
// result. Parallel loops run in three chunks, the last one first.
absl::StatusOr<int32_t> RunKernel(absl::string_view image,
                                  const std::string& name,
                                  std::vector<NDArray>& buffers,
                                  RuntimeLog& log);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_RUN_KERNEL_H_
