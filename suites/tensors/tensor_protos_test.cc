#include "suites/tensors/tensor_protos.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using onnx::TensorProto;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMemory = 1 << 20;

// Opens and reads a tensor. Returns the error, or an empty string.
std::string ErrorOf(const std::string& bytes, int64_t max_memory = kMemory) {
  MemoryBudget memory(max_memory);
  const auto tensor = OpenTensorProto("x.pb", bytes, &memory);
  if (!tensor.ok()) return std::string(tensor.status().message());
  return std::string(tensor->read().status().message());
}

TEST(TensorProtosTest, RoundTrips) {
  for (const DType dtype :
       {DType::Float16(), DType::BFloat16(), DType::Float32(), DType::Float64(),
        DType::Int(8), DType::Int(16), DType::Int32(), DType::Int64(),
        DType::UInt(8), DType::UInt(16), DType::UInt(32), DType::UInt(64),
        DType::Bool()}) {
    for (const Shape& shape : {Shape{}, Shape{2, 3}, Shape{0, 4}}) {
      NDArray value(dtype, shape);
      if (value.num_bytes() > 0) static_cast<char*>(value.raw())[0] = 1;
      const auto bytes = SerializeTensorProto("x", value);
      ASSERT_TRUE(bytes.ok()) << dtype << ": " << bytes.status();
      MemoryBudget memory(kMemory);
      const auto tensor = OpenTensorProto("x.pb", *bytes, &memory);
      ASSERT_TRUE(tensor.ok()) << tensor.status();
      EXPECT_EQ(tensor->name, "x");
      EXPECT_EQ(tensor->label, "`x.pb`");
      EXPECT_EQ(tensor->type.dtype, dtype);
      EXPECT_EQ(tensor->type.shape, shape);
      const absl::StatusOr<NDArray> read = tensor->read();
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_TRUE(BitwiseEqual(*read, value)) << dtype;
    }
  }
}

TEST(TensorProtosTest, Errors) {
  EXPECT_EQ(ErrorOf("\xff\xff"),
            "`x.pb`: is no ONNX tensor: its 2 bytes cannot be parsed");
  EXPECT_EQ(ErrorOf(""), "`x.pb`: has no element type");
  TensorProto proto;
  proto.set_data_type(TensorProto::STRING);
  EXPECT_EQ(ErrorOf(proto.SerializeAsString()),
            "`x.pb`: element type `string` is not supported");
  proto.set_data_type(TensorProto::FLOAT);
  proto.add_dims(2);
  EXPECT_EQ(ErrorOf(proto.SerializeAsString()),
            "`x.pb`: has 0 values but its extents need 2");
  proto.set_raw_data("abcde");
  EXPECT_EQ(ErrorOf(proto.SerializeAsString()),
            "`x.pb`: has 5 bytes of data but its extents need 8");
  proto.set_data_location(TensorProto::EXTERNAL);
  EXPECT_EQ(ErrorOf(proto.SerializeAsString()),
            "`x.pb`: has its data in another file, which is not supported");
  proto.set_data_location(TensorProto::DEFAULT);
  for (int i = 0; i < 64; ++i) proto.add_dims(1);
  EXPECT_EQ(ErrorOf(proto.SerializeAsString()),
            "`x.pb`: has 65 axes; at most 64 are supported");
}

TEST(TensorProtosTest, MemoryIsLimited) {
  TensorProto proto;
  proto.set_data_type(TensorProto::FLOAT);
  proto.add_dims(1 << 20);
  const std::string bytes = proto.SerializeAsString();
  EXPECT_EQ(ErrorOf(bytes, 1 << 20).substr(0, 30),
            "`x.pb` needs 4 MiB, more than ");
  EXPECT_EQ(ErrorOf(bytes, 5 << 20),
            "`x.pb`: has 0 values but its extents need 1048576");
}

TEST(TensorProtosTest, FindsConsecutiveFiles) {
  const TempDir dir = TempDir::Create().value();
  EXPECT_THAT(FindInputProtos(dir.path()), IsEmpty());
  for (const char* name : {"input_0.pb", "input_1.pb", "input_3.pb",
                           "output_0.pb", "input_x.pb"}) {
    ASSERT_TRUE(WriteFileAtomic(JoinPath(dir.path(), name), "").ok());
  }
  EXPECT_THAT(FindInputProtos(dir.path()),
              ElementsAre(JoinPath(dir.path(), "input_0.pb"),
                          JoinPath(dir.path(), "input_1.pb")));
}

}  // namespace
}  // namespace assay::suites
