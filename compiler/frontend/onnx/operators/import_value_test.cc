#include "compiler/frontend/onnx/operators/import_value.h"

#include "compiler/graph/graph.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

using Values = std::vector<graph::Value>;

class ImportValueTest : public testing::Test {
 protected:
  graph::Value Input(const char* name) {
    return {graph_.AddInput(name, {DType::Float32(), {2}}).value()};
  }

  graph::Graph graph_{"g"};
};

TEST_F(ImportValueTest, Tensor) {
  const graph::Value a = Input("a");
  const ImportValue value = a;
  EXPECT_TRUE(value.is_tensor());
  EXPECT_FALSE(value.is_sequence() || value.is_optional());
  EXPECT_FALSE(value.is_left_out());
  EXPECT_EQ(value.tensor(), a);
  EXPECT_EQ(value.tensors(), Values{a});
  EXPECT_EQ(value.KindName(), "a tensor");
}

TEST_F(ImportValueTest, NullTensorIsLeftOut) {
  const ImportValue value = graph::Value();
  EXPECT_TRUE(value.is_left_out());
  EXPECT_FALSE(value.is_tensor());
  EXPECT_TRUE(value.tensors().empty());
}

TEST_F(ImportValueTest, SequenceMayBeEmpty) {
  const graph::Value a = Input("a"), b = Input("b");
  const ImportValue pair(TensorSequence{DType::Float32(), {a, b}});
  EXPECT_TRUE(pair.is_sequence());
  EXPECT_FALSE(pair.is_tensor());
  EXPECT_EQ(pair.sequence().elements, (Values{a, b}));
  EXPECT_EQ(pair.tensors(), (Values{a, b}));
  EXPECT_EQ(pair.KindName(), "a sequence");

  const ImportValue empty(TensorSequence{DType::Int64(), {}});
  EXPECT_TRUE(empty.is_sequence());
  EXPECT_FALSE(empty.is_left_out());
  EXPECT_EQ(empty.sequence().dtype, DType::Int64());
}

TEST_F(ImportValueTest, OptionalValues) {
  const graph::Value a = Input("a");
  const ImportValue tensor = ImportValue::Present(a);
  EXPECT_TRUE(tensor.is_optional());
  EXPECT_TRUE(tensor.is_present());
  EXPECT_FALSE(tensor.is_tensor() || tensor.has_sequence());
  EXPECT_EQ(tensor.content().tensor(), a);
  EXPECT_EQ(tensor.KindName(), "an optional value");

  const ImportValue sequence =
      ImportValue::Present(ImportValue(TensorSequence{DType::Float32(), {a}}));
  EXPECT_FALSE(sequence.is_sequence());
  EXPECT_TRUE(sequence.has_sequence());
  EXPECT_EQ(sequence.content().sequence().elements, Values{a});
  EXPECT_EQ(sequence.tensors(), Values{a});

  const ImportValue absent = ImportValue::Absent();
  EXPECT_TRUE(absent.is_optional());
  EXPECT_FALSE(absent.is_present() || absent.is_left_out());
  EXPECT_TRUE(absent.tensors().empty());
}

}  // namespace
}  // namespace assay::frontend
