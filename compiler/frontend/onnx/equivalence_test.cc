// A network has the same results in every export style.
//
// The reference interpreter computes in an order that depends on the graph
// only. Styles that do not change numbers must therefore agree bit for bit;
// only folding BatchNormalization into weights rounds differently.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/verifier.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"
#include "suites/models/model_file.h"
#include "suites/models/resnet.h"

namespace assay::frontend {
namespace {

using suites::ExportStyle;
using suites::FlattenStyle;
using suites::ResNetOptions;

NDArray Input() {
  NDArray input(DType::Float32(), {1, 3, 32, 32});
  Rng(/*seed=*/7).FillNormal(input, 0.0f, 1.0f);
  return input;
}

// The logits of the graph for Input(), after verifying the graph.
NDArray Answer(const absl::StatusOr<std::unique_ptr<graph::Graph>>& graph) {
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return NDArray();
  EXPECT_TRUE(graph::Verify(**graph).ok()) << graph::Verify(**graph);
  const auto result = graph::Evaluate(**graph, {Input()});
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? (*result)[0] : NDArray();
}

NDArray AnswerOf(const ExportStyle& style) {
  ResNetOptions options = suites::TinyResNetOptions();
  options.style = style;
  ImportOptions import;
  if (!style.symbolic_batch.empty()) {
    import.dims[style.symbolic_batch] = 1;
  }
  return Answer(ImportOnnxModel(BuildResNet(options), import));
}

NDArray Expected() { return AnswerOf(ExportStyle()); }

float MaxError(const NDArray& a, const NDArray& b) {
  float error = 0;
  for (int64_t i = 0; i < a.num_elements(); ++i) {
    error = std::max(error, std::abs(a.data<float>()[i] - b.data<float>()[i]));
  }
  return error;
}

// If all logits were equal or zero, their agreement would prove nothing.
TEST(EquivalenceTest, LogitsDifferAndHaveMagnitudeOne) {
  const NDArray logits = Expected();
  ASSERT_EQ(logits.shape(), (Shape{1, 10}));
  const auto values = logits.data<float>();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GT(*high - *low, 1.0f);
  EXPECT_LT(*high - *low, 20.0f);
}

TEST(EquivalenceTest, EveryOpsetAndFlattenStyle) {
  const NDArray expected = Expected();
  for (const int opset : {7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 21}) {
    for (const auto flatten :
         {FlattenStyle::kFlatten, FlattenStyle::kReshape,
          FlattenStyle::kShapeArithmetic, FlattenStyle::kSqueeze}) {
      SCOPED_TRACE(absl::StrCat("opset ", opset, " flatten ",
                                static_cast<int>(flatten)));
      ExportStyle style;
      style.opset = opset;
      style.flatten = flatten;
      EXPECT_TRUE(BitwiseEqual(AnswerOf(style), expected));
    }
  }
}

TEST(EquivalenceTest, NamesPaddingsAndOpenBatch) {
  const NDArray expected = Expected();
  ExportStyle style;
  style.prefix = "torch/some model::";
  EXPECT_TRUE(BitwiseEqual(AnswerOf(style), expected));
  style.auto_pad = true;
  EXPECT_TRUE(BitwiseEqual(AnswerOf(style), expected));
  style.symbolic_batch = "N";
  style.flatten = FlattenStyle::kShapeArithmetic;
  EXPECT_TRUE(BitwiseEqual(AnswerOf(style), expected));
}

TEST(EquivalenceTest, FoldedBatchNorm) {
  const NDArray expected = Expected();
  for (const int opset : {7, 11, 17}) {
    ExportStyle style;
    style.opset = opset;
    style.fold_batch_norm = true;
    const NDArray logits = AnswerOf(style);
    ASSERT_EQ(logits.shape(), expected.shape());
    EXPECT_LT(MaxError(logits, expected), 1e-4f);
  }
}

TEST(EquivalenceTest, FilesWithAndWithoutExternalData) {
  const NDArray expected = Expected();
  const auto folder = TempDir::Create();
  ASSERT_TRUE(folder.ok());
  for (const bool external : {false, true}) {
    const std::string path =
        JoinPath(folder->path(), external ? "ext.onnx" : "plain.onnx");
    ASSERT_TRUE(suites::WriteModel(BuildResNet(suites::TinyResNetOptions()),
                                   path, external)
                    .ok());
    auto imported = ImportOnnxFile(path);
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_TRUE(BitwiseEqual(Answer(std::move(imported->graph)), expected));
    EXPECT_EQ(imported->facts.external_files.empty(), !external);
  }
}

TEST(EquivalenceTest, SeedChangesTheFunction) {
  ResNetOptions options = suites::TinyResNetOptions();
  options.seed = 1;
  EXPECT_GT(MaxError(Answer(ImportOnnxModel(BuildResNet(options))), Expected()),
            0.1f);
}

// The graph of the network has the nodes of the model and no others.
TEST(EquivalenceTest, GraphOfResNet18) {
  ResNetOptions options;
  options.height = 64;
  options.width = 64;
  options.style.flatten = FlattenStyle::kShapeArithmetic;
  const auto graph = ImportOnnxModel(BuildResNet(options));
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::map<std::string, int> count;
  for (const graph::Node* node : (*graph)->Nodes()) {
    ++count[std::string(graph::OpName(node->kind()))];
  }
  const std::map<std::string, int> expected = {
      {"input", 1},       {"constant", 102}, {"conv2d", 20},
      {"batch_norm", 20}, {"relu", 17},      {"add", 9},
      {"max_pool2d", 1},  {"dense", 1},      {"global_avg_pool2d", 1},
      {"reshape", 1}};
  EXPECT_EQ(count, expected);
  EXPECT_EQ((*graph)->outputs()[0].value.type().shape, (Shape{1, 1000}));
}

}  // namespace
}  // namespace assay::frontend
