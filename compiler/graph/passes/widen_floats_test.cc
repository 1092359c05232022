#include "compiler/graph/passes/widen_floats.h"

#include <memory>
#include <string>
#include <utility>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"

namespace assay::graph {
namespace {

std::string Check(const std::string& before, const std::string& after) {
  return CheckPass(std::make_unique<WidenFloats>(), before, after);
}

// Additions are rounded, relu is not. The sum is a graph output and the data of
// another convolution.
TEST(WidenFloatsTest, RegionsOfConvolutions) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float16[1,2,3,3], %w: float16[2,2,1,1]) -> (%5, %6) {
        %2: float32[1,2,3,3] = conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_0"
        %3: float16[1,2,3,3] = cast(%2) {dtype=float16} "Conv_0"
        %4: float16[1,2,3,3] = relu(%3) "Relu_0"
        %5: float16[1,2,3,3] = add(%4, %x) "Add_0"
        %6: float32[1,2,3,3] = conv2d(%5, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_1"
      })",
                  R"(
      graph g(%x: float16[1,2,3,3], %w: float16[2,2,1,1]) -> (%9, %11) {
        %1: float32[1,2,3,3] = cast(%x) {dtype=float32}
        %2: float32[2,2,1,1] = cast(%w) {dtype=float32}
        %3: float32[1,2,3,3] = conv2d(%1, %2) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_0"
        %4: float16[1,2,3,3] = cast(%3) {dtype=float16} "Conv_0"
        %5: float32[1,2,3,3] = cast(%4) {dtype=float32}
        %6: float32[1,2,3,3] = relu(%5) "Relu_0"
        %8: float32[1,2,3,3] = add(%6, %1) "Add_0"
        %9: float16[1,2,3,3] = cast(%8) {dtype=float16} "Add_0"
        %10: float32[1,2,3,3] = cast(%9) {dtype=float32}
        %11: float32[1,2,3,3] = conv2d(%10, %2) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_1"
      })"),
            "");
}

// A pooling reads float32. The second region, after it, has no convolution.
TEST(WidenFloatsTest, OtherRegionsStay) {
  EXPECT_EQ(Check(R"(
      graph g(%x: bfloat16[1,2,3,3], %w: bfloat16[2,2,1,1]) -> (%8) {
        %1: float32[1,2,3,3] = conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %2: float32[2,1,1] = constant {value=[1,-1]}
        %3: float32[1,2,3,3] = add(%1, %2)
        %4: bfloat16[1,2,3,3] = cast(%3) {dtype=bfloat16}
        %5: bfloat16[1,2,3,3] = exp(%4)
        %6: float32[1,2,3,3] = cast(%5) {dtype=float32}
        %7: float32[1,2,1,1] = global_avg_pool2d(%6)
        %9: bfloat16[1,2,1,1] = cast(%7) {dtype=bfloat16}
        %8: bfloat16[1,2,1,1] = exp(%9)
      })",
                  R"(
      graph g(%x: bfloat16[1,2,3,3], %w: bfloat16[2,2,1,1]) -> (%8) {
        %1: float32[1,2,3,3] = cast(%x) {dtype=float32}
        %20: float32[2,2,1,1] = cast(%w) {dtype=float32}
        %21: float32[1,2,3,3] = conv2d(%1, %20) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %2: float32[2,1,1] = constant {value=[1,-1]}
        %3: float32[1,2,3,3] = add(%21, %2)
        %4: bfloat16[1,2,3,3] = cast(%3) {dtype=bfloat16}
        %22: float32[1,2,3,3] = cast(%4) {dtype=float32}
        %23: float32[1,2,3,3] = exp(%22)
        %24: bfloat16[1,2,3,3] = cast(%23) {dtype=bfloat16}
        %25: float32[1,2,3,3] = cast(%24) {dtype=float32}
        %7: float32[1,2,1,1] = global_avg_pool2d(%25)
        %9: bfloat16[1,2,1,1] = cast(%7) {dtype=bfloat16}
        %8: bfloat16[1,2,1,1] = exp(%9)
      })"),
            "");
}

