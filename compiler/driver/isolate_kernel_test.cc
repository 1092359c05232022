#include "compiler/driver/isolate_kernel.h"

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::driver {
namespace {

TEST(IsolateKernelTest, OperandsBecomeInputsAndResultsOutputs) {
  const auto graph = graph::GraphFromText(R"(
      graph net(%x: float32[2,4]) -> (y=%3) {
        %1: float32[4] = constant {fill=1}
        %2: (float32[2,4], float32[2,4]) = kernel(%x, %1) {
          graph fused(%p0: float32[2,4], %p1: float32[4]) -> (%1, %2) {
            %1: float32[2,4] = add(%p0, %p1)
            %2: float32[2,4] = relu(%1)
          }
        } "Add_0"
        %3: float32[2,4] = exp(%2.1)
      })");
  const graph::Node* kernel = graph->outputs()[0].value.node->input(0).node;
  const auto alone = IsolateKernel(*kernel, "k000_add_relu");
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_EQ(graph::DiffAgainstText(**alone, R"(
      graph k000_add_relu(%p0: float32[2,4], %p1: float32[4])
          -> (out=%2, out1=%2.1) {
        %2: (float32[2,4], float32[2,4]) = kernel(%p0, %p1) {
          graph fused(%p0: float32[2,4], %p1: float32[4]) -> (%1, %2) {
            %1: float32[2,4] = add(%p0, %p1)
            %2: float32[2,4] = relu(%1)
          }
        } "kernel"
      })"),
            "");
  EXPECT_EQ((*alone)->name(), "k000_add_relu");
  EXPECT_EQ((*alone)->inputs()[1]->name(), "p1");
  EXPECT_EQ((*alone)->outputs()[0].name, "out");
  EXPECT_EQ((*alone)->outputs()[1].name, "out1");
}

}  // namespace
}  // namespace assay::driver
