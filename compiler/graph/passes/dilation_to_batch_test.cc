#include "compiler/graph/passes/dilation_to_batch.h"

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

class BatchesPay : public TargetCosts {
 public:
  bool RunsAsBatch(const Conv2dAttrs&, const TensorType&, const Conv2dAttrs&,
                   const TensorType&, const TensorType&) const override {
    return true;
  }
};

std::unique_ptr<Pass> Always() {
  static const BatchesPay costs;
  return std::make_unique<DilationToBatch>(&costs);
}

TEST(DilationToBatchTest, EachRemainderIsAnImage) {
  EXPECT_EQ(CheckPass(Always(), R"(
      graph g(%x: float32[1,2,4,6]) -> (%2) {
        %1: float32[3,2,3,3] = constant {fill=0.5}
        %2: float32[1,3,4,6] = conv2d(%x, %1) {strides=[1,1], padding=[2,3,2,3], dilations=[2,3], groups=1}
      })",
                      R"(
      graph g(%x: float32[1,2,4,6]) -> (%8) {
        %1: float32[3,2,3,3] = constant {fill=0.5}
        %2: float32[1,2,2,2,2,3] = reshape(%x) {shape=[1,2,2,2,2,3]}
        %3: float32[2,3,1,2,2,2] = transpose(%2) {perm=[3,5,0,1,2,4]}
        %4: float32[6,2,2,2] = reshape(%3) {shape=[6,2,2,2]}
        %5: float32[6,3,2,2] = conv2d(%4, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
        %6: float32[2,3,1,3,2,2] = reshape(%5) {shape=[2,3,1,3,2,2]}
        %7: float32[1,3,2,2,2,3] = transpose(%6) {perm=[2,3,4,0,5,1]}
        %8: float32[1,3,4,6] = reshape(%7) {shape=[1,3,4,6]}
      })"),
            "");
}

// Strides, groups, computed weights, and extents or padding that the dilation
// does not divide.
TEST(DilationToBatchTest, OtherConvolutionsStay) {
  const std::string text = R"(
      graph g(%x: float32[1,2,4,4], %y: float32[1,2,5,4], %v: float32[3,2,3,3]) -> (%2, %3, %5, %6, %7, %8) {
        %1: float32[3,2,3,3] = constant {fill=0.5}
        %2: float32[1,3,2,2] = conv2d(%x, %1) {strides=[2,2], padding=[2,2,2,2], dilations=[2,2], groups=1}
        %3: float32[1,3,4,4] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
        %4: float32[2,1,3,3] = constant {fill=0.5}
        %5: float32[1,2,4,4] = conv2d(%x, %4) {strides=[1,1], padding=[2,2,2,2], dilations=[2,2], groups=2}
        %6: float32[1,3,4,4] = conv2d(%x, %v) {strides=[1,1], padding=[2,2,2,2], dilations=[2,2], groups=1}
        %7: float32[1,3,5,4] = conv2d(%y, %1) {strides=[1,1], padding=[2,2,2,2], dilations=[2,2], groups=1}
        %8: float32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[2,2], groups=1}
      })";
  EXPECT_EQ(CheckPass(Always(), text, text), "");
}

// Two images, and padding that differs at the four sides.
TEST(DilationToBatchTest, PreservesResults) {
  std::vector<int> weights(36);
  std::iota(weights.begin(), weights.end(), -17);
  const std::unique_ptr<Graph> graph = GraphFromText(
      absl::StrCat("graph g(%x: float32[2,2,6,8]) -> (%2) {\n"
                   "%1: float32[3,2,3,2] = constant {value=[",
                   absl::StrJoin(weights, ","),
                   "]}\n%2: float32[2,3,8,8] = conv2d(%x, %1) {strides=[1,1], "
                   "padding=[4,2,2,0], dilations=[2,2], groups=1}\n}"));
  const std::vector<NDArray> inputs = RandomInputs(*graph, 5);
  const auto before = Evaluate(*graph, inputs);
  bool changed = false;
  const absl::Status status = RunChecked(Always(), *graph, &changed);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_TRUE(changed);
  const auto after = Evaluate(*graph, inputs);
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_LT(MaxError(*after, *before), 1e-6);
}

}  // namespace
}  // namespace assay::graph
