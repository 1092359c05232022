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
