#include "compiler/ops/kernel/layout_policy.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check.h"
#include "suites/models/catalog.h"

namespace assay::ops {
namespace {

using graph::Conv2dAttrs;
using graph::ConvCandidate;
using graph::ConvLayout;
using graph::TensorType;

const target::Target& Avx2() {
  static const target::Target target =
      *target::Target::Parse("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3");
  return target;
}

TensorType Floats(Shape shape) { return {DType::Float32(), std::move(shape)}; }

std::vector<ConvCandidate> Candidates(const Conv2dAttrs& attrs,
                                      const TensorType& data,
                                      const TensorType& weights) {
  return PassOptions(Avx2(), {}).layout.conv(attrs, data, weights);
}

TEST(LayoutPolicyTest, PreferredLayoutComesFirst) {
  Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  const auto candidates =
      Candidates(attrs, Floats({1, 64, 56, 56}), Floats({128, 64, 3, 3}));
  ASSERT_GE(candidates.size(), 3u);
  EXPECT_EQ(candidates[0].layout.in_block, 8);
  EXPECT_EQ(candidates[0].layout.out_block, 8);
  EXPECT_EQ(candidates[0].layout.winograd, 4);
  for (const ConvCandidate& candidate : candidates) {
    EXPECT_GT(candidate.seconds, 0);
    EXPECT_EQ(64 % candidate.layout.in_block, 0);
    EXPECT_EQ(128 % candidate.layout.out_block, 0);
  }
}

TEST(LayoutPolicyTest, DepthwiseConvolutionHasOneCandidate) {
  Conv2dAttrs attrs;
  attrs.groups = 32;
  const auto candidates =
      Candidates(attrs, Floats({1, 32, 56, 56}), Floats({32, 1, 3, 3}));
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates[0].layout.in_block, 8);
  EXPECT_EQ(candidates[0].layout.out_block, 8);
}

TEST(LayoutPolicyTest, FiltersThatFillNoVectorStayPlain) {
  const auto candidates =
      Candidates(Conv2dAttrs(), Floats({1, 3, 8, 8}), Floats({7, 3, 1, 1}));
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates[0].layout.in_block, 0);
}

TEST(LayoutPolicyTest, ConversionTimeGrowsWithTheImage) {
  const auto seconds = PassOptions(Avx2(), {}).layout.transform;
  EXPECT_LT(seconds(Floats({1, 8, 7, 7})), seconds(Floats({1, 64, 56, 56})));
  EXPECT_EQ(seconds(Floats({1, 8, 7, 7})),
            ModelledLayoutTimes(Avx2()).transform(Floats({1, 8, 7, 7})));
}

const target::Target& WithMatrixUnit() {
  static const target::Target target = *target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids");
  return target;
}

TEST(LayoutPolicyTest, SplitsConvolutionsOnAMatrixUnit) {
  Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  const auto candidates = [&](const LayoutPolicy& policy) {
    return PassOptions(WithMatrixUnit(), policy)
        .layout.conv(attrs, Floats({1, 64, 56, 56}), Floats({128, 64, 3, 3}));
  };
  const auto split = candidates({});
  ASSERT_GE(split.size(), 1u);
  EXPECT_EQ(split[0].layout.bfloat16_parts, 2);
  EXPECT_EQ(split[0].layout.winograd, 0);
  EXPECT_EQ(split[0].layout.out_block, 16);
  LayoutPolicy policy;
  policy.split_floats = false;
  const auto whole = candidates(policy);
  ASSERT_GE(whole.size(), 1u);
  for (const ConvCandidate& candidate : whole) {
    EXPECT_EQ(candidate.layout.bfloat16_parts, 0);
  }
  // Without the unit, the default of the policy does not matter.
  for (const ConvCandidate& candidate :
       Candidates(attrs, Floats({1, 64, 56, 56}), Floats({128, 64, 3, 3}))) {
    EXPECT_EQ(candidate.layout.bfloat16_parts, 0);
  }
}

// The columns of the filter are folded if their channels fit in one tile.
TEST(LayoutPolicyTest, FoldsColumnsOfFewChannels) {
  const auto columns = [](int64_t channels, int64_t width) {
    Conv2dAttrs attrs;
    attrs.padding = {3, 3, 3, 3};
    attrs.strides = {2, 2};
    const auto candidates =
        PassOptions(WithMatrixUnit(), {})
            .layout.conv(attrs, Floats({1, channels, 224, 224}),
                         Floats({64, channels, 7, width}));
    EXPECT_EQ(candidates[0].layout.bfloat16_parts, 2);
    return candidates[0].layout.folded_columns;
  };
  EXPECT_EQ(columns(3, 7), 7);
  EXPECT_EQ(columns(4, 7), 7);
  EXPECT_EQ(columns(8, 7), 0);
  EXPECT_EQ(columns(64, 1), 0);
}

