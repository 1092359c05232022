// Checks life_of_a_model.md. The test builds the model of the document, imports
// and compiles it with dumps, and compares every block below a line
//
//   <!-- dump: FILE -->            or
//   <!-- dump: FILE lines 3-20 -->
//
// with these lines of the dump. `bazel run
// //compiler/docs:life_of_a_model_test -- --update` rewrites the blocks.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compiler/driver/compile.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"
#include "runtime/base/shape.h"

namespace assay {
namespace {

constexpr char kDocument[] = "compiler/docs/life_of_a_model.md";
constexpr char kTarget[] = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3";
constexpr char kMarker[] = "<!-- dump: ";
constexpr char kFence[] = "```";

// Returns the lines of the dump that the marker selects.
std::vector<std::string> Wanted(absl::string_view marker,
                                const std::string& dump_dir) {
  absl::ConsumePrefix(&marker, kMarker);
  absl::ConsumeSuffix(&marker, " -->");
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(marker, absl::MaxSplits(" lines ", 1));
  const auto text = ReadFile(absl::StrCat(dump_dir, "/", parts.first));
  if (!text.ok()) {
    ADD_FAILURE() << text.status();
    return {};
  }
  std::vector<std::string> lines = absl::StrSplit(*text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  if (parts.second.empty()) return lines;
  const std::pair<std::string, std::string> range =
      absl::StrSplit(parts.second, '-');
  size_t first = 1, last = 0;
  EXPECT_TRUE(absl::SimpleAtoi(range.first, &first)) << marker;
  EXPECT_TRUE(absl::SimpleAtoi(range.second, &last)) << marker;
  EXPECT_LE(last, lines.size()) << marker;
  last = std::min(last, lines.size());
  return std::vector<std::string>(lines.begin() + first - 1,
                                  lines.begin() + last);
}

void AddWeights(onnx::GraphProto& graph, const std::string& name,
                const Shape& shape, float base, float step) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  for (int64_t extent : shape) tensor.add_dims(extent);
  for (int i = 0; i < NumElements(shape); ++i) {
    tensor.add_float_data(base + step * static_cast<float>(i % 11));
  }
}

void AddInts(onnx::NodeProto& node, const std::string& name,
             const std::vector<int>& values) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INTS);
  for (int v : values) attribute.add_ints(v);
}

onnx::NodeProto& AddNode(onnx::GraphProto& graph, const std::string& type,
                         const std::vector<std::string>& inputs,
                         const std::string& output) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_name(absl::StrCat(type, "_", graph.node_size() - 1));
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

// The model of section 1 of the document.
onnx::ModelProto TinyModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(13);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("tiny");
  onnx::ValueInfoProto& x = *graph.add_input();
  x.set_name("x");
  auto& type = *x.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  for (int extent : {1, 1, 4, 4}) {
    type.mutable_shape()->add_dim()->set_dim_value(extent);
  }
  graph.add_output()->set_name("y");
  onnx::NodeProto& conv = AddNode(graph, "Conv", {"x", "w"}, "c");
  AddInts(conv, "kernel_shape", {3, 3});
  AddInts(conv, "pads", {1, 1, 1, 1});
  AddNode(graph, "BatchNormalization", {"c", "scale", "bias", "mean", "var"},
          "b");
  AddNode(graph, "Relu", {"b"}, "y");
  AddWeights(graph, "w", {8, 1, 3, 3}, -1.25f, 0.25f);
  AddWeights(graph, "scale", {8}, 0.5f, 0.5f);
  AddWeights(graph, "bias", {8}, -1, 0.25f);
  AddWeights(graph, "mean", {8}, -0.5f, 0.125f);
  AddWeights(graph, "var", {8}, 0.25f, 0.25f);
  return model;
}

absl::Status CompileModel(const std::string& dump_dir) {
  const auto graph = frontend::ImportOnnxModel(TinyModel());
  if (!graph.ok()) return graph.status();
  driver::CompileOptions options;
  options.dump_dir = dump_dir;
  options.verify = true;
  return driver::Compile(**graph, *target::Target::Parse(kTarget), options)
      .status();
}

// Returns the document with every block replaced by the lines of its dump.
std::string Corrected(const std::string& document,
                      const std::string& dump_dir) {
  const std::vector<std::string> lines = absl::StrSplit(document, '\n');
  std::vector<std::string> out;
  for (size_t i = 0; i < lines.size(); ++i) {
    out.push_back(lines[i]);
    if (!absl::StartsWith(lines[i], kMarker)) continue;
    size_t end = i + 2;
    while (end < lines.size() && lines[end] != kFence) ++end;
    out.push_back(kFence);
    for (std::string& line : Wanted(lines[i], dump_dir)) {
      out.push_back(std::move(line));
    }
    out.push_back(kFence);
    i = end;
  }
  return absl::StrJoin(out, "\n");
}

bool g_update = false;

TEST(LifeOfAModelTest, ShowsWhatTheCompilerDoes) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  const std::string path = g_update && workspace != nullptr
                               ? absl::StrCat(workspace, "/", kDocument)
                               : kDocument;
  const auto document = ReadFile(path);
  ASSERT_TRUE(document.ok()) << document.status();
  const auto dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const absl::Status compiled = CompileModel(dir->path());
  ASSERT_TRUE(compiled.ok()) << compiled;
  const std::string corrected = Corrected(*document, dir->path());
  if (g_update) {
    ASSERT_TRUE(WriteFileAtomic(path, corrected).ok());
  } else {
    EXPECT_EQ(corrected, *document);
  }
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  assay::g_update = argc == 2 && std::string(argv[1]) == "--update";
  return RUN_ALL_TESTS();
}
