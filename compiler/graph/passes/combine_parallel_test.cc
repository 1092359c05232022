#include "compiler/graph/passes/combine_parallel.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

class AlwaysCombines : public TargetCosts {
 public:
  bool Combines(OpKind, const Attrs&, const TensorType&,
                absl::Span<const TensorType>) const override {
    return true;
  }
};

class NeverCombines : public TargetCosts {
 public:
  bool Combines(OpKind, const Attrs&, const TensorType& data,
                absl::Span<const TensorType> weights) const override {
    EXPECT_EQ(data.ToString(), "float32[1,1,2,2]");
    EXPECT_EQ(weights.size(), 2u);
    return false;
  }
};

const AlwaysCombines kAlways;

constexpr char kConv[] =
    " {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}\n";

std::string Check(absl::string_view before, absl::string_view after) {
  return CheckPass(std::make_unique<CombineParallelConv2d>(&kAlways), before,
                   after);
}

// Two convolutions of %x with additions, followed by `rest`.
std::string TwoBranches(absl::string_view tails) {
  return absl::StrCat(
      "graph g(%x: float32[1,1,2,2]) -> (%8, %9) {\n"
      "%1: float32[1,1,1,1] = constant {value=[2]}\n"
      "%2: float32[2,1,1,1] = constant {value=[3,4]}\n"
      "%3: float32[] = constant {value=[5]}\n"
      "%4: float32[2,1,1] = constant {value=[6,7]}\n"
      "%5: float32[1,1,2,2] = conv2d(%x, %1)",
      kConv, "%6: float32[1,2,2,2] = conv2d(%x, %2)", kConv,
      "%10: float32[1,1,2,2] = add(%5, %3)\n"
      "%11: float32[1,2,2,2] = add(%6, %4)\n",
      tails, "}");
}

constexpr char kCombined[] = R"(
    graph g(%x: float32[1,1,2,2]) -> (%8, %9) {
      %1: float32[3,1,1,1] = constant {value=[2,3,4]}
      %2: float32[1,3,2,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      %3: float32[3,1,1] = constant {value=[5,6,7]}
      %4: float32[1,3,2,2] = add(%2, %3)
)";

TEST(CombineParallelTest, MergesConvolutionsAndCommonSuccessors) {
  EXPECT_EQ(Check(TwoBranches("%8: float32[1,1,2,2] = relu(%10)\n"
                              "%9: float32[1,2,2,2] = relu(%11)\n"),
                  absl::StrCat(kCombined, R"(
      %5: float32[1,3,2,2] = relu(%4)
      %8: float32[1,1,2,2] = slice(%5) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,1,2,2]}
      %9: float32[1,2,2,2] = slice(%5) {begins=[0,1,0,0], steps=[1,1,1,1], sizes=[1,2,2,2]}
    })")),
            "");
}

TEST(CombineParallelTest, DoesNotMergeOperatorWithItself) {
  const char* net = R"(graph g(%x: float32[2,2]) -> (%3) {
      %1: float32[2,2] = constant {value=[1,2,3,4]}
      %2: float32[2,2] = dense(%1, %1)
      %3: float32[2,2] = add(%x, %2)
    })";
  EXPECT_EQ(
      CheckPass(std::make_unique<CombineParallelDense>(&kAlways), net, net),
      "");
}

TEST(CombineParallelTest, KeepsDifferentOperatorsApart) {
  EXPECT_EQ(Check(TwoBranches("%8: float32[1,1,2,2] = relu(%10)\n"
                              "%9: float32[1,2,2,2] = tanh(%11)\n"),
                  absl::StrCat(kCombined, R"(
      %5: float32[1,1,2,2] = slice(%4) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,1,2,2]}
      %8: float32[1,1,2,2] = relu(%5)
      %6: float32[1,2,2,2] = slice(%4) {begins=[0,1,0,0], steps=[1,1,1,1], sizes=[1,2,2,2]}
      %9: float32[1,2,2,2] = tanh(%6)
    })")),
            "");
}

TEST(CombineParallelTest, MergesOnlyWhereItPays) {
  const std::string net = TwoBranches(
      "%8: float32[1,1,2,2] = relu(%10)\n"
      "%9: float32[1,2,2,2] = relu(%11)\n");
  const NeverCombines never;
  EXPECT_EQ(
      CheckPass(std::make_unique<CombineParallelConv2d>(&never), net, net), "");
}

TEST(CombineParallelTest, MergesDenseProducts) {
  EXPECT_EQ(CheckPass(std::make_unique<CombineParallelDense>(&kAlways), R"(
      graph g(%x: float32[1,2]) -> (%8, %9) {
        %1: float32[1,2] = constant {value=[1,2]}
        %2: float32[2,2] = constant {value=[3,4,5,6]}
        %8: float32[1,1] = dense(%x, %1)
        %9: float32[1,2] = dense(%x, %2)
      })",
                      R"(
      graph g(%x: float32[1,2]) -> (%8, %9) {
        %1: float32[3,2] = constant {value=[1,2,3,4,5,6]}
        %2: float32[1,3] = dense(%x, %1)
        %8: float32[1,1] = slice(%2) {begins=[0,0], steps=[1,1], sizes=[1,1]}
        %9: float32[1,2] = slice(%2) {begins=[0,1], steps=[1,1], sizes=[1,2]}
      })"),
            "");
}

TEST(CombineParallelTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(
      CheckOnRandomGraphs(
          [] {
            PassList passes;
            passes.push_back(std::make_unique<CombineParallelConv2d>(&kAlways));
            return passes;
          },
          100),
      "");
}

}  // namespace
}  // namespace assay::graph
