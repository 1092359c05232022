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
