// Malformed files: each gives an error of one line that names the problem.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/import.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/models/model_file.h"
#include "suites/models/onnx_builder.h"
#include "suites/models/resnet.h"

namespace assay::frontend {
namespace {

onnx::ModelProto SmallModel() {
  suites::ResNetOptions options = suites::TinyResNetOptions();
  options.channels = 2;
  options.blocks = {1, 1};
  options.style.flatten = suites::FlattenStyle::kShapeArithmetic;
  return suites::BuildResNet(options);
}

onnx::NodeProto* Node(onnx::ModelProto* model, const std::string& name) {
  for (onnx::NodeProto& node : *model->mutable_graph()->mutable_node()) {
    if (node.name() == name) return &node;
  }
  ADD_FAILURE() << "no node " << name;
  return model->mutable_graph()->add_node();
}

onnx::TensorProto* Weight(onnx::ModelProto* model, const std::string& name) {
  for (auto& tensor : *model->mutable_graph()->mutable_initializer()) {
    if (tensor.name() == name) return &tensor;
  }
  ADD_FAILURE() << "no initializer " << name;
  return model->mutable_graph()->add_initializer();
}

onnx::AttributeProto* Attribute(onnx::ModelProto* model,
                                const std::string& node,
                                const std::string& name) {
  for (auto& attribute : *Node(model, node)->mutable_attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  ADD_FAILURE() << node << " has no attribute " << name;
  return Node(model, node)->add_attribute();
}

onnx::TypeProto::Tensor* InputType(onnx::ModelProto* model) {
  return model->mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type();
}

onnx::TensorShapeProto::Dimension* InputDim(onnx::ModelProto* model, int i) {
  return InputType(model)->mutable_shape()->mutable_dim(i);
}

void SetExternal(onnx::TensorProto* tensor, const std::string& location,
                 const std::string& offset) {
  tensor->clear_raw_data();
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  const std::pair<const char*, std::string> entries[] = {{"location", location},
                                                         {"offset", offset}};
  for (const auto& [key, value] : entries) {
    auto* entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
}

// A modification that makes SmallModel() invalid.
struct Case {
  const char* name;
  std::function<void(onnx::ModelProto*)> mutate;
  // Text that the error contains.
  const char* error;
};

using M = onnx::ModelProto*;

std::vector<Case> ModelCases() {
  return {
      {"no format version", [](M m) { m->clear_ir_version(); },
       "is no ONNX model: it has no format version"},
      {"no graph", [](M m) { m->clear_graph(); },
       "is no ONNX model: it has no graph"},
      {"old format version", [](M m) { m->set_ir_version(2); },
       "format version (ir_version) 2 is not supported; 3 to 14 are"},
      {"new format version", [](M m) { m->set_ir_version(99); },
       "format version (ir_version) 99 is not supported"},
      {"no opset", [](M m) { m->clear_opset_import(); },
       "the model imports no opset of `ai.onnx`"},
      {"two opsets", [](M m) { m->add_opset_import()->set_version(14); },
       "the model imports two opsets of `ai.onnx`, 13 and 14"},
      {"old opset", [](M m) { m->mutable_opset_import(0)->set_version(0); },
       "opset 0 is not supported; opsets 1 to 28 are"},
      {"new opset", [](M m) { m->mutable_opset_import(0)->set_version(29); },
       "opset 29 is not supported"},
      {"a function twice",
       [](M m) {
         m->add_functions()->set_name("F");
         m->add_functions()->set_name("F");
       },
       "function `F` is defined twice"},
      {"training information", [](M m) { m->add_training_info(); },
       "the model has training information"},
      {"sparse initializer",
       [](M m) { m->mutable_graph()->add_sparse_initializer(); },
       "the graph has sparse initializers"},
      {"quantization annotation",
       [](M m) { m->mutable_graph()->add_quantization_annotation(); },
       "the graph has quantization annotations"},
      {"unknown field",
       [](M m) {
         m->mutable_graph()->mutable_node(0)->mutable_unknown_fields()->append(
             "\xa0\x06\x01", 3);
       },
       "a NodeProto has field number 100, which format version 14 does not "
       "define"},
  };
}

std::vector<Case> GraphCases() {
  return {
      {"no outputs", [](M m) { m->mutable_graph()->clear_output(); },
       "the graph has no output"},
      {"unknown output",
       [](M m) { m->mutable_graph()->mutable_output(0)->set_name("nope"); },
       "graph output `nope` is no input, initializer or result of a node"},
      {"output declared with another type",
       [](M m) {
         m->mutable_graph()
             ->mutable_output(0)
             ->mutable_type()
             ->mutable_tensor_type()
             ->set_elem_type(onnx::TensorProto::DOUBLE);
       },
       "output `logits`: is declared as float64[1,10] but is float32[1,10]"},
      {"value declared with another type",
       [](M m) {
         auto* info = m->mutable_graph()->add_value_info();
         info->set_name("relu_output");
         info->mutable_type()->mutable_tensor_type()->set_elem_type(
             onnx::TensorProto::INT8);
       },
       "value `relu_output`: is declared as int8 but is float32[1,2,16,16]"},
      {"two inputs of one name",
       [](M m) { *m->mutable_graph()->add_input() = m->graph().input(0); },
       "two graph inputs are named `data`"},
      {"two initializers of one name",
       [](M m) {
         *m->mutable_graph()->add_initializer() = m->graph().initializer(0);
       },
       "two initializers are named `conv1.weight`"},
      {"two nodes with one result",
       [](M m) { Node(m, "relu")->set_output(0, "conv1_output"); },
       "node `relu` (Relu) and node `conv1` (Conv) both produce "
       "`conv1_output`"},
      {"result with an input's name",
       [](M m) { Node(m, "relu")->set_output(0, "data"); },
       "node `relu` (Relu) produces `data`, which is the name of an input"},
      {"input without a name",
       [](M m) { m->mutable_graph()->mutable_input(0)->clear_name(); },
       "a graph input has no name"},
      {"missing initializer",
       [](M m) { Weight(m, "fc.bias")->set_name("elsewhere"); },
       "node `fc` (Gemm) reads `fc.bias`, which is no input, initializer or "
       "result"},
      {"missing value", [](M m) { Node(m, "relu")->set_input(0, "ghost"); },
       "node `relu` (Relu) reads `ghost`, which is no input"},
      {"cycle",
       [](M m) { Node(m, "relu")->set_input(0, "layer1.0.relu1_output"); },
       "node `relu` (Relu) depends on its own result through "
       "`layer1.0.relu1_output`"},
      {"node that reads itself",
       [](M m) { Node(m, "relu")->set_input(0, "relu_output"); },
       "node `relu` (Relu) depends on its own result through `relu_output`"},
      {"nodes out of order",
       [](M m) {
         m->mutable_graph()->mutable_node()->SwapElements(
             0, m->graph().node_size() - 1);
       },
       "which a later node produces; nodes must come in order of "
       "evaluation"},
  };
}

std::vector<Case> InputCases() {
  return {
      {"input without type",
       [](M m) { m->mutable_graph()->mutable_input(0)->clear_type(); },
       "input `data`: is no tensor"},
      {"input is a sequence",
       [](M m) {
         m->mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_sequence_type();
       },
       "input `data`: is a sequence; the file does not say how many elements "
       "it has"},
      {"input is an optional value",
       [](M m) {
         m->mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_optional_type();
       },
       "input `data`: is an optional value; the file does not say whether it "
       "is present"},
      {"input is a map",
       [](M m) {
         m->mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_map_type();
       },
       "input `data`: is no tensor"},
      {"input without shape", [](M m) { InputType(m)->clear_shape(); },
       "input `data`: has no shape"},
      {"input without element type",
       [](M m) { InputType(m)->clear_elem_type(); },
       "input `data`: has no element type"},
      {"input of strings",
       [](M m) { InputType(m)->set_elem_type(onnx::TensorProto::STRING); },
       "input `data`: element type `string` is not supported"},
      {"input of an unknown type", [](M m) { InputType(m)->set_elem_type(77); },
       "input `data`: element type number 77 is not supported"},
      {"input of integers",
       [](M m) { InputType(m)->set_elem_type(onnx::TensorProto::INT32); },
       "node `conv1` (Conv): operands are int32[1,3,32,32] and"},
      {"zero extent", [](M m) { InputDim(m, 2)->set_dim_value(0); },
       "node `conv1` (Conv): "},
      {"negative extent", [](M m) { InputDim(m, 2)->set_dim_value(-4); },
       "input `data`: shape [1,3,-4,32] has a negative extent"},
      {"huge extent",
       [](M m) { InputDim(m, 2)->set_dim_value(int64_t{1} << 62); },
       "input `data`: shape [1,3,4611686018427387904,32] is too large"},
      {"too many bytes",
       [](M m) { InputDim(m, 2)->set_dim_value(int64_t{1} << 30); },
       "[1,3,1073741824,32] needs 384 GiB, more than the 4 GiB that "
       "--max_memory leaves"},
      {"open extent", [](M m) { InputDim(m, 0)->set_dim_param("N"); },
       "input `data`: extent `N` has no value; give it one with --dim=N=1"},
      {"extent not given", [](M m) { InputDim(m, 3)->clear_dim_value(); },
       "extent `data[3]` has no value; give it one with --dim=data[3]=1"},
      {"wrong channels", [](M m) { InputDim(m, 1)->set_dim_value(4); },
       "node `conv1` (Conv): data has 4 channels"},
  };
}

std::vector<Case> NodeCases() {
  return {
      {"unknown operator", [](M m) { Node(m, "relu")->set_op_type("Frob"); },
       "node `relu` (Frob): operator `Frob` is no operator of ONNX up to "
       "opset 28"},
      {"no operator", [](M m) { Node(m, "relu")->clear_op_type(); },
       "node `relu` (): operator `` is no operator of ONNX up to opset 28"},
      {"nameless node",
       [](M m) {
         Node(m, "relu")->set_op_type("Frob");
         Node(m, "relu")->clear_name();
       },
       "node 2 (Frob, result `relu_output`): operator `Frob`"},
      {"other domain", [](M m) { Node(m, "relu")->set_domain("ai.onnx.ml"); },
       "node `relu` (Relu): operators of the domain `ai.onnx.ml`"},
      {"unknown operator of a domain",
       [](M m) { Node(m, "relu")->set_domain("com.microsoft"); },
       "node `relu` (Relu): operator `Relu` of the domain `com.microsoft`"},
      {"too few inputs",
       [](M m) { Node(m, "bn1")->mutable_input()->RemoveLast(); },
       "node `bn1` (BatchNormalization): takes 5 inputs but the node has 4"},
      {"too many inputs", [](M m) { Node(m, "relu")->add_input("data"); },
       "node `relu` (Relu): takes 1 inputs but the node has 2"},
      {"input left out", [](M m) { Node(m, "bn1")->set_input(1, ""); },
       "node `bn1` (BatchNormalization): input 1 is left out"},
      {"no result", [](M m) { Node(m, "fc")->set_output(0, ""); },
       "is no input, initializer or result"},
      {"statistics of a batch before opset 14",
       [](M m) { Node(m, "bn1")->add_output("mean"); },
       "node `bn1` (BatchNormalization): is in training mode, which is "
       "supported since opset 14"},
      {"unknown attribute",
       [](M m) { suites::SetInt(Node(m, "relu"), "alpha", 1); },
       "node `relu` (Relu): attribute `alpha` is not supported for Relu in "
       "opset 13"},
      {"repeated attribute",
       [](M m) { suites::SetInt(Node(m, "conv1"), "group", 1); },
       "node `conv1` (Conv): attribute `group` is given twice"},
      {"attribute of the wrong type",
       [](M m) {
         Attribute(m, "conv1", "group")->clear_i();
         Attribute(m, "conv1", "group")->set_type(onnx::AttributeProto::FLOAT);
       },
       "node `conv1` (Conv): attribute `group` is FLOAT but INT is needed"},
      {"attribute of two types",
       [](M m) { Attribute(m, "conv1", "group")->set_f(1.0f); },
       "attribute `group` is declared as INT but has a value of FLOAT"},
      {"attribute without type",
       [](M m) { Attribute(m, "conv1", "group")->clear_type(); },
       "node `conv1` (Conv): attribute `group` has no type"},
      {"attribute of a function",
       [](M m) { Attribute(m, "conv1", "group")->set_ref_attr_name("g"); },
       "attribute `group` refers to an attribute of a function"},
      {"strides of one axis",
       [](M m) {
         Attribute(m, "conv1", "strides")->mutable_ints()->Resize(1, 0);
       },
       "attribute `strides` is [2] but 2 numbers are needed"},
      {"huge stride",
       [](M m) {
         Attribute(m, "conv1", "strides")->set_ints(0, int64_t{1} << 40);
       },
       "attribute `strides` is [1099511627776,2]; every number lies between"},
      {"huge padding",
       [](M m) {
         Attribute(m, "conv1", "pads")->set_ints(0, 1 << 24);
         Attribute(m, "conv1", "pads")->set_ints(1, 1 << 24);
       },
       "node `conv1` (Conv): shape [1,2,8388623,8388623] is too large"},
      {"kernel beyond the data",
       [](M m) { Attribute(m, "maxpool", "dilations")->set_ints(0, 1000); },
       "node `maxpool` (MaxPool): the window [3,3]"},
      {"reshape to another size",
       [](M m) {
         auto* t = Attribute(m, "flatten_rest", "value")->mutable_t();
         t->set_raw_data(std::string("\x07\0\0\0\0\0\0\0", 8));
       },
       "node `flatten` (Reshape): shape [1,7] has 7 elements"},
      {"axis out of range",
       [](M m) { Attribute(m, "flatten_target", "axis")->set_i(2); },
       "node `flatten_target` (Concat): attribute `axis` 2 is out of range"},
  };
}

std::vector<Case> TensorCases() {
  return {
      {"too little data",
       [](M m) { Weight(m, "bn1.bias")->mutable_raw_data()->resize(7); },
       "initializer `bn1.bias`: has 7 bytes of data but its extents need 8"},
      {"no data", [](M m) { Weight(m, "bn1.bias")->clear_raw_data(); },
       "initializer `bn1.bias`: has 0 values but its extents need 2"},
      {"data in two places",
       [](M m) { Weight(m, "bn1.bias")->add_float_data(1.0f); },
       "has data in field float_data but its data is in raw_data"},
      {"negative weight extent",
       [](M m) { Weight(m, "bn1.bias")->set_dims(0, -2); },
       "initializer `bn1.bias`: shape [-2] has a negative extent"},
      {"huge weight",
       [](M m) { Weight(m, "bn1.bias")->set_dims(0, int64_t{1} << 39); },
       "initializer `bn1.bias`: needs 2 TiB, more than the 4 GiB that "
       "--max_memory leaves"},
      {"extents that overflow",
       [](M m) {
         Weight(m, "bn1.bias")->set_dims(0, int64_t{1} << 33);
         Weight(m, "bn1.bias")->add_dims(int64_t{1} << 33);
       },
       "initializer `bn1.bias`: shape [8589934592,8589934592] is too large"},
      {"weight of complex numbers",
       [](M m) {
         Weight(m, "bn1.bias")->set_data_type(onnx::TensorProto::COMPLEX64);
       },
       "initializer `bn1.bias`: element type `complex64` is not supported"},
      {"weight of another type",
       [](M m) {
         Weight(m, "bn1.bias")->set_data_type(onnx::TensorProto::INT32);
       },
       "node `bn1` (BatchNormalization): operand 2 is int32[2]"},
      {"weight of other extents",
       [](M m) {
         Weight(m, "fc.weight")->set_dims(0, 5);
         Weight(m, "fc.weight")->set_dims(1, 8);
       },
       "node `fc` (Gemm): inputs float32[1,4] (transA=0) and float32[5,8] "
       "(transB=1) do not multiply"},
      {"segment", [](M m) { Weight(m, "bn1.bias")->mutable_segment(); },
       "initializer `bn1.bias`: is a segment of a tensor"},
      {"external file missing",
       [](M m) { SetExternal(Weight(m, "bn1.bias"), "gone.bin", "0"); },
       "initializer `bn1.bias`: data is in file `gone.bin`, which cannot be "
       "found"},
      {"external file above the folder",
       [](M m) { SetExternal(Weight(m, "bn1.bias"), "../data.bin", "0"); },
       "data is in file `../data.bin`, which is outside the model's folder"},
      {"external file anywhere",
       [](M m) { SetExternal(Weight(m, "bn1.bias"), "/etc/passwd", "0"); },
       "which is outside the model's folder"},
      {"external folder",
       [](M m) { SetExternal(Weight(m, "bn1.bias"), ".", "0"); },
       "data is in file `.`"},
      {"external data too short",
       [](M m) { SetExternal(Weight(m, "bn1.bias"), "data.bin", "12"); },
       "needs 8 bytes from byte 12 of file `data.bin`, which has only 16"},
      {"external offset is no number",
       [](M m) { SetExternal(Weight(m, "bn1.bias"), "data.bin", "ten"); },
       "external data has offset `ten`, which is no count of bytes"},
      {"external data without location",
       [](M m) { SetExternal(Weight(m, "bn1.bias"), "", "0"); },
       "external data has no location"},
  };
}

class BrokenFileTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = TempDir::Create();
    ASSERT_TRUE(folder.ok());
    folder_.emplace(*std::move(folder));
    path_ = JoinPath(folder_->path(), "m.onnx");
    ASSERT_TRUE(WriteFileAtomic(JoinPath(folder_->path(), "data.bin"),
                                std::string(16, '\0'))
                    .ok());
  }

  // Writes the file, imports it, and checks the error.
  void ExpectError(const std::string& bytes, absl::string_view error) {
    ASSERT_TRUE(WriteFileAtomic(path_, bytes).ok());
    const auto graph = ImportOnnxFile(path_);
    ASSERT_FALSE(graph.ok());
    const std::string message(graph.status().message());
    EXPECT_TRUE(absl::StrContains(message, error)) << message;
    EXPECT_TRUE(absl::StartsWith(message, absl::StrCat("`", path_, "`: ")))
        << message;
    EXPECT_FALSE(absl::StrContains(message, "\n")) << message;
    EXPECT_FALSE(absl::EndsWith(message, ".")) << message;
    EXPECT_TRUE(absl::IsInvalidArgument(graph.status()) ||
                absl::IsUnimplemented(graph.status()) ||
                absl::IsNotFound(graph.status()) ||
                absl::IsResourceExhausted(graph.status()))
        << graph.status();
  }

  void ExpectErrors(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
      SCOPED_TRACE(c.name);
      onnx::ModelProto model = SmallModel();
      c.mutate(&model);
      ExpectError(suites::SerializeModel(model), c.error);
    }
  }