TEST(LayoutPolicyTest, MatrixUnitsReadPanelsOfTiles) {
  graph::DenseProduct product;
  product.rows = 64;
  product.units = 100;
  product.depth = 70;
  product.data = product.weights = DType::Float32();
  const auto panels = [&](const target::Target& target,
                          const LayoutPolicy& policy) {
    return PassOptions(target, policy).choose_panels(product);
  };
  LayoutPolicy whole;
  whole.split_floats = false;
  ASSERT_TRUE(panels(WithMatrixUnit(), {}).has_value());
  EXPECT_EQ(panels(WithMatrixUnit(), {})->bfloat16_parts, 2);
  EXPECT_EQ(panels(WithMatrixUnit(), {})->width, 16);
  EXPECT_EQ(panels(WithMatrixUnit(), {})->depth, 96);
  ASSERT_TRUE(panels(WithMatrixUnit(), whole).has_value());
  EXPECT_EQ(panels(WithMatrixUnit(), whole)->bfloat16_parts, 0);
  ASSERT_TRUE(panels(Avx2(), {}).has_value());
  EXPECT_EQ(panels(Avx2(), {})->bfloat16_parts, 0);
  // Products of bytes are exact.
  product.data = DType::UInt(8);
  product.weights = DType::Int(8);
  ASSERT_TRUE(panels(WithMatrixUnit(), whole).has_value());
  EXPECT_EQ(panels(WithMatrixUnit(), whole)->bfloat16_parts, 0);
  EXPECT_EQ(panels(WithMatrixUnit(), whole)->factors, 4);
  EXPECT_EQ(panels(WithMatrixUnit(), whole)->weight_type, DType::Int(8));
  EXPECT_EQ(panels(WithMatrixUnit(), whole)->depth, 128);
  // Few rows do not fill a tile.
  product.data = product.weights = DType::Float32();
  product.rows = 15;
  const auto few = panels(WithMatrixUnit(), {});
  EXPECT_TRUE(!few.has_value() || few->bfloat16_parts == 0);
}

