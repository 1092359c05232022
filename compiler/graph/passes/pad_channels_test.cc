#include "compiler/graph/passes/pad_channels.h"

#include <memory>
#include <string>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Integer data in multiples of two channels. Filters in multiples of four if
// the added ones need not be removed, otherwise of two.
class Costs : public TargetCosts {
 public:
  explicit Costs(bool floats) : floats_(floats) {}

  int64_t PaddedChannels(DType dtype, int64_t channels) const override {
    return dtype.is_float() && !floats_ ? channels : (channels + 1) / 2 * 2;
  }
  int64_t PaddedFilters(DType, int64_t filters, bool sliced) const override {
    return sliced ? (filters + 1) / 2 * 2 : (filters + 3) / 4 * 4;
  }

 private:
  const bool floats_;  // pads data of floats, too
};

const Costs kCosts(/*floats=*/false);

std::string Check(const std::string& before, const std::string& after) {
  return CheckPass(std::make_unique<PadChannels>(&kCosts), before, after);
}

// The first convolution gets a fourth filter, which the depthwise convolution
// and the quantization keep. The number of filters of the last one is even.
TEST(PadChannelsTest, ChannelsBetweenConvolutions) {
  EXPECT_EQ(Check(R"(
      graph g(%x: uint8[1,1,2,2]) -> (%11) {
        %1: int8[3,1,1,1] = constant {value=[1,2,3]}
        %2: int32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_0"
        %3: int32[3,1,1] = constant {value=[7,8,9]}
        %4: int32[1,3,2,2] = add(%2, %3)
        %5: float32[] = constant {value=[0.5]}
        %6: uint8[] = constant {value=[5]}
        %7: uint8[1,3,2,2] = requantize(%4, %5, %6) {axis=0, dtype=uint8}
        %8: int8[3,1,1,1] = constant {value=[4,5,6]}
        %9: int32[1,3,2,2] = conv2d(%7, %8) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=3} "Conv_1"
        %12: uint8[1,3,2,2] = requantize(%9, %5, %6) {axis=0, dtype=uint8}
        %10: int8[2,3,1,1] = constant {value=[1,2,3,4,5,6]}
        %11: int32[1,2,2,2] = conv2d(%12, %10) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_2"
      })",
                  R"(
      graph g(%x: uint8[1,1,2,2]) -> (%11) {
        %13: uint8[1,2,2,2] = pad(%x) {before=[0,0,0,0], after=[0,1,0,0]}
        %1: int8[4,2,1,1] = constant {value=[1,0,2,0,3,0,0,0]}
        %2: int32[1,4,2,2] = conv2d(%13, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_0"
        %3: int32[4,1,1] = constant {value=[7,8,9,0]}
        %4: int32[1,4,2,2] = add(%2, %3)
        %5: float32[] = constant {value=[0.5]}
        %6: uint8[] = constant {value=[5]}
        %7: uint8[1,4,2,2] = requantize(%4, %5, %6) {axis=0, dtype=uint8}
        %8: int8[4,1,1,1] = constant {value=[4,5,6,0]}
        %9: int32[1,4,2,2] = conv2d(%7, %8) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=4} "Conv_1"
        %12: uint8[1,4,2,2] = requantize(%9, %5, %6) {axis=0, dtype=uint8}
        %10: int8[2,4,1,1] = constant {value=[1,2,3,0,4,5,6,0]}
        %11: int32[1,2,2,2] = conv2d(%12, %10) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_2"
      })"),
            "");
}

// The operator after the convolution keeps the added channel; the one after it
// needs the number of channels.
TEST(PadChannelsTest, SlicesBeforeOperatorsThatCannotReadThem) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,1,2,2]) -> (%4) {
        %1: float32[5,1,1,1] = constant {value=[1,2,3,4,5]}
        %2: float32[1,5,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,5,2,2] = relu(%2)
        %4: float32[1,20] = reshape(%3) {shape=[1,20]}
      })",
                  R"(
      graph g(%x: float32[1,1,2,2]) -> (%5) {
        %1: float32[6,1,1,1] = constant {value=[1,2,3,4,5,0]}
        %2: float32[1,6,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,6,2,2] = relu(%2)
        %4: float32[1,5,2,2] = slice(%3) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,5,2,2]}
        %5: float32[1,20] = reshape(%4) {shape=[1,20]}
      })"),
            "");
}

