// Mutated models do not crash the importer: it returns an error of one line or
// a valid graph. Mutations of bytes test reading files, and mutations of
// messages test everything behind it.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/operators/operator_table.h"
#include "compiler/graph/verifier.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "suites/models/model_file.h"
#include "suites/models/resnet.h"

namespace assay::frontend {
namespace {

constexpr uint64_t kSeed = 20240;

// Small weights, so that most of the bytes are structure.
onnx::ModelProto SmallModel(uint64_t style) {
  suites::ResNetOptions options = suites::TinyResNetOptions();
  options.channels = 1;
  options.blocks = {1, 1};
  options.style.opset = 7 + style % 15;
  options.style.flatten = static_cast<suites::FlattenStyle>(style % 4);
  return suites::BuildResNet(options);
}

// One model of each opset and flatten style, 60 in total. They are built once,
// because that takes longer than importing them.
std::vector<onnx::ModelProto> SmallModels() {
  std::vector<onnx::ModelProto> models;
  for (uint64_t i = 0; i < 60; ++i) models.push_back(SmallModel(i));
  return models;
}

struct Outcome {
  int accepted = 0;
  int unreadable = 0;
  int refused = 0;
};

void Check(const absl::StatusOr<std::unique_ptr<graph::Graph>>& graph,
           Outcome* outcome) {
  if (graph.ok()) {
    ++outcome->accepted;
    EXPECT_TRUE(graph::Verify(**graph).ok()) << graph::Verify(**graph);
    return;
  }
  const std::string message(graph.status().message());
  EXPECT_FALSE(message.empty());
  EXPECT_FALSE(absl::StrContains(message, "\n")) << message;
  EXPECT_NE(graph.status().code(), absl::StatusCode::kInternal) << message;
  ++(absl::StrContains(message, "cannot be parsed") ? outcome->unreadable
                                                    : outcome->refused);
}

// Overwrites, inserts, removes or repeats a few bytes.
std::string MutateBytes(std::string bytes, Rng* rng) {
  const int64_t edits = rng->UniformInt(1, 4);
  for (int64_t i = 0; i < edits && !bytes.empty(); ++i) {
    const size_t at = rng->UniformInt(0, bytes.size() - 1);
    const size_t length = rng->UniformInt(1, 8);
    const char byte = static_cast<char>(rng->UniformInt(0, 255));
    switch (rng->UniformInt(0, 7)) {
      case 0:
        bytes.insert(at, length, byte);
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 3:
        bytes[at] = byte;
        break;
      default:
        bytes[at] ^= static_cast<char>(1 << rng->UniformInt(0, 7));
        break;
    }
  }
  return bytes;
}

TEST(FuzzTest, Bytes) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Rng rng(kSeed);
  Outcome outcome;
  std::vector<std::string> files;
  for (const onnx::ModelProto& model : SmallModels()) {
    files.push_back(suites::SerializeModel(model));
  }
  for (int run = 0; run < 4000; ++run) {
    SCOPED_TRACE(absl::StrCat("run ", run));
    const std::string& bytes = files[run % files.size()];
    auto imported = ImportOnnxBytes(MutateBytes(bytes, &rng));
    if (imported.ok()) {
      Check(std::move(imported->graph), &outcome);
    } else {
      Check(imported.status(), &outcome);
    }
  }
  EXPECT_GT(outcome.accepted, 100);
  EXPECT_GT(outcome.refused, 500);
  EXPECT_GT(outcome.unreadable, 100);
}

// Changes to the messages of a model. Each takes its choices from one Rng.
class ModelMutator {
 public:
  ModelMutator(onnx::ModelProto* model, Rng* rng)
      : graph_(model->mutable_graph()), model_(model), rng_(rng) {}

  void Mutate() {
    switch (Pick(10)) {
      case 0:
        if (node().input_size() > 0) *SomeInput() = SomeName();
        break;
      case 1:
        node().add_input(SomeName());
        break;
      case 2:
        node().set_op_type(SomeOperator());
        break;
      case 3:
        MutateAttribute();
        break;
      case 4:
        MutateAttribute();
        break;
      case 5:
        MutateTensor();
        break;
      case 6:
        graph_->mutable_node()->SwapElements(Pick(graph_->node_size()),
                                             Pick(graph_->node_size()));
        break;
      case 7:
        MutateInput();
        break;
      case 8:
        graph_->mutable_output(0)->set_name(SomeName());
        break;
      default:
        model_->mutable_opset_import(0)->set_version(rng_->UniformInt(6, 22));
        break;
    }
  }

