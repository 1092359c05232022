#include "compiler/graph/passes/crop_filters.h"

#include <memory>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

std::string Check(const char* before, const char* after) {
  return CheckPass(std::make_unique<CropFilters>(), before, after);
}

TEST(CropFiltersTest, KeepsMiddleTapForOnePixel) {
  EXPECT_EQ(Check(R"(graph g(%x: float32[1,2,1,1]) -> (%2) {
    %1: float32[3,2,3,3] = constant {fill=0.5}
    %2: float32[1,3,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1} "head"
  })",
                  R"(graph g(%x: float32[1,2,1,1]) -> (%3) {
    %1: float32[3,2,3,3] = constant {fill=0.5}
    %2: float32[3,2,1,1] = slice(%1) {begins=[0,0,1,1], steps=[1,1,1,1], sizes=[3,2,1,1]}
    %3: float32[1,3,1,1] = conv2d(%x, %2) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "head"
  })"),
            "");
}

// Rows: of five taps with dilation 4 over six rows, the outer ones read padding
// only. Columns: the stride skips the pixels of the last tap; one end is
// padded.
TEST(CropFiltersTest, CropsAxesAndEndsIndependently) {
  EXPECT_EQ(Check(R"(graph g(%x: float32[1,4,6,3]) -> (%2) {
    %1: float32[4,2,5,2] = constant {fill=0.5}
    %2: float32[1,4,6,1] = conv2d(%x, %1) {strides=[1,4], padding=[8,0,8,3], dilations=[4,3], groups=2}
  })",
                  R"(graph g(%x: float32[1,4,6,3]) -> (%3) {
    %1: float32[4,2,5,2] = constant {fill=0.5}
    %2: float32[4,2,3,1] = slice(%1) {begins=[0,0,1,0], steps=[1,1,1,1], sizes=[4,2,3,1]}
    %3: float32[1,4,6,1] = conv2d(%x, %2) {strides=[1,4], padding=[4,0,4,0], dilations=[4,3], groups=2}
  })"),
            "");
}

TEST(CropFiltersTest, KeepsTapsThatReadData) {
  const char* text =
      R"(graph g(%x: float32[1,2,2,2], %w: float32[3,2,3,3], %y: float32[1,2,1,1]) -> (%2, %3) {
    %1: float32[3,2,3,3] = constant {fill=0.5}
    %2: float32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
    %3: float32[1,3,1,1] = conv2d(%y, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
  })";
  EXPECT_EQ(Check(text, text), "");
}

// Padding with the zero point of quantized data is part of the sums.
TEST(CropFiltersTest, KeepsTapsThatReadOtherPadding) {
  const char* text =
      R"(graph g(%x: int8[1,1,1,1]) -> (%2) {
    %1: int8[1,1,3,1] = constant {value=[1,2,3]}
    %2: int32[1,1,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[1,0,1,0], dilations=[1,1], groups=1, pad_value=1}
  })";
  EXPECT_EQ(Check(text, text), "");
}

TEST(CropFiltersTest, PreservesResultsOfRandomGraphs) {
  const auto passes = [] {
    PassList list;
    list.push_back(std::make_unique<CropFilters>());
    return list;
  };
  EXPECT_EQ(CheckOnRandomGraphs(passes, 20), "");
}

}  // namespace
}  // namespace assay::graph