// The layouts that the policy gives to two 3x3 convolutions with a relu
// between them.
std::vector<ConvLayout> PlannedLayouts(const LayoutPolicy& policy) {
  const std::unique_ptr<graph::Graph> graph = graph::GraphFromText(R"(
      graph g(%x: float32[1,64,56,56]) -> (%4) {
        %1: float32[64,64,3,3] = constant {fill=1}
        %2: float32[1,64,56,56] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
        %3: float32[1,64,56,56] = relu(%2)
        %4: float32[1,64,56,56] = conv2d(%3, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
      })");
  const graph::LayoutPlan plan =
      graph::PlanLayouts(*graph, PassOptions(Avx2(), policy).layout);
  std::vector<ConvLayout> layouts;
  for (const graph::Node* node : graph->Nodes()) {
    if (node->kind() != graph::OpKind::kConv2d) continue;
    const auto planned = plan.find(node);
    layouts.push_back(planned == plan.end() ? ConvLayout() : planned->second);
  }
  return layouts;
}

const Conv2dAttrs& AttrsOf(const OpInstance& op) {
  return op.attrs_as<Conv2dAttrs>();
}

TEST(LayoutPolicyTest, MeasuredTimesChooseTheAlgorithm) {
  for (const ConvLayout& modelled : PlannedLayouts({})) {
    EXPECT_EQ(modelled.winograd, 4);
  }
  LayoutPolicy policy;
  policy.times.conv2d = [](const OpInstance& op) -> std::optional<double> {
    return AttrsOf(op).winograd == 0 ? 1e-3 : 2e-3;
  };
  policy.times.transform = [](const TensorType&) { return 1e-5; };
  for (const ConvLayout& measured : PlannedLayouts(policy)) {
    EXPECT_EQ(measured.winograd, 0);
    EXPECT_EQ(measured.in_block, 8);
    EXPECT_EQ(measured.out_block, 8);
  }
}

TEST(LayoutPolicyTest, MeasuredTimesChooseBlocksWithoutMargin) {
  LayoutPolicy policy;
  // Blocks of 16 are faster by less than the margin of modelled times.
  policy.times.conv2d = [](const OpInstance& op) -> std::optional<double> {
    const Conv2dAttrs& attrs = AttrsOf(op);
    if (attrs.winograd != 2) return std::nullopt;
    return attrs.in_block == 16 && attrs.out_block == 16 ? 1e-3 : 1.05e-3;
  };
  policy.times.transform = [](const TensorType&) { return 1e-5; };
  for (const ConvLayout& measured : PlannedLayouts(policy)) {
    EXPECT_EQ(measured.winograd, 2);
    EXPECT_EQ(measured.in_block, 16);
    EXPECT_EQ(measured.out_block, 16);
  }
}

TEST(LayoutPolicyTest, MeasuredTimesChooseBlocksAndAlgorithmTogether) {
  LayoutPolicy policy;
  // With blocks of 8, Winograd's algorithm is faster.
  policy.times.conv2d = [](const OpInstance& op) -> std::optional<double> {
    const Conv2dAttrs& attrs = AttrsOf(op);
    if (attrs.in_block != attrs.out_block) return std::nullopt;
    if (attrs.winograd > 0) return attrs.out_block == 8 ? 2e-3 : 4e-3;
    return attrs.out_block == 8 ? 3e-3 : 1e-3;
  };
  policy.times.transform = [](const TensorType&) { return 1e-5; };
  for (const ConvLayout& measured : PlannedLayouts(policy)) {
    EXPECT_EQ(measured.winograd, 0);
    EXPECT_EQ(measured.in_block, 16);
    EXPECT_EQ(measured.out_block, 16);
  }
  // The first candidate has the preferred blocks.
  Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  const auto candidates =
      PassOptions(Avx2(), policy)
          .layout.conv(attrs, Floats({1, 64, 56, 56}), Floats({64, 64, 3, 3}));
  ASSERT_EQ(candidates.size(), 6u);
  EXPECT_EQ(candidates[0].layout.out_block, 8);
  EXPECT_EQ(candidates[0].layout.winograd, 2);
  EXPECT_EQ(candidates[0].seconds, 2e-3);
}

TEST(LayoutPolicyTest, WithoutAnyTimeTheBlocksAreThePreferredOnes) {
  LayoutPolicy policy;
  policy.times.conv2d = [](const OpInstance&) { return std::nullopt; };
  policy.times.transform = [](const TensorType&) { return 1e-5; };
  for (const ConvLayout& layout : PlannedLayouts(policy)) {
    EXPECT_EQ(layout.winograd, 0);
    EXPECT_EQ(layout.in_block, 8);
    EXPECT_EQ(layout.out_block, 8);
  }
}

// Filters after padding: {sliced, not sliced}.
std::pair<int64_t, int64_t> Padded(const char* cpu, DType dtype,
                                   int64_t filters) {
  const auto target = target::Target::Parse(
      std::string("llvm -mtriple=x86_64-linux-gnu -mcpu=") + cpu);
  CHECK(target.ok()) << target.status();
  const graph::PipelineOptions options = PassOptions(*target, {});
  return {options.pad_channels.filters(dtype, filters, true),
          options.pad_channels.filters(dtype, filters, false)};
}

TEST(LayoutPolicyTest, PadsFiltersToWholeVectors) {
  using Pair = std::pair<int64_t, int64_t>;
  const DType f32 = DType::Float32();
  EXPECT_EQ(Padded("x86-64-v3", f32, 24), Pair(24, 24));
  EXPECT_EQ(Padded("x86-64-v3", f32, 122), Pair(128, 128));
  // Blocks of four channels fill half of each vector.
  EXPECT_EQ(Padded("x86-64-v3", f32, 244), Pair(256, 256));
  EXPECT_EQ(Padded("x86-64-v4", f32, 64), Pair(64, 64));
  // Blocks of twelve channels are two vectors each.
  EXPECT_EQ(Padded("x86-64-v4", f32, 24), Pair(32, 32));
  // Other operators read the result of 7 filters as it is, because most of a
  // vector would be empty. A copy removes the rest.
  const DType u8 = DType::UInt(8);
  EXPECT_EQ(Padded("x86-64-v4", u8, 1000), Pair(1024, 1008));
  EXPECT_EQ(Padded("x86-64-v4", u8, 8), Pair(8, 16));
  EXPECT_EQ(Padded("x86-64-v4", u8, 7), Pair(16, 7));
}

// A large convolution is faster with Winograd's algorithm on four images; for a
// small one, the rearrangements take longer than that saves.
TEST(LayoutPolicyTest, DilatedConvolutionsBecomeSeveralImagesWhereThatPays) {
  const auto pays = [](int64_t channels) {
    Conv2dAttrs dilated;
    dilated.dilations = {2, 2};
    dilated.padding = {2, 2, 2, 2};
    Conv2dAttrs batch;
    batch.padding = {1, 1, 1, 1};
    return PassOptions(Avx2(), {})
        .batch_pays(dilated, Floats({1, channels, 28, 28}), batch,
                    Floats({4, channels, 14, 14}),
                    Floats({channels, channels, 3, 3}));
  };
  EXPECT_TRUE(pays(512));
  EXPECT_FALSE(pays(8));
}

TEST(LayoutPolicyTest, PadsDataWhoseBlocksWouldBeSmall) {
  const auto padded = [](DType dtype, int64_t channels) {
    return PassOptions(Avx2(), {}).pad_channels.data(dtype, channels);
  };
  EXPECT_EQ(padded(DType::Float32(), 122), 128);
  EXPECT_EQ(padded(DType::Float32(), 244), 244);
  EXPECT_EQ(padded(DType::Float32(), 3), 3);
  EXPECT_EQ(padded(DType::UInt(8), 3), 4);
}

TEST(LayoutPolicyTest, ChoosesNoLayoutsWhenSwitchedOff) {
  LayoutPolicy policy;
  policy.choose_layout = false;
  EXPECT_EQ(PassOptions(Avx2(), policy).layout.conv, nullptr);
}

// The kernels of a model of the suites.
std::unique_ptr<graph::Graph> Kernels(const std::string& model,
                                      const char* text) {
  const auto target = target::Target::Parse(text);
  CHECK(target.ok()) << target.status();
  const auto proto = suites::BuildFromCatalog(model, {});
  CHECK(proto.ok()) << proto.status();
  auto graph = frontend::ImportOnnxModel(*proto);
  CHECK(graph.ok()) << graph.status();
  graph::PipelineOptions options = PassOptions(*target, {});
  options.fusion.view_alignment = ASSAY_BUFFER_ALIGNMENT;
  const auto selected = graph::SelectPasses(graph::Pipeline(), {});
  CHECK(selected.ok()) << selected.status();
  const auto passes = graph::MakePasses(selected->names, options);
  CHECK(passes.ok()) << passes.status();
  const absl::Status status = graph::RunPasses(*passes, **graph);
  CHECK(status.ok()) << status;
  return *std::move(graph);
}

bool Computes(const graph::Node& kernel, graph::OpKind kind) {
  if (kernel.kind() != graph::OpKind::kKernel) return false;
  for (const auto& node :
       kernel.attrs_as<graph::KernelAttrs>().body->node_list()) {
    if (node->kind() == kind) return true;
  }
  return false;
}

bool ReadsAnInput(const graph::Node& kernel) {
  for (const graph::Value operand : kernel.inputs()) {
    if (operand.node->kind() == graph::OpKind::kInput) return true;
  }
  return false;
}

// Returns true if a convolution depends on `node`.
bool LeadsToConv2d(const graph::Node* node) {
  std::set<const graph::Node*> seen = {node};
  std::vector<const graph::Node*> pending = {node};
  while (!pending.empty()) {
    const graph::Node* next = pending.back();
    pending.pop_back();
    for (const graph::Use& use : next->users()) {
      if (Computes(*use.user, graph::OpKind::kConv2d)) return true;
      if (seen.insert(use.user).second) pending.push_back(use.user);
    }
  }
  return false;
}

// The suites' models, after all graph passes.
TEST(LayoutPolicyTest, ConvertsNothingBetweenConvolutionsOfModels) {
  for (const char* target :
       {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
        "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4",
        "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53"}) {
    for (const char* model : {"resnet18", "mobilenet_v1", "mobilenet_v2"}) {
      int convolutions = 0;
      const std::unique_ptr<graph::Graph> graph = Kernels(model, target);
      for (const graph::Node* node : graph->Nodes()) {
        convolutions += Computes(*node, graph::OpKind::kConv2d) ? 1 : 0;
        if (!Computes(*node, graph::OpKind::kLayoutTransform)) continue;
        EXPECT_TRUE(ReadsAnInput(*node) || !LeadsToConv2d(node))
            << model << " on " << target << ": " << node->Label();
      }
      EXPECT_GE(convolutions, 20) << model;
    }
  }
}

}  // namespace
}  // namespace assay::ops