 private:
  int Pick(int count) {
    return static_cast<int>(rng_->UniformInt(0, count - 1));
  }
  int64_t SomeNumber() {
    constexpr int64_t kNumbers[] = {INT64_MIN,
                                    -1,
                                    0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    64,
                                    1 << 20,
                                    int64_t{1} << 31,
                                    int64_t{1} << 40,
                                    int64_t{1} << 62,
                                    INT64_MAX};
    return kNumbers[Pick(sizeof(kNumbers) / sizeof(kNumbers[0]))];
  }
  onnx::NodeProto& node() {
    return *graph_->mutable_node(Pick(graph_->node_size()));
  }
  std::string SomeName() {
    switch (Pick(4)) {
      case 0:
        return graph_->initializer(Pick(graph_->initializer_size())).name();
      case 1:
        return Pick(4) == 0 ? "" : "data";
      default:
        return node().output_size() == 0 ? "" : node().output(0);
    }
  }
  std::string* SomeInput() {
    for (;;) {
      onnx::NodeProto& some = node();
      if (some.input_size() == 0) continue;
      return some.mutable_input(Pick(some.input_size()));
    }
  }
  std::string SomeOperator() {
    return OperatorTable()[Pick(OperatorTable().size())].op_type;
  }

  void MutateAttribute() {
    onnx::NodeProto& some = node();
    if (some.attribute_size() == 0) return;
    onnx::AttributeProto& attribute =
        *some.mutable_attribute(Pick(some.attribute_size()));
    if (attribute.ints_size() > 0) {
      attribute.set_ints(Pick(attribute.ints_size()), SomeNumber());
      if (Pick(4) == 0) attribute.add_ints(SomeNumber());
    } else if (attribute.has_i()) {
      attribute.set_i(SomeNumber());
    } else if (attribute.has_t()) {
      MutateValue(attribute.mutable_t());
    } else {
      attribute.set_name(Pick(2) == 0 ? "axes" : "axis");
    }
  }

  void MutateTensor() {
    MutateValue(graph_->mutable_initializer(Pick(graph_->initializer_size())));
  }

  void MutateValue(onnx::TensorProto* tensor) {
    if (Pick(2) == 0 && tensor->raw_data().size() >= 8) {
      const int64_t number = SomeNumber();
      tensor->mutable_raw_data()->replace(
          0, 8, reinterpret_cast<const char*>(&number), 8);
    } else if (Pick(2) == 0 && tensor->dims_size() > 0) {
      tensor->set_dims(Pick(tensor->dims_size()), SomeNumber());
    } else if (Pick(2) == 0) {
      tensor->add_dims(1);
    } else {
      tensor->set_data_type(Pick(20));
    }
  }

  void MutateInput() {
    auto* type =
        graph_->mutable_input(0)->mutable_type()->mutable_tensor_type();
    switch (Pick(3)) {
      case 0:
        type->set_elem_type(Pick(20));
        break;
      case 1:
        type->mutable_shape()->add_dim()->set_dim_value(SomeNumber());
        break;
      default:
        type->mutable_shape()->mutable_dim(Pick(4))->set_dim_value(
            SomeNumber());
        break;
    }
  }

  onnx::GraphProto* graph_;
  onnx::ModelProto* model_;
  Rng* rng_;
};

TEST(FuzzTest, Messages) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Rng rng(kSeed);
  Outcome outcome;
  const std::vector<onnx::ModelProto> models = SmallModels();
  for (int run = 0; run < 6000; ++run) {
    SCOPED_TRACE(absl::StrCat("run ", run));
    onnx::ModelProto model = models[run % models.size()];
    const int64_t edits = rng.UniformInt(1, 3);
    for (int64_t i = 0; i < edits; ++i) ModelMutator(&model, &rng).Mutate();
    Check(ImportOnnxModel(model), &outcome);
  }
  EXPECT_GT(outcome.accepted, 200);
  EXPECT_GT(outcome.refused, 3000);
}

}  // namespace
}  // namespace assay::frontend
