#include "suites/correctness/onnx_model.h"

#include <cstdint>
#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/models/model_file.h"
#include "suites/models/resnet.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

onnx::ModelProto TinyModel(const std::string& symbolic_batch = "") {
  ResNetOptions options = TinyResNetOptions();
  options.style.symbolic_batch = symbolic_batch;
  return BuildResNet(options);
}

class OnnxModelTest : public ::testing::Test {
 protected:
  OnnxModelTest() : dir_(TempDir::Create().value()) {}

  std::string Write(const std::string& name, const onnx::ModelProto& model,
                    bool external_data) {
    const std::string path = JoinPath(dir_.path(), name);
    EXPECT_TRUE(WriteModel(model, path, external_data).ok());
    return path;
  }

  std::string Digest(const std::string& path,
                     const std::map<std::string, int64_t>& dims = {}) {
    const absl::StatusOr<Model> model = LoadOnnxFile(path, dims);
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? model->digest : "";
  }

  TempDir dir_;
};

TEST_F(OnnxModelTest, FileAndItsBytesHaveSameDigest) {
  const std::string path = Write("tiny.v1.onnx", TinyModel(), false);
  const absl::StatusOr<Model> file = LoadOnnxFile(path, {});
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->name, "tiny.v1");
  EXPECT_EQ(file->digest.size(), 64u);
  ASSERT_NE(file->graph, nullptr);
  EXPECT_EQ(file->graph->inputs().size(), 1u);

  const absl::StatusOr<Model> bytes =
      LoadOnnxBytes("tiny", *ReadFile(path), {});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(bytes->name, "tiny");
  EXPECT_EQ(bytes->digest, file->digest);
}

TEST_F(OnnxModelTest, DigestCoversExternalDataAndDims) {
  const std::string path = Write("tiny.onnx", TinyModel(), true);
  const std::string before = Digest(path);
  std::string data = *ReadFile(path + ".data");
  data[data.size() / 2] ^= 1;
  ASSERT_TRUE(WriteFileAtomic(path + ".data", data).ok());
  EXPECT_NE(Digest(path), before);

  const std::string open = Write("open.onnx", TinyModel("N"), false);
  EXPECT_NE(Digest(open, {{"N", 1}}), Digest(open, {{"N", 2}}));
}

// A model `y = x + w` in a branch of an If, whose constant w is in `file`.
onnx::ModelProto ModelWithBranch(const std::string& file) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("g");
  const auto add_value = [](const char* name, onnx::ValueInfoProto* value) {
    value->set_name(name);
    auto* type = value->mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::FLOAT);
    type->mutable_shape()->add_dim()->set_dim_value(1);
  };
  add_value("x", graph.add_input());
  add_value("y", graph.add_output());
  onnx::TensorProto& condition = *graph.add_initializer();
  condition.set_name("condition");
  condition.set_data_type(onnx::TensorProto::BOOL);
  condition.add_int32_data(1);
  onnx::NodeProto& choice = *graph.add_node();
  choice.set_op_type("If");
  choice.add_input("condition");
  choice.add_output("y");
  for (const char* name : {"then_branch", "else_branch"}) {
    onnx::AttributeProto& branch = *choice.add_attribute();
    branch.set_name(name);
    branch.set_type(onnx::AttributeProto::GRAPH);
    onnx::GraphProto& body = *branch.mutable_g();
    body.set_name(name);
    add_value("sum", body.add_output());
    onnx::TensorProto& w = *body.add_initializer();
    w.set_name("w");
    w.set_data_type(onnx::TensorProto::FLOAT);
    w.add_dims(1);
    w.set_data_location(onnx::TensorProto::EXTERNAL);
    onnx::StringStringEntryProto& location = *w.add_external_data();
    location.set_key("location");
    location.set_value(file);
    onnx::NodeProto& add = *body.add_node();
    add.set_op_type("Add");
    add.add_input("x");
    add.add_input("w");
    add.add_output("sum");
  }
  return model;
}

TEST_F(OnnxModelTest, DigestCoversExternalDataOfBranches) {
  const std::string path = JoinPath(dir_.path(), "branch.onnx");
  const std::string data = JoinPath(dir_.path(), "w.bin");
  ASSERT_TRUE(
      WriteFileAtomic(path, ModelWithBranch("w.bin").SerializeAsString()).ok());
  ASSERT_TRUE(WriteFileAtomic(data, std::string(4, '\0')).ok());
  const std::string before = Digest(path);
  ASSERT_TRUE(WriteFileAtomic(data, std::string(4, '\1')).ok());
  EXPECT_NE(Digest(path), before);
  EXPECT_EQ(LoadOnnxFile(path, {})->file_with_external_data, path);
}

// Other runtimes may read tensors that the importer does not read.
TEST_F(OnnxModelTest, ExternalDataOfUnusedTensorsMustBeInTheFolder) {
  onnx::ModelProto model = TinyModel();
  onnx::TensorProto& unused = *model.mutable_graph()->add_initializer();
  unused.set_name("unused");
  unused.set_data_type(onnx::TensorProto::FLOAT);
  unused.add_dims(1);
  unused.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& location = *unused.add_external_data();
  location.set_key("location");
  location.set_value("../secret");
  const std::string path = JoinPath(dir_.path(), "unused.onnx");
  ASSERT_TRUE(WriteFileAtomic(path, model.SerializeAsString()).ok());
  const absl::Status status = LoadOnnxFile(path, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("`../secret`, which is outside the model's folder"));
}

TEST_F(OnnxModelTest, KnowsQuantizedFiles) {
  onnx::ModelProto model = TinyModel();
  const absl::StatusOr<Model> floats =
      LoadOnnxFile(Write("float.onnx", model, true), {});
  ASSERT_TRUE(floats.ok()) << floats.status();
  EXPECT_FALSE(floats->quantized);

  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::TensorProto& scale = *graph.add_initializer();
  scale.set_name("scale");
  scale.set_data_type(onnx::TensorProto::FLOAT);
  scale.add_float_data(0.5f);
  onnx::NodeProto& quantize = *graph.add_node();
  quantize.set_op_type("QuantizeLinear");
  quantize.add_input(graph.output(0).name());
  quantize.add_input("scale");
  quantize.add_output("quantized");
  const std::string path = Write("quantized.onnx", model, true);
  const absl::StatusOr<Model> file = LoadOnnxFile(path, {});
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->quantized);
  EXPECT_NE(file->onnx, nullptr);
  EXPECT_EQ(file->file_with_external_data, path);

  const absl::StatusOr<Model> bytes =
      LoadOnnxBytes("quantized", SerializeModel(model), {});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_TRUE(bytes->quantized);
  EXPECT_NE(bytes->onnx, nullptr);
  EXPECT_EQ(bytes->file_with_external_data, "");
}

TEST_F(OnnxModelTest, ErrorsNameTheFile) {
  const absl::Status missing = LoadOnnxFile("/no/such.onnx", {}).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("/no/such.onnx"));
  const std::string path = JoinPath(dir_.path(), "bad.onnx");
  ASSERT_TRUE(WriteFileAtomic(path, "not a model").ok());
  EXPECT_THAT(std::string(LoadOnnxFile(path, {}).status().message()),
              HasSubstr("is no ONNX model"));
}

}  // namespace
}  // namespace assay::suites