// Of three channels, one would be added to the data and one to the result. So
// many are removed at once.
TEST(PadChannelsTest, TransposedConvolutions) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,1,2,2]) -> (%5) {
        %1: float32[3,1,1,1] = constant {value=[1,2,3]}
        %2: float32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[3,1,1,1] = constant {value=[4,5,6]}
        %4: float32[1,1,2,2] = conv2d_transpose(%2, %3) {strides=[1,1], padding=[0,0,0,0], output_padding=[0,0], dilations=[1,1], groups=1}
        %5: float32[1,1,2,2] = relu(%4)
      })",
                  R"(
      graph g(%x: float32[1,1,2,2]) -> (%6) {
        %1: float32[4,1,1,1] = constant {value=[1,2,3,0]}
        %2: float32[1,4,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[4,2,1,1] = constant {value=[4,0,5,0,6,0,0,0]}
        %4: float32[1,2,2,2] = conv2d_transpose(%2, %3) {strides=[1,1], padding=[0,0,0,0], output_padding=[0,0], dilations=[1,1], groups=1}
        %5: float32[1,1,2,2] = slice(%4) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,1,2,2]}
        %6: float32[1,1,2,2] = relu(%5)
      })"),
            "");
}

// Five filters become eight, because the slice copies one pixel. Their number
// would become six if it copied an image.
TEST(PadChannelsTest, SlicesOfOnePixelCostNothing) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,1,2,2]) -> (%3) {
        %1: float32[5,1,1,1] = constant {value=[1,2,3,4,5]}
        %2: float32[1,5,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,5,1,1] = global_avg_pool2d(%2)
      })",
                  R"(
      graph g(%x: float32[1,1,2,2]) -> (%4) {
        %1: float32[8,1,1,1] = constant {value=[1,2,3,4,5,0,0,0]}
        %2: float32[1,8,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,8,1,1] = global_avg_pool2d(%2)
        %4: float32[1,5,1,1] = slice(%3) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,5,1,1]}
      })"),
            "");
}

// A factor for each channel that is computed from the image, as in networks
// with squeeze and excitation.
TEST(PadChannelsTest, FactorsOfChannels) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,1,2,2]) -> (%9) {
        %1: float32[3,1,1,1] = constant {value=[1,2,3]}
        %2: float32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,3,1,1] = global_avg_pool2d(%2)
        %4: float32[3,3,1,1] = constant {value=[1,2,3,4,5,6,7,8,9]}
        %5: float32[1,3,1,1] = conv2d(%3, %4) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %6: float32[1,3,1,1] = sigmoid(%5)
        %7: float32[1,3,2,2] = multiply(%2, %6)
        %8: float32[2,3,1,1] = constant {value=[1,2,3,4,5,6]}
        %9: float32[1,2,2,2] = conv2d(%7, %8) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })",
                  R"(
      graph g(%x: float32[1,1,2,2]) -> (%9) {
        %1: float32[4,1,1,1] = constant {value=[1,2,3,0]}
        %2: float32[1,4,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,4,1,1] = global_avg_pool2d(%2)
        %4: float32[4,4,1,1] = constant {value=[1,2,3,0,4,5,6,0,7,8,9,0,0,0,0,0]}
        %5: float32[1,4,1,1] = conv2d(%3, %4) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %6: float32[1,4,1,1] = sigmoid(%5)
        %7: float32[1,4,2,2] = multiply(%2, %6)
        %8: float32[2,4,1,1] = constant {value=[1,2,3,0,4,5,6,0]}
        %9: float32[1,2,2,2] = conv2d(%7, %8) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })"),
            "");
}

// The logarithm of an added channel is infinite, and infinity times zero is not
// a number.
TEST(PadChannelsTest, AddedChannelsAreFinite) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,1,2,2]) -> (%5) {
        %1: float32[3,1,1,1] = constant {value=[1,2,3]}
        %2: float32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,3,2,2] = log(%2)
        %4: float32[2,3,1,1] = constant {value=[1,2,3,4,5,6]}
        %5: float32[1,2,2,2] = conv2d(%3, %4) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })",
                  R"(
      graph g(%x: float32[1,1,2,2]) -> (%6) {
        %1: float32[4,1,1,1] = constant {value=[1,2,3,0]}
        %2: float32[1,4,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,3,2,2] = slice(%2) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,3,2,2]}
        %4: float32[1,3,2,2] = log(%3)
        %5: float32[2,3,1,1] = constant {value=[1,2,3,4,5,6]}
        %6: float32[1,2,2,2] = conv2d(%4, %5) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })"),
            "");
}

