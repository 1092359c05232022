#include "compiler/graph/passes/unsigned_data.h"

#include <memory>
#include <string>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

class UnsignedOnly : public TargetCosts {
 public:
  bool MultipliesUnsignedOnly() const override { return true; }
};

std::string Check(const std::string& before, const std::string& after,
                  bool wanted = true) {
  static const UnsignedOnly unsigned_only;
  static const TargetCosts all;
  return CheckPass(
      std::make_unique<UnsignedData>(wanted ? &unsigned_only : &all), before,
      after);
}

constexpr char kConv[] = R"(
      graph g(%x: int32[1,2,3,3]) -> (%7) {
        %1: float32[] = constant {value=[0.5]}
        %2: int8[] = constant {value=[-3]}
        %3: int8[1,2,3,3] = requantize(%x, %1, %2) {axis=0, dtype=int8}
        %4: int8[1,2,2,2] = max_pool2d(%3) {kernel=[2,2], strides=[1,1], padding=[0,0,0,0]}
        %5: int8[1,2,2,2] = constant {value=[1,2,3,4,-5,-6,-7,-8]}
        %6: int32[1,1,3,3] = conv2d(%4, %5) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1, pad_value=-3} "Conv_0"
        %7: float32[1,1,3,3] = cast(%6) {dtype=float32}
      })";

TEST(UnsignedDataTest, MovesThroughOperatorsToProducts) {
  EXPECT_EQ(Check(kConv, R"(
      graph g(%x: int32[1,2,3,3]) -> (%7) {
        %1: float32[] = constant {value=[0.5]}
        %2: uint8[] = constant {value=[125]}
        %3: uint8[1,2,3,3] = requantize(%x, %1, %2) {axis=0, dtype=uint8}
        %4: uint8[1,2,2,2] = max_pool2d(%3) {kernel=[2,2], strides=[1,1], padding=[0,0,0,0]}
        %5: int8[1,2,2,2] = constant {value=[1,2,3,4,-5,-6,-7,-8]}
        %6: int32[1,1,3,3] = conv2d(%4, %5) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1, pad_value=125} "Conv_0"
        %8: int32[1,1,1] = constant {value=[-2048]}
        %9: int32[1,1,3,3] = subtract(%6, %8)
        %7: float32[1,1,3,3] = cast(%9) {dtype=float32}
      })"),
            "");
}

// The constant has a form of uint8, but the input has none.
TEST(UnsignedDataTest, KeepsConstantsBesideSignedInputs) {
  const std::string text = R"(
      graph g(%x: int8[1]) -> (%2) {
        %1: int8[1] = constant {value=[8]}
        %2: int8[2] = concat(%1, %x) {axis=0}
      })";
  EXPECT_EQ(Check(text, text), "");
}

TEST(UnsignedDataTest, OtherTargetsKeepSignedData) {
  EXPECT_EQ(Check(kConv, kConv, false), "");
}

TEST(UnsignedDataTest, ResidualsAreDequantizedFromUnsignedData) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[2]) -> (%4) {
        %1: float32[] = constant {value=[0.5]}
        %2: int8[] = constant {value=[0]}
        %3: int8[2] = quantize(%x, %1, %2) {axis=0, dtype=int8}
        %4: float32[2] = dequantize(%3, %1, %2) {axis=0, dtype=float32}
      })",
                  R"(
      graph g(%x: float32[2]) -> (%4) {
        %1: float32[] = constant {value=[0.5]}
        %2: uint8[] = constant {value=[128]}
        %3: uint8[2] = quantize(%x, %1, %2) {axis=0, dtype=uint8}
        %4: float32[2] = dequantize(%3, %1, %2) {axis=0, dtype=float32}
      })"),
            "");
}

TEST(UnsignedDataTest, DataThatNoProductReadsIsUnchanged) {
  const std::string text = R"(
      graph g(%x: int32[1]) -> (%3) {
        %1: float32[] = constant {value=[3]}
        %2: int8[] = constant {value=[1]}
        %3: int8[1] = requantize(%x, %1, %2) {axis=0, dtype=int8}
      })";
  EXPECT_EQ(Check(text, text), "");
}

// An output of the model keeps its type; the product reads a copy.
TEST(UnsignedDataTest, OutputsStaySigned) {
  EXPECT_EQ(Check(R"(
      graph g(%x: int32[1,2]) -> (%3, %5) {
        %1: float32[] = constant {value=[0.5]}
        %2: int8[] = constant {value=[0]}
        %3: int8[1,2] = requantize(%x, %1, %2) {axis=0, dtype=int8}
        %4: int8[1,2] = constant {value=[3,4]}
        %5: int32[1,1] = dense(%3, %4)
      })",
                  R"(
      graph g(%x: int32[1,2]) -> (%3, %5) {
        %1: float32[] = constant {value=[0.5]}
        %2: int8[] = constant {value=[0]}
        %3: int8[1,2] = requantize(%x, %1, %2) {axis=0, dtype=int8}
        %6: uint8[] = constant {value=[128]}
        %7: uint8[1,2] = requantize(%x, %1, %6) {axis=0, dtype=uint8}
        %4: int8[1,2] = constant {value=[3,4]}
        %8: int32[1,1] = dense(%7, %4)
        %9: int32[1] = constant {value=[896]}
        %5: int32[1,1] = subtract(%8, %9)
      })"),
            "");
}

}  // namespace
}  // namespace assay::graph
