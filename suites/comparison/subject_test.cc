#include "suites/comparison/subject.h"

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
TEST(SubjectTest, GemmUsesTheThreads) {
  for (const int threads : {2, 4}) {
    const auto subject = MakeKernelSubject("gemm", threads);
    ASSERT_TRUE(subject.ok()) << subject.status();
    EXPECT_GE(ParallelExtent(subject->artifact), threads);
  }
}

TEST(SubjectTest, OtherTargetsHaveTheAnswersOfThisMachine) {
  const auto here = MakeKernelSubject("add", /*threads=*/1);
  const auto other = MakeKernelSubject(
      "add", /*threads=*/1, "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53");
  ASSERT_TRUE(here.ok() && other.ok()) << other.status();
  EXPECT_NE(other->artifact.code, here->artifact.code);
  ASSERT_EQ(other->examples.size(), 2u);
  EXPECT_EQ(runtime::TensorsDigest(other->examples[1].answer),
            runtime::TensorsDigest(here->examples[1].answer));
  const auto layout = CompileLayout(*other, /*layout_seed=*/1);
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->metadata, other->artifact.metadata);
}

TEST(SubjectTest, OnlyTheCodeOfALayoutDiffers) {
  const auto subject = MakeKernelSubject("add", /*threads=*/1);
  ASSERT_TRUE(subject.ok()) << subject.status();
  EXPECT_EQ(subject->examples.size(), 2u);
  auto layout = CompileLayout(*subject, /*layout_seed=*/1);
  const auto other = CompileLayout(*subject, /*layout_seed=*/2);
  ASSERT_TRUE(layout.ok() && other.ok());
  EXPECT_NE(layout->code, subject->artifact.code);
  EXPECT_NE(layout->code, other->code);
  layout->code = subject->artifact.code;
  layout->calls[0].code_digest = subject->artifact.calls[0].code_digest;
  EXPECT_EQ(*layout, subject->artifact);
}

}  // namespace
}  // namespace assay::suites
