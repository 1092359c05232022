#include "compiler/graph/passes/fold_pads.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

constexpr char kWeights[] = "%1: float32[2,1,3,3] = constant {fill=0.5}\n";
constexpr char kPad[] =
    "%2: float32[1,1,7,6] = pad(%x) {before=[0,0,1,0], after=[0,0,2,2]}\n";

std::string Net(absl::string_view nodes) {
  return absl::StrCat("graph g(%x: float32[1,1,4,4]) -> (%9) {", nodes, "}");
}

std::string Check(absl::string_view before, absl::string_view after) {
  return CheckPass(std::make_unique<FoldPads>(), Net(before), Net(after));
}

TEST(FoldPadsTest, FoldsIntoConvolution) {
  EXPECT_EQ(
      Check(absl::StrCat(kWeights, kPad,
                         "%9: float32[1,2,7,4] = conv2d(%2, %1) {strides=[1,1],"
                         " padding=[1,0,1,0], dilations=[1,1], groups=1}"),
            absl::StrCat(kWeights,
                         "%9: float32[1,2,7,4] = conv2d(%x, %1) {strides=[1,1],"
                         " padding=[2,0,3,2], dilations=[1,1], groups=1}")),
      "");
}

TEST(FoldPadsTest, FoldsOnlyZerosOfHeightAndWidth) {
  const std::string value = absl::StrCat(
      kWeights,
      "%2: float32[1,1,6,6] = pad(%x) {before=[0,0,1,1], after=[0,0,1,1], "
      "value=1}\n",
      "%9: float32[1,2,4,4] = conv2d(%2, %1) {strides=[1,1], "
      "padding=[0,0,0,0], dilations=[1,1], groups=1}");
  EXPECT_EQ(Check(value, value), "");
  const std::string channels = absl::StrCat(
      "%1: float32[2,2,3,3] = constant {fill=0.5}\n"
      "%2: float32[1,2,4,4] = pad(%x) {before=[0,1,0,0], after=[0,0,0,0]}\n"
      "%9: float32[1,2,2,2] = conv2d(%2, %1) {strides=[1,1], "
      "padding=[0,0,0,0], dilations=[1,1], groups=1}");
  EXPECT_EQ(Check(channels, channels), "");
}

// 0 times an infinite weight is NaN, but padding adds nothing to a sum.
TEST(FoldPadsTest, KeepsPadOfUnknownOrInfiniteWeights) {
  const auto conv = [](absl::string_view weights) {
    return absl::StrCat(kPad, "%9: float32[1,2,5,4] = conv2d(%2, ", weights,
                        ") {strides=[1,1], padding=[0,0,0,0], "
                        "dilations=[1,1], groups=1}");
  };
  const std::string infinite =
      absl::StrCat("%1: float32[2,1,3,3] = constant {fill=inf}\n", conv("%1"));
  EXPECT_EQ(Check(infinite, infinite), "");
  const std::string computed =
      absl::StrCat("graph g(%x: float32[1,1,4,4], %w: float32[2,1,3,3]) -> ",
                   "(%9) {", conv("%w"), "}");
  EXPECT_EQ(CheckPass(std::make_unique<FoldPads>(), computed, computed), "");
}

// A pad with `value`, and a convolution with `padding`, which pads with 3.
std::string Integers(int value, absl::string_view padding) {
  return absl::StrCat(
      "graph g(%x: int8[1,1,4,4]) -> (%9) {\n"
      "%1: int8[2,1,3,3] = constant {fill=2}\n"
      "%2: int8[1,1,6,6] = pad(%x) {before=[0,0,1,1], after=[0,0,1,1], value=",
      value, "}\n%9: int32[1,2,", padding == "0,0,0,0" ? "4,4" : "6,6",
      "] = conv2d(%2, %1) {strides=[1,1], padding=[", padding,
      "], dilations=[1,1], groups=1, pad_value=3}\n}");
}

std::string Folded(absl::string_view extents, absl::string_view padding,
                   absl::string_view value) {
  return absl::StrCat(
      "graph g(%x: int8[1,1,4,4]) -> (%9) {\n"
      "%1: int8[2,1,3,3] = constant {fill=2}\n%9: int32[1,2,",
      extents, "] = conv2d(%x, %1) {strides=[1,1], padding=[", padding,
      "], dilations=[1,1], groups=1", value, "}\n}");
}

std::string CheckText(absl::string_view before, absl::string_view after) {
  return CheckPass(std::make_unique<FoldPads>(), before, after);
}

// Without padding of its own the convolution takes the value of the pad, which
// is the zero point of quantized data.
TEST(FoldPadsTest, FoldsIntegers) {
  EXPECT_EQ(CheckText(Integers(5, "0,0,0,0"),
                      Folded("4,4", "1,1,1,1", ", pad_value=5")),
            "");
  EXPECT_EQ(CheckText(Integers(0, "0,0,0,0"), Folded("4,4", "1,1,1,1", "")),
            "");
  EXPECT_EQ(CheckText(Integers(3, "1,1,1,1"),
                      Folded("6,6", "2,2,2,2", ", pad_value=3")),
            "");
  for (const int value : {0, 5}) {
    const std::string kept = Integers(value, "1,1,1,1");
    EXPECT_EQ(CheckText(kept, kept), "") << value;
  }
  const std::string outside = Integers(128, "0,0,0,0");
  EXPECT_EQ(CheckText(outside, outside), "");
}

std::string Pool(absl::string_view kind, absl::string_view value) {
  return absl::StrCat(
      "%1: float32[1,1,4,4] = relu(%x)\n"
      "%2: float32[1,1,6,6] = pad(%1) {before=[0,0,1,1], after=[0,0,1,1]",
      value, "}\n%9: float32[1,1,4,4] = ", kind,
      "(%2) {kernel=[3,3], strides=[1,1], padding=[0,0,0,0]}");
}

TEST(FoldPadsTest, FoldsIntoPoolings) {
  const std::string relu = "%1: float32[1,1,4,4] = relu(%x)\n";
  EXPECT_EQ(Check(Pool("avg_pool2d", ""),
                  absl::StrCat(relu,
                               "%9: float32[1,1,4,4] = avg_pool2d(%1) "
                               "{kernel=[3,3], strides=[1,1], "
                               "padding=[1,1,1,1], count_include_pad=true}")),
            "");
  // Non-negative data are at least the zeros of the padding.
  for (const char* value : {"", ", value=-inf"}) {
    EXPECT_EQ(Check(Pool("max_pool2d", value),
                    absl::StrCat(relu,
                                 "%9: float32[1,1,4,4] = max_pool2d(%1) "
                                 "{kernel=[3,3], strides=[1,1], "
                                 "padding=[1,1,1,1]}")),
              "");
  }
  const std::string other = Pool("max_pool2d", ", value=2");
  EXPECT_EQ(Check(other, other), "");
}

TEST(FoldPadsTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(CheckOnRandomGraphs(
                [] {
                  PassList passes;
                  passes.push_back(std::make_unique<FoldPads>());
                  return passes;
                },
                60),
            "");
}

}  // namespace
}  // namespace assay::graph
