#include "compiler/graph/passes/flatten_matmul.h"

#include <memory>
#include <string>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

std::string Check(absl::string_view before, absl::string_view after) {
  return CheckPass(std::make_unique<FlattenMatmul>(), before, after);
}

TEST(FlattenMatmulTest, MergesLeadingAxesIntoRows) {
  EXPECT_EQ(Check(R"(graph g(%x: float32[2,3,4]) -> (%2) {
            %1: float32[4,8] = constant {fill=0.5}
            %2: float32[2,3,8] = matmul(%x, %1) "MatMul_0"
          })",
                  R"(graph g(%x: float32[2,3,4]) -> (%5) {
            %1: float32[4,8] = constant {fill=0.5}
            %3: float32[6,4] = reshape(%x) {shape=[6,4]} "MatMul_0"
            %4: float32[6,8] = matmul(%3, %1) "MatMul_0"
            %5: float32[2,3,8] = reshape(%4) {shape=[2,3,8]} "MatMul_0"
          })"),
            "");
}

TEST(FlattenMatmulTest, AVectorIsOneRow) {
  EXPECT_EQ(Check(R"(graph g(%x: int32[1,1,4]) -> (%2) {
            %1: int32[4,8] = constant {fill=2}
            %2: int32[1,1,8] = matmul(%x, %1)
          })",
                  R"(graph g(%x: int32[1,1,4]) -> (%5) {
            %1: int32[4,8] = constant {fill=2}
            %3: int32[1,4] = reshape(%x) {shape=[1,4]}
            %4: int32[1,8] = matmul(%3, %1)
            %5: int32[1,1,8] = reshape(%4) {shape=[1,1,8]}
          })"),
            "");
}

TEST(FlattenMatmulTest, KeepsOtherProducts) {
  const char* text =
      R"(graph g(%x: float32[2,3], %y: float32[4,2,3], %v: float32[3,5]) -> (%3, %4, %5) {
        %1: float32[3,5] = constant {fill=0.5}
        %2: float32[4,3,5] = constant {fill=0.5}
        %3: float32[2,5] = matmul(%x, %1)
        %4: float32[4,2,5] = matmul(%y, %v)
        %5: float32[4,2,5] = matmul(%y, %2)
      })";
  EXPECT_EQ(Check(text, text), "");
}

TEST(FlattenMatmulTest, PreservesResultsOfRandomGraphs) {
  const auto passes = [] {
    PassList list;
    list.push_back(std::make_unique<FlattenMatmul>());
    return list;
  };
  EXPECT_EQ(CheckOnRandomGraphs(passes, 20), "");
}

}  // namespace
}  // namespace assay::graph
