#include "suites/models/model_file.h"

#include <string>

#include "absl/strings/numbers.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/models/resnet.h"

namespace assay::suites {
namespace {

onnx::ModelProto TinyModel() { return BuildResNet(TinyResNetOptions()); }

TEST(ModelFileTest, WritesTheSerializedModel) {
  const auto folder = TempDir::Create();
  ASSERT_TRUE(folder.ok());
  const std::string path = JoinPath(folder->path(), "m.onnx");
  ASSERT_TRUE(WriteModel(TinyModel(), path, false).ok());
  const auto bytes = ReadFile(path);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(*bytes, SerializeModel(TinyModel()));
  EXPECT_FALSE(FileExists(path + ".data"));
}

TEST(ModelFileTest, ExternalDataHoldsTheLargeTensors) {
  const auto folder = TempDir::Create();
  ASSERT_TRUE(folder.ok());
  const std::string path = JoinPath(folder->path(), "m.onnx");
  ASSERT_TRUE(WriteModel(TinyModel(), path, true).ok());
  const auto data = ReadFile(path + ".data");
  ASSERT_TRUE(data.ok());
  const auto bytes = ReadFile(path);
  ASSERT_TRUE(bytes.ok());
  onnx::ModelProto read;
  ASSERT_TRUE(read.ParseFromString(*bytes));

  const onnx::ModelProto original = TinyModel();
  int external = 0;
  for (int i = 0; i < original.graph().initializer_size(); ++i) {
    const onnx::TensorProto& want = original.graph().initializer(i);
    const onnx::TensorProto& got = read.graph().initializer(i);
    if (got.data_location() != onnx::TensorProto::EXTERNAL) {
      EXPECT_EQ(got.raw_data(), want.raw_data());
      continue;
    }
    ++external;
    ASSERT_EQ(got.external_data_size(), 3);
    EXPECT_EQ(got.external_data(0).value(), "m.onnx.data");
    int64_t offset = 0;
    ASSERT_TRUE(absl::SimpleAtoi(got.external_data(1).value(), &offset));
    EXPECT_EQ(offset % kExternalAlignment, 0);
    EXPECT_EQ(data->substr(offset, want.raw_data().size()), want.raw_data());
  }
  EXPECT_GT(external, 0);
  EXPECT_LT(external, original.graph().initializer_size());
}

TEST(ModelFileTest, ErrorNamesThePath) {
  const auto status = WriteModel(TinyModel(), "/nonexistent/m.onnx", true);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("/nonexistent/m.onnx.data"),
            absl::string_view::npos);
}

}  // namespace
}  // namespace assay::suites
