#include "suites/references/exact_model.h"

#include <cstdint>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::suites {
namespace {

void AddNode(onnx::NodeProto* node, const std::string& op, int64_t level) {
  node->set_op_type(op);
  onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name("accuracy_level");
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(level);
}

TEST(WithExactProductsTest, ForbidsRoundingInAllNodes) {
  onnx::ModelProto model;
  AddNode(model.mutable_graph()->add_node(), "MatMulNBits", 4);
  AddNode(model.mutable_graph()->add_node(), "Other", 4);
  onnx::NodeProto* loop = model.mutable_graph()->add_node();
  loop->set_op_type("Loop");
  onnx::AttributeProto* body = loop->add_attribute();
  body->set_name("body");
  AddNode(body->mutable_g()->add_node(), "MatMulNBits", 1);
  AddNode(model.add_functions()->add_node(), "MatMulNBits", 4);
  const std::optional<std::string> exact =
      WithExactProducts(model.SerializeAsString());
  ASSERT_TRUE(exact.has_value());
  onnx::ModelProto result;
  ASSERT_TRUE(result.ParseFromString(*exact));
  EXPECT_EQ(result.graph().node(0).attribute(0).i(), 0);
  EXPECT_EQ(result.graph().node(1).attribute(0).i(), 4);
  EXPECT_EQ(result.graph().node(2).attribute(0).g().node(0).attribute(0).i(),
            0);
  EXPECT_EQ(result.functions(0).node(0).attribute(0).i(), 0);
}

TEST(WithExactProductsTest, LeavesOtherModels) {
  onnx::ModelProto model;
  AddNode(model.mutable_graph()->add_node(), "MatMulNBits", 0);
  AddNode(model.mutable_graph()->add_node(), "Other", 4);
  EXPECT_EQ(WithExactProducts(model.SerializeAsString()), std::nullopt);
  EXPECT_EQ(WithExactProducts("no model"), std::nullopt);
}

}  // namespace
}  // namespace assay::suites