// Operators with operands of several types, and a value that dense reads.
TEST(WidenFloatsTest, OtherUsersReadSixteenBits) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float16[1,2,1,1], %c: bool[1,2,1,1], %v: float16[3,2], %w: float16[2,2,1,1], %s: float16[]) -> (%4, %6) {
        %3: float16[1,2,1,1] = select(%c, %x, %s)
        %4: float32[1,2,1,1] = conv2d(%3, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %5: float16[1,2] = reshape(%3) {shape=[1,2]}
        %6: float32[1,3] = dense(%5, %v)
      })",
                  R"(
      graph g(%x: float16[1,2,1,1], %c: bool[1,2,1,1], %v: float16[3,2], %w: float16[2,2,1,1], %s: float16[]) -> (%4, %6) {
        %7: float32[1,2,1,1] = cast(%x) {dtype=float32}
        %9: float32[] = cast(%s) {dtype=float32}
        %3: float32[1,2,1,1] = select(%c, %7, %9)
        %10: float32[2,2,1,1] = cast(%w) {dtype=float32}
        %4: float32[1,2,1,1] = conv2d(%3, %10) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %5: float32[1,2] = reshape(%3) {shape=[1,2]}
        %8: float16[1,2] = cast(%5) {dtype=float16}
        %6: float32[1,3] = dense(%8, %v)
      })"),
            "");
}

// Padding is rounded unless its value is exact.
TEST(WidenFloatsTest, PaddingIsRounded) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float16[1,2,1,1], %w: float16[2,2,1,1]) -> (%3) {
        %1: float16[1,2,2,1] = pad(%x) {before=[0,0,1,0], after=[0,0,0,0], value=0.1}
        %2: float16[1,2,3,1] = pad(%1) {before=[0,0,1,0], after=[0,0,0,0], value=0}
        %3: float32[1,2,3,1] = conv2d(%2, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })",
                  R"(
      graph g(%x: float16[1,2,1,1], %w: float16[2,2,1,1]) -> (%3) {
        %1: float32[1,2,1,1] = cast(%x) {dtype=float32}
        %2: float32[1,2,2,1] = pad(%1) {before=[0,0,1,0], after=[0,0,0,0], value=0.1}
        %4: float16[1,2,2,1] = cast(%2) {dtype=float16}
        %5: float32[1,2,2,1] = cast(%4) {dtype=float32}
        %6: float32[1,2,3,1] = pad(%5) {before=[0,0,1,0], after=[0,0,0,0], value=0}
        %7: float32[2,2,1,1] = cast(%w) {dtype=float32}
        %3: float32[1,2,3,1] = conv2d(%6, %7) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })"),
            "");
}

// Without a convolution of 16-bit floats nothing changes.
TEST(WidenFloatsTest, OtherGraphsStay) {
  const std::string text = R"(
      graph g(%x: float16[1,2], %v: float16[3,2]) -> (%3) {
        %1: float16[1,2] = exp(%x)
        %2: float32[1,3] = dense(%1, %v)
        %3: float16[1,3] = cast(%2) {dtype=float16}
      })";
  EXPECT_EQ(Check(text, text), "");
}

// Weights are converted when the pass runs.
TEST(WidenFloatsTest, ConstantsAreConverted) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", {DType::Float16(), {1, 1, 1, 1}});
  NDArray weights(DType::Float16(), {1, 1, 1, 1});
  StoreFloat(weights, 0, 0.5);
  Node* w = graph.AddConstant(std::move(weights));
  graph.AddOutput("y",
                  {*graph.AddNode(OpKind::kConv2d, Conv2dAttrs(), {{x}, {w}})});
  ASSERT_TRUE(RunChecked(std::make_unique<WidenFloats>(), graph).ok());
  const Node* conv = graph.outputs()[0].value.node;
  ASSERT_EQ(conv->input(1).node->kind(), OpKind::kConstant);
  EXPECT_EQ(conv->input(1).type().ToString(), "float32[1,1,1,1]");
  EXPECT_EQ(conv->input(0).type().ToString(), "float32[1,1,1,1]");
}

}  // namespace
}  // namespace assay::graph
