#include "compiler/graph/passes/fold_scale_axis.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/simplify_inference.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

constexpr char kConv[] =
    " {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}\n";

// Graphs of two channels with weights [1,2,3,4] and scale or addend [2,5].
std::string Net(absl::string_view nodes) {
  return absl::StrCat("graph g(%x: float32[1,2,2,2]) -> (%9) {", nodes, "}");
}

std::string Weights(absl::string_view values) {
  return absl::StrCat("%1: float32[2,2,1,1] = constant {value=[", values,
                      "]}\n");
}

std::string Check(absl::string_view before, absl::string_view after) {
  return CheckPass(std::make_unique<FoldScaleAxis>(), Net(before), Net(after));
}

TEST(FoldScaleAxisTest, FoldsScaleOfResultIntoFilters) {
  EXPECT_EQ(Check(absl::StrCat(Weights("1,2,3,4"),
                               "%2: float32[2,1,1] = constant {value=[2,5]}\n"
                               "%3: float32[2,1,1] = constant {value=[7,1]}\n"
                               "%4: float32[1,2,2,2] = conv2d(%x, %1)",
                               kConv,
                               "%5: float32[1,2,2,2] = add(%4, %3)\n"
                               "%6: float32[1,2,2,2] = relu(%5)\n"
                               "%9: float32[1,2,2,2] = multiply(%6, %2)"),
                  absl::StrCat(Weights("2,4,15,20"),
                               "%3: float32[2,1,1] = constant {value=[14,5]}\n"
                               "%4: float32[1,2,2,2] = conv2d(%x, %1)",
                               kConv,
                               "%5: float32[1,2,2,2] = add(%4, %3)\n"
                               "%9: float32[1,2,2,2] = relu(%5)\n")),
            "");
}

TEST(FoldScaleAxisTest, KeepsNegativeScaleBehindRelu) {
  const std::string net =
      absl::StrCat(Weights("1,2,3,4"),
                   "%2: float32[2,1,1] = constant {value=[2,-5]}\n"
                   "%4: float32[1,2,2,2] = conv2d(%x, %1)",
                   kConv,
                   "%6: float32[1,2,2,2] = relu(%4)\n"
                   "%9: float32[1,2,2,2] = multiply(%6, %2)");
  EXPECT_EQ(Check(net, net), "");
}

TEST(FoldScaleAxisTest, FoldsScaleOfDataIntoChannels) {
  EXPECT_EQ(Check(absl::StrCat("%2: float32[2,1,1] = constant {value=[2,4]}\n"
                               "%4: float32[1,2,2,2] = multiply(%x, %2)\n"
                               "%6: float32[1,2,2,2] = relu(%4)\n",
                               Weights("1,2,3,4"),
                               "%9: float32[1,2,2,2] = conv2d(%6, %1)", kConv),
                  absl::StrCat("%6: float32[1,2,2,2] = relu(%x)\n",
                               Weights("2,8,6,16"),
                               "%9: float32[1,2,2,2] = conv2d(%6, %1)", kConv)),
            "");
}

// A sum of the data is not distributed over the products.
TEST(FoldScaleAxisTest, KeepsAddendOfData) {
  const std::string net = absl::StrCat(
      "%2: float32[2,1,1] = constant {value=[2,5]}\n"
      "%3: float32[1,2,2,2] = multiply(%x, %2)\n"
      "%4: float32[1,2,2,2] = add(%3, %2)\n",
      Weights("1,2,3,4"), "%9: float32[1,2,2,2] = conv2d(%4, %1)", kConv);
  EXPECT_EQ(Check(net, net), "");
}

// (x + c) - c rounds x to the precision of c, which a scale would change.
TEST(FoldScaleAxisTest, KeepsScaleBehindRounding) {
  for (const char* constants : {"value=[12582912]", "value=[48]"}) {
    const std::string net = absl::StrCat(
        Weights("1,2,3,4"), "%2: float32[] = constant {", constants,
        "}\n%3: float32[] = constant {value=[0.1]}\n"
        "%4: float32[1,2,2,2] = conv2d(%x, %1)",
        kConv,
        "%5: float32[1,2,2,2] = add(%4, %2)\n"
        "%6: float32[1,2,2,2] = add(%5, %2)\n"
        "%9: float32[1,2,2,2] = multiply(%6, %3)");
    EXPECT_EQ(Check(net, net), "");
  }
  const std::string large =
      absl::StrCat(Weights("1,2,3,4"),
                   "%2: float32[] = constant {value=[12582912]}\n"
                   "%3: float32[] = constant {value=[0.1]}\n"
                   "%4: float32[1,2,2,2] = conv2d(%x, %1)",
                   kConv,
                   "%5: float32[1,2,2,2] = add(%4, %2)\n"
                   "%9: float32[1,2,2,2] = multiply(%5, %3)");
  EXPECT_EQ(Check(large, large), "");
}

// An infinite weight would make NaN of 0.
TEST(FoldScaleAxisTest, KeepsScaleThatOverflows) {
  const std::string net =
      absl::StrCat(Weights("1,2,3,4"),
                   "%2: float32[] = constant {value=[2e38]}\n"
                   "%4: float32[1,2,2,2] = conv2d(%x, %1)",
                   kConv, "%9: float32[1,2,2,2] = multiply(%4, %2)");
  EXPECT_EQ(Check(net, net), "");
}

TEST(FoldScaleAxisTest, FoldsScaleOfDataIntoDense) {
  const char* graph = "graph g(%x: float32[3,2]) -> (%9) {";
  EXPECT_EQ(
      CheckPass(std::make_unique<FoldScaleAxis>(),
                absl::StrCat(graph,
                             "%1: float32[1,2] = constant {value=[1,2]}\n"
                             "%2: float32[2] = constant {value=[3,5]}\n"
                             "%3: float32[3,2] = multiply(%x, %2)\n"
                             "%9: float32[3,1] = dense(%3, %1) }"),
                absl::StrCat(graph,
                             "%1: float32[1,2] = constant {value=[3,10]}\n"
                             "%9: float32[3,1] = dense(%x, %1) }")),
      "");
}

TEST(FoldScaleAxisTest, KeepsScaleIfUnscaledValueHasOtherUsers) {
  const std::string net = absl::StrCat(
      "graph g(%x: float32[1,2,2,2]) -> (%9, %4) {", Weights("1,2,3,4"),
      "%2: float32[2,1,1] = constant {value=[2,5]}\n"
      "%4: float32[1,2,2,2] = conv2d(%x, %1)",
      kConv, "%9: float32[1,2,2,2] = multiply(%4, %2) }");
  EXPECT_EQ(CheckPass(std::make_unique<FoldScaleAxis>(), net, net), "");
}

TEST(FoldScaleAxisTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(CheckOnRandomGraphs(
                [] {
                  PassList passes;
                  passes.push_back(std::make_unique<SimplifyInference>());
                  passes.push_back(std::make_unique<FoldScaleAxis>());
                  return passes;
                },
                150),
            "");
}

}  // namespace
}  // namespace assay::graph
