#include "compiler/ops/kernel/op_strategy.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/list/list_report.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using graph::OpKind;

target::Target ParseTarget(const char* text) {
  const auto target = target::Target::Parse(text);
  CHECK(target.ok()) << target.status();
  return *target;
}

const target::Target& Avx512() {
  static const target::Target target =
      ParseTarget("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4");
  return target;
}

constexpr const char* kBlockedConv = R"(
    graph g(%x: float32[1,16,6,56]@blocks(16), %w: float32[16,16,1,1]@filters(in=16,out=16)) -> (%1) {
      %1: float32[1,16,6,56]@blocks(16) = conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_3"
    })";

TEST(OpStrategyTest, RowsHaveUniqueNames) {
  std::set<std::string> names;
#define ASSAY_COLLECT(kind, text, pattern, attrs, rule)                  \
  for (const Implementation& row : Implementations(OpKind::kind)) {      \
    EXPECT_TRUE(names.insert(row.name).second) << row.name;              \
    EXPECT_EQ(std::string(row.name).rfind(text ".", 0), 0u) << row.name; \
  }
  ASSAY_FOR_EACH_GRAPH_OP(ASSAY_COLLECT)
#undef ASSAY_COLLECT
  EXPECT_GE(names.size(), 5u);
}

// Anchors must have rows; opaque operators may have them.
TEST(OpStrategyTest, EveryAnchorHasAnImplementation){
#define ASSAY_EXPECT(kind, text, pattern, attrs, rule)                      \
  {                                                                         \
    const bool anchor =                                                     \
        graph::OpPattern(OpKind::kind) ==                                   \
            graph::PatternKind::kOutEWiseFusable ||                         \
        graph::OpPattern(OpKind::kind) == graph::PatternKind::kCommReduce;  \
    const bool opaque =                                                     \
        graph::OpPattern(OpKind::kind) == graph::PatternKind::kOpaque;      \
    EXPECT_TRUE(opaque || !Implementations(OpKind::kind).empty() == anchor) \
        << text;                                                            \
  }
    ASSAY_FOR_EACH_GRAPH_OP(ASSAY_EXPECT)
#undef ASSAY_EXPECT
}

TEST(OpStrategyTest, DefaultsArePointsAndFastestComesFirst) {
  const auto graph = graph::GraphFromText(kBlockedConv);
  const OpInstance op = InstanceOf(*graph->outputs()[0].value.node);
  const std::vector<Candidate> candidates = Strategy(op, Avx512());
  ASSERT_FALSE(candidates.empty());
  for (size_t i = 0; i < candidates.size(); ++i) {
    EXPECT_TRUE(candidates[i].space.IndexOf(candidates[i].config).ok());
    if (i > 0) EXPECT_LE(candidates[i - 1].seconds, candidates[i].seconds);
  }
}

// Small windows read each value a few times.
TEST(OpStrategyTest, OnlyLargeWindowsCopyTheirPaddedData) {
  const auto inline_pad = [](const std::string& window) {
    const auto graph = graph::GraphFromText(
        absl::StrCat("graph g(%x: float32[1,64,112,112]@blocks(16)) -> (%1) {\n"
                     "  %1: float32[1,64,112,112]@blocks(16) = max_pool2d(%x) "
                     "{strides=[1,1], ",
                     window, "}\n}"));
    return Strategy(InstanceOf(*graph->outputs()[0].value.node), Avx512())
        .front()
        .config.Knob("inline_pad");
  };
  EXPECT_EQ(inline_pad("kernel=[3,3], padding=[1,1,1,1]"), 1);
  EXPECT_EQ(inline_pad("kernel=[9,9], padding=[4,4,4,4]"), 0);
}

TEST(OpStrategyTest, OptionsChooseImplementationAndConfig) {
  const auto graph = graph::GraphFromText(kBlockedConv);
  KernelOptions options;
  options.implementation = "conv2d.direct_nchwc";
  options.config.SetSplit("tile_ow", {-1, 5});
  const auto kernel = BuildKernel(*graph, Avx512(), options);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->implementation, "conv2d.direct_nchwc");
  EXPECT_EQ(kernel->config.Split("tile_ow")[1], 5);
  EXPECT_NE(kernel->schedule.ToString().find(", 5, shift_inwards)"),
            std::string::npos)
      << kernel->schedule.ToString();
}

TEST(OpStrategyTest, ErrorsNameInvalidOptions) {
  const auto graph = graph::GraphFromText(kBlockedConv);
  KernelOptions options;
  options.config.SetSplit("tile_ow", {-1, 500});
  options.implementation = "conv2d.direct_nchwc";
  EXPECT_TRUE(graph::ErrorHas(
      BuildKernel(*graph, Avx512(), options).status(),
      "`Conv_3` (conv2d), implementation `conv2d.direct_nchwc`: `[-1,500]` is "
      "not a candidate of `tile_ow`"));
  options.implementation = "conv2d.magic";
  EXPECT_TRUE(graph::ErrorHas(
      BuildKernel(*graph, Avx512(), options).status(),
      "`Conv_3` (conv2d): no implementation `conv2d.magic` applies; there is "
      "`conv2d.direct_nchwc`, "
      "`conv2d.im2col_nchwc`"));
}

TEST(OpStrategyTest, ListReportShowsSpacesOfTheTarget) {
  const std::string report = ListReport(Avx512());
  EXPECT_NE(report.find("-mcpu=x86-64-v4"), std::string::npos);
  EXPECT_NE(report.find("conv2d(float32[1,64,56,56]@blocks(16), "),
            std::string::npos);
  EXPECT_NE(report.find("\n  conv2d.direct_nchwc  "), std::string::npos);
  EXPECT_NE(report.find("tile_ow: "), std::string::npos) << report;
}

}  // namespace
}  // namespace assay::ops
