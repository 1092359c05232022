#include "compiler/graph/quantization/fake_quantization_to_integer.h"

#include <memory>
#include <string>
#include <vector>

#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

std::string Check(const std::string& before, const std::string& after) {
  return CheckPass(std::make_unique<FakeQuantizationToInteger>(), before,
                   after);
}

// Data with the zero point 3 stays in bytes: padding is 3, and 3 times the sum
// of each filter (4 and -2) is subtracted from the bias of 100 and -7 steps.
TEST(FakeQuantizationToIntegerTest, ConvolutionWithBiasAndRelu) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[1,1,3,3]) -> (%15) {
        %1: float32[] = constant {value=[0.5]}
        %2: uint8[] = constant {value=[3]}
        %3: float32[1,1,3,3] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %4: int8[2,1,2,2] = constant {value=[1,1,1,1,1,-1,-1,-1]}
        %5: float32[2] = constant {value=[0.25,0.5]}
        %6: int8[2] = constant {value=[0,0]}
        %7: float32[2,1,2,2] = dequantize(%4, %5, %6) {axis=0, dtype=float32}
        %8: float32[1,2,4,4] = conv2d(%3, %7) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1} "Conv_0"
        %9: float32[2,1,1] = constant {value=[12.5,-1.75]}
        %10: float32[1,2,4,4] = add(%8, %9)
        %11: float32[1,2,4,4] = relu(%10)
        %12: float32[] = constant {value=[2]}
        %13: uint8[] = constant {value=[5]}
        %14: uint8[1,2,4,4] = quantize(%11, %12, %13) {axis=0, dtype=uint8}
        %15: float32[1,2,4,4] = dequantize(%14, %12, %13) {axis=0, dtype=float32}
      })",
                  R"(
      graph g(%x: uint8[1,1,3,3]) -> (%15) {
        %4: int8[2,1,2,2] = constant {value=[1,1,1,1,1,-1,-1,-1]}
        %20: int32[1,2,4,4] = conv2d(%x, %4) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1, pad_value=3} "Conv_0"
        %21: int32[2,1,1] = constant {value=[88,-1]}
        %22: int32[1,2,4,4] = add(%20, %21)
        %23: float32[1,2,4,4] = cast(%22) {dtype=float32}
        %27: float32[2,1,1] = constant {value=[0.0625,0.125]}
        %28: float32[1,2,4,4] = multiply(%23, %27)
        %29: float32[] = constant {value=[1]}
        %13: uint8[] = constant {value=[5]}
        %24: uint8[1,2,4,4] = quantize(%28, %29, %13) {axis=0, dtype=uint8}
        %25: uint8[] = constant {value=[5]}
        %26: uint8[1,2,4,4] = maximum(%24, %25)
        %12: float32[] = constant {value=[2]}
        %15: float32[1,2,4,4] = dequantize(%26, %12, %13) {axis=0, dtype=float32}
      })"),
            "");
}

// ONNX's MatMulInteger with a zero point that is computed.
TEST(FakeQuantizationToIntegerTest, ProductWithComputedZeroPoint) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[2,2], %z: uint8[]) -> (%7) {
        %1: float32[] = constant {value=[1]}
        %2: float32[2,2] = dequantize(%x, %1, %z) {axis=0, dtype=float32}
        %3: int8[2,3] = constant {value=[1,2,3,4,5,6]}
        %4: int8[] = constant {value=[0]}
        %5: float32[2,3] = dequantize(%3, %1, %4) {axis=1, dtype=float32}
        %6: float32[2,3] = matmul(%2, %5)
        %7: int32[2,3] = cast(%6) {dtype=int32}
      })",
                  R"(
      graph g(%x: uint8[2,2], %z: uint8[]) -> (%7) {
        %3: int8[2,3] = constant {value=[1,2,3,4,5,6]}
        %1: int32[2,3] = matmul(%x, %3)
        %4: int32[1,3] = constant {value=[5,7,9]}
        %5: int32[] = cast(%z) {dtype=int32}
        %6: int32[1,3] = multiply(%4, %5)
        %7: int32[2,3] = subtract(%1, %6)
      })"),
            "");
}

