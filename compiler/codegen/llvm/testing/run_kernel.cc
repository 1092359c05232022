#include "compiler/codegen/llvm/testing/run_kernel.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "runtime/abi/abi.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/kernel_image.h"

namespace assay::codegen {
namespace {

constexpr int32_t kShares = 3;

int32_t ParallelFor(void* context, int32_t extent, AssayParallelBody body,
                    void* closure) {
  auto* log = static_cast<RuntimeLog*>(context);
  ++log->parallel_loops;
  log->max_extent = std::max(log->max_extent, extent);
  if (log->parallel_error != 0) return log->parallel_error;
  for (int32_t share = kShares - 1; share >= 0; --share) {
    const int32_t begin = extent * share / kShares;
    const int32_t end = extent * (share + 1) / kShares;
    const int32_t error = body(begin, end, closure);
    if (error != 0) return error;
  }
  return 0;
}

void* WorkspaceAlloc(void* context, int64_t bytes) {
  auto* log = static_cast<RuntimeLog*>(context);
  CHECK_GT(bytes, 0);
  if (log->fail_allocation == log->allocations + 1) return nullptr;
  ++log->allocations;
  const int64_t rounded = (bytes + ASSAY_BUFFER_ALIGNMENT - 1) /
                          ASSAY_BUFFER_ALIGNMENT * ASSAY_BUFFER_ALIGNMENT;
  return std::aligned_alloc(ASSAY_BUFFER_ALIGNMENT, rounded);
}

void WorkspaceFree(void* context, void* memory) {
  ++static_cast<RuntimeLog*>(context)->frees;
  std::free(memory);
}

}  // namespace

absl::StatusOr<int32_t> RunKernel(absl::string_view image,
                                  const std::string& name,
                                  std::vector<NDArray>& buffers,
                                  RuntimeLog& log) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<runtime::KernelImage> loaded,
                         runtime::KernelImage::Load(image));
  ASSAY_ASSIGN_OR_RETURN(void* const symbol, loaded->Find(name));
  const auto kernel = reinterpret_cast<AssayKernel>(symbol);
  std::vector<void*> pointers;
  for (NDArray& buffer : buffers) pointers.push_back(buffer.raw());
  const AssayRuntime runtime = {&log, ParallelFor, WorkspaceAlloc,
                                WorkspaceFree};
  return kernel(pointers.data(), &runtime);
}

}  // namespace assay::codegen