// Channels are not added to an image by a copy.
TEST(PadChannelsTest, OtherImagesAreNotPadded) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,1,2,2], %y: float32[1,3,2,2]) -> (%3) {
        %1: float32[3,1,1,1] = constant {value=[1,2,3]}
        %2: float32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,3,2,2] = add(%2, %y)
      })",
                  R"(
      graph g(%x: float32[1,1,2,2], %y: float32[1,3,2,2]) -> (%4) {
        %1: float32[4,1,1,1] = constant {value=[1,2,3,0]}
        %2: float32[1,4,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,3,2,2] = slice(%2) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,3,2,2]}
        %4: float32[1,3,2,2] = add(%3, %y)
      })"),
            "");
}

// One channel that is broadcast to the channels of another image is not wide.
TEST(PadChannelsTest, BroadcastChannels) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,4,1,1]) -> (%4) {
        %1: float32[1,4,1,1] = constant {value=[1,2,3,4]}
        %2: float32[1,1,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,1,1,1] = sigmoid(%2)
        %4: float32[1,4,1,1] = multiply(%x, %3)
      })",
                  R"(
      graph g(%x: float32[1,4,1,1]) -> (%5) {
        %1: float32[4,4,1,1] = constant {value=[1,2,3,4,0,0,0,0,0,0,0,0,0,0,0,0]}
        %2: float32[1,4,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,4,1,1] = sigmoid(%2)
        %4: float32[1,1,1,1] = slice(%3) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,1,1,1]}
        %5: float32[1,4,1,1] = multiply(%x, %4)
      })"),
            "");
}

// Four filters instead of one would make the second convolution four times as
// slow, so two are computed and one of them is removed.
TEST(PadChannelsTest, ManyAddedChannelsAreNotRead) {
  EXPECT_EQ(Check(R"(
      graph g(%x: float32[1,1,2,2]) -> (%4) {
        %1: float32[1,1,1,1] = constant {value=[1]}
        %2: float32[1,1,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[2,1,1,1] = constant {value=[1,2]}
        %4: float32[1,2,2,2] = conv2d(%2, %3) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })",
                  R"(
      graph g(%x: float32[1,1,2,2]) -> (%5) {
        %1: float32[2,1,1,1] = constant {value=[1,0]}
        %2: float32[1,2,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,1,2,2] = slice(%2) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,1,2,2]}
        %4: float32[2,1,1,1] = constant {value=[1,2]}
        %5: float32[1,2,2,2] = conv2d(%3, %4) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })"),
            "");
}

TEST(PadChannelsTest, DataOfFloats) {
  const Costs costs(/*floats=*/true);
  EXPECT_EQ(CheckPass(std::make_unique<PadChannels>(&costs), R"(
      graph g(%x: float32[1,1,2,2]) -> (%2) {
        %1: float32[2,1,1,1] = constant {value=[1,2]}
        %2: float32[1,2,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })",
                      R"(
      graph g(%x: float32[1,1,2,2]) -> (%3) {
        %1: float32[1,2,2,2] = pad(%x) {before=[0,0,0,0], after=[0,1,0,0]}
        %2: float32[2,2,1,1] = constant {value=[1,0,2,0]}
        %3: float32[1,2,2,2] = conv2d(%1, %2) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })"),
            "");
}

TEST(PadChannelsTest, KeepsSuitableNumbersGroupsAndComputedWeights) {
  const std::string text = R"(
      graph g(%x: uint8[1,2,1,1], %y: float32[1,2,5,5], %v: float32[3,2,3,3]) -> (%2, %4, %6, %7) {
        %1: int8[4,2,1,1] = constant {value=[1,2,3,4,5,6,7,8]}
        %2: int32[1,4,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[4,2,3,3] = constant {fill=0.5}
        %4: float32[1,4,3,3] = conv2d(%y, %3) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %5: float32[2,1,3,3] = constant {fill=0.5}
        %6: float32[1,2,3,3] = conv2d(%y, %5) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=2}
        %7: float32[1,3,3,3] = conv2d(%y, %v) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })";
  EXPECT_EQ(Check(text, text), "");
}

TEST(PadChannelsTest, PreservesResultsOfRandomGraphs) {
  const auto passes = [] {
    PassList list;
    list.push_back(std::make_unique<PadChannels>(&kCosts));
    return list;
  };
  EXPECT_EQ(CheckOnRandomGraphs(passes, 20), "");
}

}  // namespace
}  // namespace assay::graph
