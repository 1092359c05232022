#include "compiler/frontend/onnx/imported_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace assay::frontend {
namespace {

using ::testing::ElementsAre;

onnx::NodeProto NodeOf(const std::string& op_type) {
  onnx::NodeProto node;
  node.set_op_type(op_type);
  return node;
}

// Stores the tensor in the file `file`.
void Put(onnx::TensorProto* tensor, const std::string& file) {
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto* location = tensor->add_external_data();
  location->set_key("location");
  location->set_value(file);
  onnx::StringStringEntryProto* offset = tensor->add_external_data();
  offset->set_key("offset");
  offset->set_value("7");
}

TEST(ImportedModelTest, FindsQuantizedOperators) {
  for (const char* op : {"QuantizeLinear", "QLinearConv", "MatMulInteger",
                         "DynamicQuantizeLinear", "QGemm"}) {
    onnx::ModelProto model;
    *model.mutable_graph()->add_node() = NodeOf(op);
    EXPECT_TRUE(FindFacts(model).quantized) << op;
    EXPECT_TRUE(FindFacts(model).has_inexact_products) << op;
  }
  onnx::ModelProto floats;
  *floats.mutable_graph()->add_node() = NodeOf("MatMul");
  EXPECT_FALSE(FindFacts(floats).quantized);
  EXPECT_FALSE(FindFacts(floats).has_inexact_products);
}

TEST(ImportedModelTest, ProductsWithPackedWeightsAreInexactButNotQuantized) {
  onnx::ModelProto model;
  *model.mutable_graph()->add_node() = NodeOf("MatMulNBits");
  EXPECT_FALSE(FindFacts(model).quantized);
  EXPECT_TRUE(FindFacts(model).has_inexact_products);
}

TEST(ImportedModelTest, FindsOperatorsInBodiesAndFunctions) {
  onnx::ModelProto body;
  *body.mutable_graph()->add_node()->add_attribute()->mutable_g()->add_node() =
      NodeOf("QuantizeLinear");
  EXPECT_TRUE(FindFacts(body).quantized);

  onnx::ModelProto bodies;
  *bodies.mutable_graph()
       ->add_node()
       ->add_attribute()
       ->add_graphs()
       ->add_node() = NodeOf("QGemm");
  EXPECT_TRUE(FindFacts(bodies).quantized);

  onnx::ModelProto function;
  *function.add_functions()->add_node() = NodeOf("QLinearMatMul");
  EXPECT_TRUE(FindFacts(function).quantized);
}

TEST(ImportedModelTest, FindsExternalFilesOfAllTensors) {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
  Put(graph.add_initializer(), "a");
  Put(graph.add_initializer(), "a");
  graph.add_initializer()->add_float_data(1);
  onnx::SparseTensorProto& sparse = *graph.add_sparse_initializer();
  Put(sparse.mutable_values(), "b");
  Put(sparse.mutable_indices(), "c");
  onnx::NodeProto& node = *graph.add_node();
  Put(node.add_attribute()->mutable_t(), "d");
  Put(node.add_attribute()->add_tensors(), "e");
  Put(node.add_attribute()->mutable_sparse_tensor()->mutable_values(), "f");
  Put(node.add_attribute()->add_sparse_tensors()->mutable_indices(), "g");
  Put(node.add_attribute()->mutable_g()->add_initializer(), "h");
  Put(model.add_functions()->add_node()->add_attribute()->mutable_t(), "i");
  onnx::TrainingInfoProto& training = *model.add_training_info();
  Put(training.mutable_initialization()->add_initializer(), "j");
  Put(training.mutable_algorithm()->add_initializer(), "k");
  EXPECT_THAT(
      FindFacts(model).external_files,
      ElementsAre("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"));
}

}  // namespace
}  // namespace assay::frontend