// 255 - 100 is no int8: 128 is taken from the weights, and 28 times the sum of
// each row of %x is added.
TEST(FakeQuantizationToIntegerTest, WeightsFarFromTheirZeroPoint) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[2,2], %z: uint8[]) -> (%7) {
        %1: float32[] = constant {value=[1]}
        %2: float32[2,2] = dequantize(%x, %1, %z) {axis=0, dtype=float32}
        %3: uint8[2,3] = constant {value=[0,255,128,127,129,100]}
        %4: uint8[] = constant {value=[100]}
        %5: float32[2,3] = dequantize(%3, %1, %4) {axis=1, dtype=float32}
        %6: float32[2,3] = matmul(%2, %5)
        %7: int32[2,3] = cast(%6) {dtype=int32}
      })",
                  R"(
      graph g(%x: uint8[2,2], %z: uint8[]) -> (%7) {
        %3: int8[2,3] = constant {value=[-128,127,0,-1,1,-28]}
        %1: int32[2,3] = matmul(%x, %3)
        %4: int32[1,3] = constant {value=[-129,128,-28]}
        %5: int32[] = cast(%z) {dtype=int32}
        %6: int32[1,3] = multiply(%4, %5)
        %8: int32[2,3] = subtract(%1, %6)
        %9: int8[2,1] = constant {value=[1,1]}
        %10: int32[2,1] = matmul(%x, %9)
        %11: int32[1,1] = constant {value=[2]}
        %12: int32[] = cast(%z) {dtype=int32}
        %13: int32[1,1] = multiply(%11, %12)
        %14: int32[2,1] = subtract(%10, %13)
        %15: int32[] = constant {value=[28]}
        %16: int32[2,1] = multiply(%14, %15)
        %7: int32[2,3] = add(%8, %16)
      })"),
            "");
}

// The same with a zero point for each column.
TEST(FakeQuantizationToIntegerTest, WeightsFarFromTheirZeroPoints) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[2,2], %z: uint8[]) -> (%7) {
        %0: float32[] = constant {value=[1]}
        %1: float32[3] = constant {value=[1,1,1]}
        %2: float32[2,2] = dequantize(%x, %0, %z) {axis=0, dtype=float32}
        %3: uint8[2,3] = constant {value=[0,255,128,127,129,100]}
        %4: uint8[3] = constant {value=[100,128,0]}
        %5: float32[2,3] = dequantize(%3, %1, %4) {axis=1, dtype=float32}
        %6: float32[2,3] = matmul(%2, %5)
        %7: int32[2,3] = cast(%6) {dtype=int32}
      })",
                  R"(
      graph g(%x: uint8[2,2], %z: uint8[]) -> (%7) {
        %3: int8[2,3] = constant {value=[-128,127,0,-1,1,-28]}
        %1: int32[2,3] = matmul(%x, %3)
        %4: int32[1,3] = constant {value=[-129,128,-28]}
        %5: int32[] = cast(%z) {dtype=int32}
        %6: int32[1,3] = multiply(%4, %5)
        %8: int32[2,3] = subtract(%1, %6)
        %9: int8[2,1] = constant {value=[1,1]}
        %10: int32[2,1] = matmul(%x, %9)
        %11: int32[1,1] = constant {value=[2]}
        %12: int32[] = cast(%z) {dtype=int32}
        %13: int32[1,1] = multiply(%11, %12)
        %14: int32[2,1] = subtract(%10, %13)
        %15: int32[3] = constant {value=[28,0,128]}
        %16: int32[2,3] = multiply(%14, %15)
        %7: int32[2,3] = add(%8, %16)
      })"),
            "");
}

TEST(FakeQuantizationToIntegerTest, ComputedOperandsAreCenteredIn16Bits) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[2,2], %y: int8[2,2]) -> (%6) {
        %1: float32[] = constant {value=[0.5]}
        %2: uint8[] = constant {value=[9]}
        %3: int8[] = constant {value=[0]}
        %4: float32[2,2] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %5: float32[2,2] = dequantize(%y, %1, %3) {axis=0, dtype=float32}
        %6: float32[2,2] = matmul(%4, %5)
      })",
                  R"(
      graph g(%x: uint8[2,2], %y: int8[2,2]) -> (%6) {
        %1: int32[2,2] = cast(%x) {dtype=int32}
        %2: int32[] = constant {value=[9]}
        %3: int32[2,2] = subtract(%1, %2)
        %4: int16[2,2] = cast(%3) {dtype=int16}
        %5: int32[2,2] = matmul(%4, %y)
        %8: float32[] = constant {value=[0.25]}
        %7: int32[] = constant {value=[0]}
        %6: float32[2,2] = dequantize(%5, %8, %7) {axis=1, dtype=float32}
      })"),
            "");
}

TEST(FakeQuantizationToIntegerTest, MeansAreSums) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[1,2,2,2]) -> (%6) {
        %1: float32[] = constant {value=[0.5]}
        %2: uint8[] = constant {value=[3]}
        %3: float32[1,2,2,2] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %4: float32[1,2,1,1] = global_avg_pool2d(%3)
        %5: float32[] = constant {value=[0.25]}
        %6: uint8[1,2,1,1] = quantize(%4, %5, %2) {axis=0, dtype=uint8}
      })",
                  R"(
      graph g(%x: uint8[1,2,2,2]) -> (%6) {
        %1: int32[1,2,2,2] = cast(%x) {dtype=int32}
        %3: int32[1,2,1,1] = reduce_sum(%1) {axes=[2,3], keepdims=true}
        %4: int32[] = constant {value=[12]}
        %5: int32[1,2,1,1] = subtract(%3, %4)
        %7: float32[] = constant {value=[0.5]}
        %2: uint8[] = constant {value=[3]}
        %6: uint8[1,2,1,1] = requantize(%5, %7, %2) {axis=0, dtype=uint8}
      })"),
            "");
}

