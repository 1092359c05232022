// A model that needs more memory than ImportOptions::max_memory is rejected,
// naming the value that exceeds the limit, before it is allocated. No single
// value exceeds the limits of these tests.
#include <string>
#include <utility>

#include "compiler/frontend/onnx/import.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"
#include "suites/models/onnx_builder.h"

namespace assay::frontend {
namespace {

constexpr int64_t kLimit = 1 << 10;

class MaxMemoryTest : public testing::Test {
 protected:
  MaxMemoryTest() {
    model_.set_ir_version(suites::IrVersionFor(13));
    model_.add_opset_import()->set_version(13);
    graph().set_name("g");
    auto* input = graph().add_input();
    input->set_name("x");
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::FLOAT);
    type->mutable_shape()->add_dim()->set_dim_value(25);  // 100 bytes
    Sum(graph(), {"x", "x"}, "y");
    graph().add_output()->set_name("y");
  }

  onnx::GraphProto& graph() { return *model_.mutable_graph(); }

  static void Sum(onnx::GraphProto& graph,
                  const std::vector<std::string>& inputs,
                  const std::string& output) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("Sum");
    node.set_name(output);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
  }

  onnx::TensorProto* Weight(const std::string& name, int64_t count) {
    *graph().add_initializer() =
        suites::ToTensorProto(name, NDArray(DType::Float32(), {count}));
    return graph().mutable_initializer(graph().initializer_size() - 1);
  }

  // Empty if the model is accepted.
  std::string Error(const std::string& folder = "") const {
    ImportOptions options;
    options.max_memory = kLimit;
    const absl::Status status =
        ImportOnnxModel(model_, options, folder).status();
    if (status.ok()) return "";
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
    return std::string(status.message());
  }

  onnx::ModelProto model_;
};

TEST_F(MaxMemoryTest, InitializersAreCountedTogether) {
  Weight("a", 100);
  EXPECT_EQ(Error(), "");
  Weight("b", 100);
  EXPECT_EQ(Error(), "");
  Weight("c", 100);
  EXPECT_EQ(Error(),
            "initializer `c`: needs 400 bytes, more than the 224 bytes that "
            "--max_memory leaves");
}

TEST_F(MaxMemoryTest, CountsInputs) {
  Weight("a", 240);
  EXPECT_EQ(Error(),
            "input `x`: float32[25] needs 100 bytes, more than the 64 bytes "
            "that --max_memory leaves");
}

TEST_F(MaxMemoryTest, CountsExternalDataBeforeReading) {
  const auto folder = TempDir::Create();
  ASSERT_TRUE(
      WriteFileAtomic(JoinPath(folder->path(), "w"), std::string(400, '\0'))
          .ok());
  for (const char* name : {"a", "b", "c"}) {
    onnx::TensorProto* tensor = Weight(name, 100);
    tensor->clear_raw_data();
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    auto* entry = tensor->add_external_data();
    entry->set_key("location");
    entry->set_value("w");
  }
  EXPECT_EQ(Error(folder->path()),
            "initializer `c`: needs 400 bytes, more than the 224 bytes that "
            "--max_memory leaves");
}

TEST_F(MaxMemoryTest, CountsFoldedConstants) {
  Weight("a", 50);
  Sum(graph(), {"a", "a"}, "twice");
  Sum(graph(), {"twice", "a"}, "thrice");
  Sum(graph(), {"thrice", "a"}, "four");
  EXPECT_EQ(Error(), "");
  Sum(graph(), {"four", "a"}, "five");
  EXPECT_EQ(Error(),
            "node `five` (Sum): float32[50] needs 200 bytes, more than the 124 "
            "bytes that --max_memory leaves");
}

TEST_F(MaxMemoryTest, IntermediateValuesMustFitBesideTheConstants) {
  Weight("a", 200);
  onnx::NodeProto& node = *graph().add_node();
  node.set_op_type("Concat");
  node.set_name("cat");
  for (int i = 0; i < 2; ++i) node.add_input("x");
  node.add_output("cat");
  suites::SetInt(&node, "axis", 0);
  EXPECT_EQ(Error(),
            "node `cat` (Concat): float32[50] needs 200 bytes, more than the "
            "124 bytes that --max_memory leaves");
}

// The sequence is empty, but its batch is not.
TEST_F(MaxMemoryTest, CountsInitialStates) {
  auto* input = graph().add_input();
  input->set_name("s");
  auto* type = input->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  for (const int64_t extent : {0, 1 << 20, 2}) {
    type->mutable_shape()->add_dim()->set_dim_value(extent);
  }
  for (const auto& [name, columns] : {std::pair("w", 2), std::pair("r", 1)}) {
    *graph().add_initializer() =
        suites::ToTensorProto(name, NDArray(DType::Float32(), {1, 4, columns}));
  }
  onnx::NodeProto& node = *graph().add_node();
  node.set_op_type("LSTM");
  node.set_name("lstm");
  for (const char* name : {"s", "w", "r"}) node.add_input(name);
  node.add_output("states");
  suites::SetInt(&node, "hidden_size", 1);
  EXPECT_EQ(Error(),
            "node `lstm` (LSTM): float32[1,1048576,1] needs 4 MiB, more than "
            "the 876 bytes that --max_memory leaves");
}

TEST_F(MaxMemoryTest, DoesNotReadTooLargeFile) {
  const auto folder = TempDir::Create();
  const std::string path = JoinPath(folder->path(), "m.onnx");
  model_.set_doc_string(std::string(kLimit, 'x'));
  ASSERT_TRUE(WriteFileAtomic(path, model_.SerializeAsString()).ok());
  ImportOptions options;
  EXPECT_TRUE(ImportOnnxFile(path, options).ok());
  options.max_memory = kLimit;
  EXPECT_TRUE(
      absl::IsResourceExhausted(ImportOnnxFile(path, options).status()));
}

}  // namespace
}  // namespace assay::frontend
