#include "compiler/graph/passes/pad_filters.h"

#include <memory>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

int64_t MultipleOfFour(int64_t filters) { return (filters + 3) / 4 * 4; }

TEST(PadFiltersTest, AddsFiltersAndDropsTheirResults) {
  EXPECT_EQ(CheckPass(std::make_unique<PadFilters>(MultipleOfFour),
                      R"(graph g(%x: float32[1,2,5,5]) -> (%3) {
            %1: float32[3,2,3,3] = constant {fill=0.5}
            %2: float32[1,3,3,3] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
            %3: float32[1,3,3,3] = relu(%2)
          })",
                      R"(graph g(%x: float32[1,2,5,5]) -> (%5) {
            %1: float32[3,2,3,3] = constant {fill=0.5}
            %2: float32[4,2,3,3] = pad(%1) {before=[0,0,0,0], after=[1,0,0,0]}
            %3: float32[1,4,3,3] = conv2d(%x, %2) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
            %4: float32[1,3,3,3] = slice(%3) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,3,3,3]}
            %5: float32[1,3,3,3] = relu(%4)
          })"),
            "");
}

TEST(PadFiltersTest, KeepsSuitableNumbersAndGroups) {
  const char* text =
      R"(graph g(%x: float32[1,2,5,5], %v: float32[3,2,3,3]) -> (%2, %4, %5) {
        %1: float32[4,2,3,3] = constant {fill=0.5}
        %2: float32[1,4,3,3] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[2,1,3,3] = constant {fill=0.5}
        %4: float32[1,2,3,3] = conv2d(%x, %3) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=2}
        %5: float32[1,3,3,3] = conv2d(%x, %v) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })";
  EXPECT_EQ(CheckPass(std::make_unique<PadFilters>(MultipleOfFour), text, text),
            "");
}

TEST(PadFiltersTest, PreservesResultsOfRandomGraphs) {
  const auto passes = [] {
    PassList list;
    list.push_back(std::make_unique<PadFilters>(MultipleOfFour));
    return list;
  };
  EXPECT_EQ(CheckOnRandomGraphs(passes, 20), "");
}

}  // namespace
}  // namespace assay::graph
