#include "suites/comparison/known_kernel.h"

#include "compiler/codegen/llvm/testing/run_kernel.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// The largest extent of a parallel loop in the kernels of an artifact.
int32_t ParallelExtent(const runtime::Artifact& artifact) {
  codegen::RuntimeLog log;
  for (const runtime::KernelCall& call : artifact.calls) {
    std::vector<NDArray> buffers;
    for (const auto* tensors : {&call.inputs, &call.outputs}) {
      for (const int32_t i : *tensors) {
        const runtime::TensorInfo& tensor =
            artifact.tensors[static_cast<size_t>(i)];
        buffers.emplace_back(tensor.dtype, tensor.shape);
      }
    }
    const auto error =
        codegen::RunKernel(artifact.code, call.symbol, buffers, log);
    EXPECT_TRUE(error.ok() && *error == 0) << error.status();
  }
  return log.max_extent;
}

// A canary for several threads has to use them.
TEST(KnownKernelTest, MatmulUsesTheThreads) {
  for (const int threads : {2, 4}) {
    const auto kernel = CompileMatmul(threads);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    EXPECT_GE(ParallelExtent(kernel->artifact), threads);
  }
}

}  // namespace
}  // namespace assay::suites