// Equal parameters need no arithmetic at all.
TEST(FakeQuantizationToIntegerTest, MovementAndMaximaOfBytes) {
  EXPECT_EQ(Check(R"(
      graph g(%x: int8[1,2,2,2]) -> (%6) {
        %1: float32[] = constant {value=[0.5]}
        %2: int8[] = constant {value=[3]}
        %3: float32[1,2,2,2] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %4: float32[1,2,1,1] = max_pool2d(%3) {kernel=[2,2], strides=[1,1], padding=[0,0,0,0]}
        %5: float32[1,2] = reshape(%4) {shape=[1,2]}
        %6: int8[1,2] = quantize(%5, %1, %2) {axis=0, dtype=int8}
      })",
                  R"(
      graph g(%x: int8[1,2,2,2]) -> (%6) {
        %4: int8[1,2,1,1] = max_pool2d(%x) {kernel=[2,2], strides=[1,1], padding=[0,0,0,0]}
        %6: int8[1,2] = reshape(%4) {shape=[1,2]}
      })"),
            "");
}

// x * sigmoid(x) on the 256 values of a byte.
TEST(FakeQuantizationToIntegerTest, FunctionsOfOneTensorAreTables) {
  const std::string text = R"(
      graph g(%x: int8[3]) -> (%6) {
        %1: float32[] = constant {value=[0.125]}
        %2: int8[] = constant {value=[3]}
        %3: float32[3] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %4: float32[3] = sigmoid(%3)
        %5: float32[3] = multiply(%3, %4)
        %6: int8[3] = quantize(%5, %1, %2) {axis=0, dtype=int8}
      })";
  const std::unique_ptr<Graph> before = GraphFromText(text);
  const std::unique_ptr<Graph> after = GraphFromText(text);
  ASSERT_EQ(RunChecked(std::make_unique<FakeQuantizationToInteger>(), *after),
            absl::OkStatus());
  EXPECT_EQ(after->outputs()[0].value.node->kind(), OpKind::kGather);
  for (int i = -128; i < 128; ++i) {
    const auto byte = static_cast<int8_t>(i);
    const std::vector<NDArray> inputs = {
        NDArray::FromVector<int8_t>({3}, {byte, byte, byte})};
    EXPECT_TRUE(BitwiseEqual(Evaluate(*before, inputs).value()[0],
                             Evaluate(*after, inputs).value()[0]));
  }
}

// A product of `depth` pairs of bytes whose zero points are 0, quantized, or
// cast to int32 if `wraps`.
std::string ProductOfDepth(int64_t depth, bool wraps) {
  const std::string k = std::to_string(depth);
  return "graph g(%x: uint8[1," + k + "], %w: uint8[" + k + R"(,1]) -> (%6) {
        %1: float32[] = constant {value=[1]}
        %2: uint8[] = constant {value=[0]}
        %3: float32[1,)" +
         k + R"(] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %4: float32[)" +
         k + R"(,1] = dequantize(%w, %1, %2) {axis=0, dtype=float32}
        %5: float32[1,1] = matmul(%3, %4)
        )" +
         (wraps ? "%6: int32[1,1] = cast(%5) {dtype=int32} }"
                : "%6: uint8[1,1] = quantize(%5, %1, %2) {axis=0, "
                  "dtype=uint8} }");
}

// Returns true if the pass turns the only product into one of integers.
bool BecomesInteger(const std::string& text) {
  const std::unique_ptr<Graph> graph = GraphFromText(text);
  EXPECT_EQ(RunChecked(std::make_unique<FakeQuantizationToInteger>(), *graph),
            absl::OkStatus());
  for (const Node* node : graph->Nodes()) {
    if (node->kind() == OpKind::kMatmul) return !node->type().dtype.is_float();
  }
  ADD_FAILURE() << "no product";
  return false;
}

// 255 * 255 * 33,025 is the largest such sum that fits in int32.
TEST(FakeQuantizationToIntegerTest, SumsBeyondInt32StayInFloat) {
  EXPECT_TRUE(BecomesInteger(ProductOfDepth(33025, false)));
  EXPECT_FALSE(BecomesInteger(ProductOfDepth(33026, false)));
  // MatMulInteger wraps around.
  EXPECT_TRUE(BecomesInteger(ProductOfDepth(33026, true)));
}

TEST(FakeQuantizationToIntegerTest, LeavesOtherOperatorsAlone) {
  const std::string text = R"(
      graph g(%x: int8[3]) -> (%5) {
        %1: float32[] = constant {value=[0.125]}
        %2: int8[] = constant {value=[3]}
        %3: float32[3] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %4: float32[3] = softmax(%3) {axis=0}
        %5: int8[3] = quantize(%4, %1, %2) {axis=0, dtype=int8}
      })";
  EXPECT_EQ(Check(text, text), "");
}

}  // namespace
}  // namespace assay::graph