  std::optional<TempDir> folder_;
  std::string path_;
};

TEST_F(BrokenFileTest, AcceptsTheUnmodifiedModel) {
  ASSERT_TRUE(suites::WriteModel(SmallModel(), path_, false).ok());
  const auto graph = ImportOnnxFile(path_);
  ASSERT_TRUE(graph.ok()) << graph.status();
}

TEST_F(BrokenFileTest, Models) { ExpectErrors(ModelCases()); }
TEST_F(BrokenFileTest, Graphs) { ExpectErrors(GraphCases()); }
TEST_F(BrokenFileTest, Inputs) { ExpectErrors(InputCases()); }
TEST_F(BrokenFileTest, Nodes) { ExpectErrors(NodeCases()); }
TEST_F(BrokenFileTest, Tensors) { ExpectErrors(TensorCases()); }

TEST_F(BrokenFileTest, Bytes) {
  const std::string whole = suites::SerializeModel(SmallModel());
  ExpectError("", "is no ONNX model: it has no format version");
  ExpectError("\x89PNG\r\n\x1a\n", "is no ONNX model");
  ExpectError("ir_version: 7", "is no ONNX model");
  ExpectError(whole.substr(0, whole.size() / 2), "it may have been cut short");
  ExpectError(whole.substr(0, whole.size() - 1), "it may have been cut short");
}

TEST_F(BrokenFileTest, NoFile) {
  const auto graph = ImportOnnxFile(path_ + ".gone");
  ASSERT_FALSE(graph.ok());
  EXPECT_TRUE(absl::StrContains(graph.status().message(), path_ + ".gone"));
}

TEST_F(BrokenFileTest, ManyKinds) {
  EXPECT_GE(ModelCases().size() + GraphCases().size() + InputCases().size() +
                NodeCases().size() + TensorCases().size(),
            70u);
}

// Every prefix of a model is an error or, if it ends after the last field that
// is needed, a model.
TEST_F(BrokenFileTest, EveryPrefix) {
  const std::string whole = suites::SerializeModel(SmallModel());
  for (size_t size = 0; size < whole.size(); size += 1 + size / 64) {
    const auto graph = ImportOnnxBytes(whole.substr(0, size));
    EXPECT_FALSE(graph.ok()) << size << " bytes of " << whole.size();
  }
}

}  // namespace
}  // namespace assay::frontend
