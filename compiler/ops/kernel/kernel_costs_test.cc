#include "compiler/ops/kernel/kernel_costs.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/passes/encoding_plan.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/pipeline/pipeline.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check.h"
#include "suites/models/catalog.h"

namespace assay::ops {
namespace {

using graph::Conv2dAttrs;
using graph::EncodingChoice;
using graph::OpKind;
using graph::TensorType;

const target::Target& Avx2() {
  static const target::Target target =
      *target::Target::Parse("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3");
  return target;
}

TensorType Floats(Shape shape) { return {DType::Float32(), std::move(shape)}; }

std::vector<EncodingChoice> Choices(const target::Target& target,
                                    const KernelCostOptions& options,
                                    const Conv2dAttrs& attrs,
                                    const TensorType& data,
                                    const TensorType& weights) {
  return KernelCosts(target, options)
      .Choices(OpKind::kConv2d, attrs, {data, weights});
}

std::vector<EncodingChoice> Choices(const Conv2dAttrs& attrs,
                                    const TensorType& data,
                                    const TensorType& weights) {
  return Choices(Avx2(), {}, attrs, data, weights);
}

// The encodings of a convolution, as a test asks about them.
struct Layout {
  int64_t in_block = 0, out_block = 0;
  int64_t winograd = 0;
  bool split = false;
  int64_t columns = 0;
};

int64_t BlockIn(const graph::Encoding& encoding) {
  const auto* blocks = std::get_if<graph::ChannelBlocks>(&encoding);
  return blocks == nullptr ? 0 : blocks->block;
}

Layout LayoutOf(const EncodingChoice& choice) {
  Layout layout;
  layout.in_block = BlockIn(choice.operands[0]);
  layout.out_block = BlockIn(choice.result);
  const graph::Encoding& weights = choice.operands[1];
  if (const auto* w = std::get_if<graph::WinogradFilters>(&weights)) {
    layout.winograd = w->m;
  }
  if (const auto* w = std::get_if<graph::SplitFilters>(&weights)) {
    layout.split = true;
    layout.columns = w->columns;
  }
  return layout;
}

Layout LayoutOf(const OpInstance& op) {
  return LayoutOf(EncodingChoice{{op.inputs[0].encoding, op.inputs[1].encoding},
                                 op.output.encoding});
}

TEST(KernelCostsTest, PreferredEncodingsComeFirst) {
  Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  const auto choices =
      Choices(attrs, Floats({1, 64, 56, 56}), Floats({128, 64, 3, 3}));
  ASSERT_GE(choices.size(), 3u);
  EXPECT_EQ(LayoutOf(choices[0]).in_block, 8);
  EXPECT_EQ(LayoutOf(choices[0]).out_block, 8);
  EXPECT_EQ(LayoutOf(choices[0]).winograd, 4);
  for (const EncodingChoice& choice : choices) {
    EXPECT_GT(choice.seconds, 0);
    EXPECT_EQ(64 % LayoutOf(choice).in_block, 0);
    EXPECT_EQ(128 % LayoutOf(choice).out_block, 0);
  }
}

TEST(KernelCostsTest, DepthwiseConvolutionHasOneChoice) {
  Conv2dAttrs attrs;
  attrs.groups = 32;
  const auto choices =
      Choices(attrs, Floats({1, 32, 56, 56}), Floats({32, 1, 3, 3}));
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(LayoutOf(choices[0]).in_block, 8);
  EXPECT_EQ(LayoutOf(choices[0]).out_block, 8);
}

TEST(KernelCostsTest, FiltersThatFillNoVectorStayPlain) {
  const auto choices =
      Choices(Conv2dAttrs(), Floats({1, 3, 8, 8}), Floats({7, 3, 1, 1}));
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_TRUE(IsPlain(choices[0].operands[0]));
  EXPECT_TRUE(IsPlain(choices[0].operands[1]));
  EXPECT_TRUE(IsPlain(choices[0].result));
}

TEST(KernelCostsTest, ConversionTimeGrowsWithTheImage) {
  const KernelCosts costs(Avx2(), {});
  const double small = costs.ConversionSeconds(Floats({1, 8, 7, 7}));
  EXPECT_LT(small, costs.ConversionSeconds(Floats({1, 64, 56, 56})));
  EXPECT_EQ(small, ModelledTimes(Avx2()).conversion(Floats({1, 8, 7, 7})));
}

const target::Target& WithMatrixUnit() {
  static const target::Target target = *target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids");
  return target;
}

TEST(KernelCostsTest, SplitsConvolutionsOnAMatrixUnit) {
  Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  const auto choices = [&](const KernelCostOptions& options) {
    return Choices(WithMatrixUnit(), options, attrs, Floats({1, 64, 56, 56}),
                   Floats({128, 64, 3, 3}));
  };
  const auto split = choices({});
  ASSERT_GE(split.size(), 1u);
  EXPECT_TRUE(LayoutOf(split[0]).split);
  EXPECT_EQ(LayoutOf(split[0]).out_block, 16);
  KernelCostOptions options;
  options.max_error = 0;
  const auto whole = choices(options);
  ASSERT_GE(whole.size(), 1u);
  for (const EncodingChoice& choice : whole) {
    EXPECT_FALSE(LayoutOf(choice).split);
  }
  // Without the unit, the default of the option does not matter.
  for (const EncodingChoice& choice :
       Choices(attrs, Floats({1, 64, 56, 56}), Floats({128, 64, 3, 3}))) {
    EXPECT_FALSE(LayoutOf(choice).split);
  }
}

// The columns of the filter are folded if their channels fit in one tile.
TEST(KernelCostsTest, FoldsColumnsOfFewChannels) {
  const auto columns = [](int64_t channels, int64_t width) {
    Conv2dAttrs attrs;
    attrs.padding = {3, 3, 3, 3};
    attrs.strides = {2, 2};
    const auto choices =
        Choices(WithMatrixUnit(), {}, attrs, Floats({1, channels, 224, 224}),
                Floats({64, channels, 7, width}));
    EXPECT_TRUE(LayoutOf(choices[0]).split);
    return LayoutOf(choices[0]).columns;
  };
  EXPECT_EQ(columns(3, 7), 7);
  EXPECT_EQ(columns(4, 7), 7);
  EXPECT_EQ(columns(8, 7), 0);
  EXPECT_EQ(columns(64, 1), 0);
}

// The panels of a product of 64 rows of 70 elements and 100 columns.
std::optional<graph::Panels> PanelsOf(const target::Target& target,
                                      const KernelCostOptions& options,
                                      DType data, DType weights) {
  const std::vector<TensorType> operands = {{data, {64, 70}},
                                            {weights, {100, 70}}};
  const std::vector<EncodingChoice> choices =
      KernelCosts(target, options)
          .Choices(OpKind::kDense, graph::NoAttrs(), operands);
  if (choices.empty()) return std::nullopt;
  return std::get<graph::Panels>(choices[0].operands[1]);
}

TEST(KernelCostsTest, MatrixUnitsReadPanelsOfTiles) {
  const DType f32 = DType::Float32(), u8 = DType::UInt(8), s8 = DType::Int(8);
  KernelCostOptions whole;
  whole.max_error = 0;
  const auto split = PanelsOf(WithMatrixUnit(), {}, f32, f32);
  ASSERT_TRUE(split.has_value());
  EXPECT_TRUE(split->split);
  EXPECT_TRUE(split->transposed);
  EXPECT_EQ(split->width, 16);
  EXPECT_EQ(split->depth, 96);
  const auto exact = PanelsOf(WithMatrixUnit(), whole, f32, f32);
  ASSERT_TRUE(exact.has_value());
  EXPECT_FALSE(exact->split);
  const auto avx2 = PanelsOf(Avx2(), {}, f32, f32);
  ASSERT_TRUE(avx2.has_value());
  EXPECT_FALSE(avx2->split);
  // Products of bytes are exact.
  const auto bytes = PanelsOf(WithMatrixUnit(), whole, u8, s8);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_FALSE(bytes->split);
  EXPECT_EQ(bytes->factors, 4);
}

// The encodings that two 3x3 convolutions with a relu between them get.
std::vector<Layout> PlannedLayouts(const KernelCostOptions& options) {
  const std::unique_ptr<graph::Graph> graph = graph::GraphFromText(R"(
      graph g(%x: float32[1,64,56,56]) -> (%4) {
        %1: float32[64,64,3,3] = constant {fill=1}
        %2: float32[1,64,56,56] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
        %3: float32[1,64,56,56] = relu(%2)
        %4: float32[1,64,56,56] = conv2d(%3, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
      })");
  const graph::EncodingPlan plan =
      graph::PlanEncodings(*graph, KernelCosts(Avx2(), options));
  std::vector<Layout> layouts;
  for (const graph::Node* node : graph->Nodes()) {
    if (node->kind() != OpKind::kConv2d) continue;
    const auto planned = plan.find(node);
    layouts.push_back(planned == plan.end() ? Layout()
                                            : LayoutOf(planned->second));
  }
  return layouts;
}

TEST(KernelCostsTest, MeasuredTimesChooseTheAlgorithm) {
  for (const Layout& modelled : PlannedLayouts({})) {
    EXPECT_EQ(modelled.winograd, 4);
  }
  KernelCostOptions options;
  options.times.conv2d = [](const OpInstance& op) -> std::optional<double> {
    return LayoutOf(op).winograd == 0 ? 1e-3 : 2e-3;
  };
  options.times.conversion = [](const TensorType&) { return 1e-5; };
  for (const Layout& measured : PlannedLayouts(options)) {
    EXPECT_EQ(measured.winograd, 0);
    EXPECT_EQ(measured.in_block, 8);
    EXPECT_EQ(measured.out_block, 8);
  }
}

TEST(KernelCostsTest, MeasuredTimesChooseBlocksWithoutMargin) {
  KernelCostOptions options;
  // Blocks of 16 are faster by less than the margin of modelled times.
  options.times.conv2d = [](const OpInstance& op) -> std::optional<double> {
    const Layout layout = LayoutOf(op);
    if (layout.winograd != 2) return std::nullopt;
    return layout.in_block == 16 && layout.out_block == 16 ? 1e-3 : 1.05e-3;
  };
  options.times.conversion = [](const TensorType&) { return 1e-5; };
  for (const Layout& measured : PlannedLayouts(options)) {
    EXPECT_EQ(measured.winograd, 2);
    EXPECT_EQ(measured.in_block, 16);
    EXPECT_EQ(measured.out_block, 16);
  }
}

TEST(KernelCostsTest, MeasuredTimesChooseBlocksAndAlgorithmTogether) {
  KernelCostOptions options;
  // With blocks of 8, Winograd's algorithm is faster.
  options.times.conv2d = [](const OpInstance& op) -> std::optional<double> {
    const Layout layout = LayoutOf(op);
    if (layout.in_block != layout.out_block) return std::nullopt;
    if (layout.winograd > 0) return layout.out_block == 8 ? 2e-3 : 4e-3;
    return layout.out_block == 8 ? 3e-3 : 1e-3;
  };
  options.times.conversion = [](const TensorType&) { return 1e-5; };
  for (const Layout& measured : PlannedLayouts(options)) {
    EXPECT_EQ(measured.winograd, 0);
    EXPECT_EQ(measured.in_block, 16);
    EXPECT_EQ(measured.out_block, 16);
  }
  // The first choice has the preferred blocks.
  Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  const auto choices = Choices(Avx2(), options, attrs, Floats({1, 64, 56, 56}),
                               Floats({64, 64, 3, 3}));
  ASSERT_EQ(choices.size(), 6u);
  EXPECT_EQ(LayoutOf(choices[0]).out_block, 8);
  EXPECT_EQ(LayoutOf(choices[0]).winograd, 2);
  EXPECT_EQ(choices[0].seconds, 2e-3);
}

TEST(KernelCostsTest, WithoutAnyTimeTheBlocksAreThePreferredOnes) {
  KernelCostOptions options;
  options.times.conv2d = [](const OpInstance&) { return std::nullopt; };
  options.times.conversion = [](const TensorType&) { return 1e-5; };
  for (const Layout& layout : PlannedLayouts(options)) {
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
  const KernelCosts costs(*target, {});
  return {costs.PaddedFilters(dtype, filters, true),
          costs.PaddedFilters(dtype, filters, false)};
}

TEST(KernelCostsTest, PadsFiltersToWholeVectors) {
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
TEST(KernelCostsTest, DilatedConvolutionsBecomeSeveralImagesWhereThatPays) {
  const auto pays = [](int64_t channels) {
    Conv2dAttrs dilated;
    dilated.dilations = {2, 2};
    dilated.padding = {2, 2, 2, 2};
    Conv2dAttrs batch;
    batch.padding = {1, 1, 1, 1};
    return KernelCosts(Avx2(), {})
        .RunsAsBatch(dilated, Floats({1, channels, 28, 28}), batch,
                     Floats({4, channels, 14, 14}),
                     Floats({channels, channels, 3, 3}));
  };
  EXPECT_TRUE(pays(512));
  EXPECT_FALSE(pays(8));
}

TEST(KernelCostsTest, PadsDataWhoseBlocksWouldBeSmall) {
  const auto padded = [](DType dtype, int64_t channels) {
    return KernelCosts(Avx2(), {}).PaddedChannels(dtype, channels);
  };
  EXPECT_EQ(padded(DType::Float32(), 122), 128);
  EXPECT_EQ(padded(DType::Float32(), 244), 244);
  EXPECT_EQ(padded(DType::Float32(), 3), 3);
  EXPECT_EQ(padded(DType::UInt(8), 3), 4);
}

TEST(KernelCostsTest, ChoosesNoEncodingsWhenSwitchedOff) {
  KernelCostOptions options;
  options.choose_encodings = false;
  EXPECT_TRUE(Choices(Avx2(), options, Conv2dAttrs(), Floats({1, 64, 56, 56}),
                      Floats({64, 64, 3, 3}))
                  .empty());
  EXPECT_FALSE(PanelsOf(Avx2(), options, DType::Float32(), DType::Float32())
                   .has_value());
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
  graph::PipelineOptions options;
  options.costs = std::make_shared<KernelCosts>(*target, KernelCostOptions());
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
TEST(KernelCostsTest, ConvertsNothingBetweenConvolutionsOfModels) {
  for (const char* target :
       {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
        "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4",
        "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53"}) {
    for (const char* model : {"resnet18", "mobilenet_v1", "mobilenet_v2"}) {
      int convolutions = 0;
      const std::unique_ptr<graph::Graph> graph = Kernels(model, target);
      for (const graph::Node* node : graph->Nodes()) {
        convolutions += Computes(*node, graph::OpKind::kConv2d) ? 1 : 0;
        if (!Computes(*node, graph::OpKind::kEncode)) continue;
        EXPECT_TRUE(ReadsAnInput(*node) || !LeadsToConv2d(node))
            << model << " on " << target << ": " << node->Label();
      }
      EXPECT_GE(convolutions, 20) << model;
    }
  }
}

}  // namespace
}  // namespace assay::ops
