#include "compiler/graph/passes/copy_outputs.h"

#include <memory>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(CopyOutputsTest, CopiesInputsAndConstants) {
  EXPECT_EQ(CheckPass(std::make_unique<CopyOutputs>(),
                      R"(graph g(%x: float32[2]) -> (a=%x, b=%1, c=%2) {
            %1: int64[] = constant {value=[3]}
            %2: float32[2] = relu(%x)
          })",
                      R"(graph g(%x: float32[2]) -> (a=%3, b=%4, c=%2) {
            %1: int64[] = constant {value=[3]}
            %2: float32[2] = relu(%x)
            %3: float32[2] = reshape(%x) {shape=[2]}
            %4: int64[] = reshape(%1) {shape=[]}
          })"),
            "");
}

TEST(CopyOutputsTest, CopiesRepeatedOutputs) {
  EXPECT_EQ(
      CheckPass(std::make_unique<CopyOutputs>(),
                R"(graph g(%x: float32[2]) -> (a=%1, b=%1, c=%x, d=%x, e=%1) {
            %1: float32[2] = relu(%x)
            %2: float32[2] = exp(%1)
          })",
                R"(graph g(%x: float32[2]) -> (a=%1, b=%3, c=%4, d=%5, e=%6) {
            %1: float32[2] = relu(%x)
            %2: float32[2] = exp(%1)
            %3: float32[2] = reshape(%1) {shape=[2]}
            %4: float32[2] = reshape(%x) {shape=[2]}
            %5: float32[2] = reshape(%x) {shape=[2]}
            %6: float32[2] = reshape(%1) {shape=[2]}
          })"),
      "");
}

// Two results of one operator are different values. The copy of a bounded
// output has the same extent; the extent is not copied, even though it is a
// data output as well.
TEST(CopyOutputsTest, CopiesBoundedOutputs) {
  EXPECT_EQ(
      CheckPass(
          std::make_unique<CopyOutputs>(),
          R"(graph g(%x: float32[4]) -> (a=%1 {axis=1, extent=%1.1}, n=%1.1, b=%1 {axis=1, extent=%1.1}) {
            %1: (int64[1,4], int64[]) = non_zero(%x)
          })",
          R"(graph g(%x: float32[4]) -> (a=%1 {axis=1, extent=%1.1}, n=%1.1, b=%2 {axis=1, extent=%1.1}) {
            %1: (int64[1,4], int64[]) = non_zero(%x)
            %2: int64[1,4] = reshape(%1) {shape=[1,4]}
          })"),
      "");
}

TEST(CopyOutputsTest, KeepsOutputsWithoutElements) {
  const char* text = R"(graph g(%x: float32[0]) -> (a=%x, b=%x, c=%1) {
      %1: int64[2,0] = constant {value=[]}
    })";
  EXPECT_EQ(CheckPass(std::make_unique<CopyOutputs>(), text, text), "");
}

TEST(CopyOutputsTest, KeepsComputedOutputs) {
  const char* text = R"(graph g(%x: float32[2]) -> (a=%1, b=%2) {
      %1: float32[2] = relu(%x)
      %2: float32[2] = relu(%1)
    })";
  EXPECT_EQ(CheckPass(std::make_unique<CopyOutputs>(), text, text), "");
}

TEST(CopyOutputsTest, PreservesResultsOfRandomGraphs) {
  const auto passes = [] {
    PassList list;
    list.push_back(std::make_unique<CopyOutputs>());
    return list;
  };
  EXPECT_EQ(CheckOnRandomGraphs(passes, 20), "");
}

}  // namespace
}  // namespace assay::graph
