#include "compiler/graph/passes/pad_integer_channels.h"

#include <memory>
#include <string>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Data in multiples of two channels, and filters in multiples of four.
std::string Check(const std::string& before, const std::string& after) {
  IntegerChannels choose;
  choose.data = [](int64_t channels) { return (channels + 1) / 2 * 2; };
  choose.filters = [](int64_t filters) { return (filters + 3) / 4 * 4; };
  return CheckPass(std::make_unique<PadIntegerChannels>(choose), before, after);
}

// The first convolution gets a fourth filter, which the depthwise convolution
// and the quantization keep. The result of the last one is an output, so it
// gets no filters.
TEST(PadIntegerChannelsTest, ChannelsBetweenConvolutions) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[1,1,1,1]) -> (%11) {
        %1: int8[3,1,1,1] = constant {value=[1,2,3]}
        %2: int32[1,3,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_0"
        %3: int32[3,1,1] = constant {value=[7,8,9]}
        %4: int32[1,3,1,1] = add(%2, %3)
        %5: float32[] = constant {value=[0.5]}
        %6: uint8[] = constant {value=[5]}
        %7: uint8[1,3,1,1] = requantize(%4, %5, %6) {axis=0, dtype=uint8}
        %8: int8[3,1,1,1] = constant {value=[4,5,6]}
        %9: int32[1,3,1,1] = conv2d(%7, %8) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=3} "Conv_1"
        %12: uint8[1,3,1,1] = requantize(%9, %5, %6) {axis=0, dtype=uint8}
        %10: int8[3,3,1,1] = constant {value=[1,2,3,4,5,6,7,8,9]}
        %11: int32[1,3,1,1] = conv2d(%12, %10) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_2"
      })",
                  R"(
      graph g(%x: uint8[1,1,1,1]) -> (%11) {
        %13: uint8[1,2,1,1] = pad(%x) {before=[0,0,0,0], after=[0,1,0,0]}
        %1: int8[4,2,1,1] = constant {value=[1,0,2,0,3,0,0,0]}
        %2: int32[1,4,1,1] = conv2d(%13, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_0"
        %3: int32[4,1,1] = constant {value=[7,8,9,0]}
        %4: int32[1,4,1,1] = add(%2, %3)
        %5: float32[] = constant {value=[0.5]}
        %6: uint8[] = constant {value=[5]}
        %7: uint8[1,4,1,1] = requantize(%4, %5, %6) {axis=0, dtype=uint8}
        %8: int8[4,1,1,1] = constant {value=[4,5,6,0]}
        %9: int32[1,4,1,1] = conv2d(%7, %8) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=4} "Conv_1"
        %12: uint8[1,4,1,1] = requantize(%9, %5, %6) {axis=0, dtype=uint8}
        %10: int8[3,4,1,1] = constant {value=[1,2,3,0,4,5,6,0,7,8,9,0]}
        %11: int32[1,3,1,1] = conv2d(%12, %10) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_2"
      })"),
            "");
}

TEST(PadIntegerChannelsTest, FloatsAndSuitableNumbersStay) {
  const std::string text = R"(
      graph g(%x: uint8[1,2,1,1], %y: float32[1,3,1,1]) -> (%3, %4) {
        %1: int8[4,2,1,1] = constant {value=[1,2,3,4,5,6,7,8]}
        %2: float32[1,3,1,1] = constant {value=[1,2,3]}
        %3: int32[1,4,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %4: float32[1,1,1,1] = conv2d(%y, %2) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })";
  EXPECT_EQ(Check(text, text), "");
}

}  // namespace
}  // namespace assay::graph
