#include "compiler/frontend/onnx/contrib/node_builder.h"

#include <cstring>
#include <string>

#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

TEST(NodeBuilderTest, NamesResultsInOrder) {
  NodeBuilder b;
  const std::string sum = b.Add("x", "y");
  const NodeBuilder::Added parts =
      b.Node("Split", {sum, b.Int64s({1, 2})}, 2).Int("axis", -1);
  EXPECT_EQ(sum, "%0");
  EXPECT_EQ(std::string(parts), "%2");
  EXPECT_EQ(parts.Result(1), "%3");
  ASSERT_EQ(b.nodes().size(), 3);
  EXPECT_EQ(b.nodes().Get(0).op_type(), "Add");
  EXPECT_EQ(b.nodes().Get(0).input(1), "y");
  EXPECT_EQ(b.nodes().Get(1).op_type(), "Constant");
  EXPECT_EQ(b.nodes().Get(2).input(0), "%0");
  EXPECT_EQ(b.nodes().Get(2).input(1), "%1");
}

TEST(NodeBuilderTest, WritesAttributesWithTheirTypes) {
  NodeBuilder b;
  AttributeProto copied;
  copied.set_name("copied");
  const std::string y = b.Node("Some", {})
                            .Int("i", 2)
                            .Ints("is", {3, 4})
                            .Float("f", 0.5f)
                            .String("s", "text")
                            .Copy(copied);
  EXPECT_EQ(y, "%0");
  const onnx::NodeProto& node = b.nodes().Get(0);
  ASSERT_EQ(node.attribute_size(), 5);
  EXPECT_EQ(node.attribute(0).name(), "i");
  EXPECT_EQ(node.attribute(0).type(), AttributeProto::INT);
  EXPECT_EQ(node.attribute(0).i(), 2);
  EXPECT_EQ(node.attribute(1).type(), AttributeProto::INTS);
  EXPECT_EQ(node.attribute(1).ints(1), 4);
  EXPECT_EQ(node.attribute(2).type(), AttributeProto::FLOAT);
  EXPECT_EQ(node.attribute(2).f(), 0.5f);
  EXPECT_EQ(node.attribute(3).type(), AttributeProto::STRING);
  EXPECT_EQ(node.attribute(3).s(), "text");
  EXPECT_EQ(node.attribute(4).name(), "copied");
}

TEST(NodeBuilderTest, WritesConstants) {
  NodeBuilder b;
  b.Int64s({7, -1});
  b.Scalar(DType::Float32(), 1.5);
  b.Scalar(DType::UInt(8), 3);
  const TensorProto& ints = b.nodes().Get(0).attribute(0).t();
  EXPECT_EQ(ints.data_type(), TensorProto::INT64);
  ASSERT_EQ(ints.dims_size(), 1);
  EXPECT_EQ(ints.dims(0), 2);
  int64_t second = 0;
  ASSERT_EQ(ints.raw_data().size(), 16u);
  std::memcpy(&second, ints.raw_data().data() + 8, sizeof(second));
  EXPECT_EQ(second, -1);
  const TensorProto& number = b.nodes().Get(1).attribute(0).t();
  EXPECT_EQ(number.data_type(), TensorProto::FLOAT);
  EXPECT_EQ(number.dims_size(), 0);
  float value = 0;
  ASSERT_EQ(number.raw_data().size(), 4u);
  std::memcpy(&value, number.raw_data().data(), sizeof(value));
  EXPECT_EQ(value, 1.5f);
  EXPECT_EQ(b.nodes().Get(2).attribute(0).t().raw_data(), "\x03");
}

TEST(NodeBuilderTest, CastsOnlyToAnotherType) {
  NodeBuilder b;
  EXPECT_EQ(b.Cast("x", DType::Float32(), DType::Float32()), "x");
  EXPECT_EQ(b.nodes().size(), 0);
  EXPECT_EQ(b.Cast("x", DType::Float16(), DType::Float32()), "%0");
  EXPECT_EQ(b.nodes().Get(0).attribute(0).i(), TensorProto::FLOAT);
}

}  // namespace
}  // namespace assay::frontend
