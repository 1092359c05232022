#include "compiler/frontend/onnx/proto/tensor.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::frontend {
namespace {

using onnx::TensorProto;

constexpr int64_t kMaxBytes = 1 << 20;

TensorProto Tensor(TensorProto::DataType type, const Shape& dims) {
  TensorProto tensor;
  tensor.set_data_type(type);
  for (const int64_t extent : dims) tensor.add_dims(extent);
  return tensor;
}

std::string ErrorOf(const TensorProto& tensor, const std::string& folder) {
  const auto array = ReadTensor(tensor, folder, kMaxBytes);
  return array.ok() ? "" : std::string(array.status().message());
}

template <typename T>
void ExpectValues(const TensorProto& tensor, DType dtype,
                  const std::vector<T>& values) {
  const auto array = ReadTensor(tensor, "", kMaxBytes);
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(array->dtype(), dtype);
  const auto data = array->data<T>();
  EXPECT_EQ(std::vector<T>(data.begin(), data.end()), values);
}

TEST(TensorTest, RawDataOfEveryType) {
  const std::pair<TensorProto::DataType, DType> types[] = {
      {TensorProto::FLOAT, DType::Float32()},
      {TensorProto::DOUBLE, DType::Float64()},
      {TensorProto::FLOAT16, DType::Float16()},
      {TensorProto::BFLOAT16, DType::BFloat16()},
      {TensorProto::INT8, DType::Int(8)},
      {TensorProto::INT16, DType::Int(16)},
      {TensorProto::INT32, DType::Int32()},
      {TensorProto::INT64, DType::Int64()},
      {TensorProto::UINT8, DType::UInt(8)},
      {TensorProto::UINT16, DType::UInt(16)},
      {TensorProto::UINT32, DType::UInt(32)},
      {TensorProto::UINT64, DType::UInt(64)},
      {TensorProto::BOOL, DType::Bool()}};
  for (const auto& [onnx_type, dtype] : types) {
    TensorProto tensor = Tensor(onnx_type, {2, 3});
    const std::string bytes(6 * dtype.bytes(), '\x01');
    tensor.set_raw_data(bytes);
    const auto array = ReadTensor(tensor, "", kMaxBytes);
    ASSERT_TRUE(array.ok()) << dtype << ": " << array.status();
    EXPECT_EQ(array->dtype(), dtype);
    EXPECT_EQ(array->shape(), (Shape{2, 3}));
    EXPECT_EQ(
        std::string(static_cast<const char*>(array->raw()), array->num_bytes()),
        bytes);
  }
}

TEST(TensorTest, TypedFields) {
  TensorProto floats = Tensor(TensorProto::FLOAT, {2});
  floats.add_float_data(1.5f);
  floats.add_float_data(-2.0f);
  ExpectValues<float>(floats, DType::Float32(), {1.5f, -2.0f});
  TensorProto int8s = Tensor(TensorProto::INT8, {2});
  int8s.add_int32_data(-128);
  int8s.add_int32_data(127);
  ExpectValues<int8_t>(int8s, DType::Int(8), {-128, 127});
  TensorProto uint32s = Tensor(TensorProto::UINT32, {1});
  uint32s.add_uint64_data(4294967295u);
  ExpectValues<uint32_t>(uint32s, DType::UInt(32), {4294967295u});
  TensorProto int64s = Tensor(TensorProto::INT64, {});
  int64s.add_int64_data(-7);
  ExpectValues<int64_t>(int64s, DType::Int64(), {-7});
  TensorProto bools = Tensor(TensorProto::BOOL, {2});
  bools.add_int32_data(1);
  bools.add_int32_data(0);
  ExpectValues<uint8_t>(bools, DType::Bool(), {1, 0});
}

TEST(TensorTest, KeepsNan) {
  TensorProto tensor = Tensor(TensorProto::FLOAT, {1});
  tensor.add_float_data(std::numeric_limits<float>::quiet_NaN());
  const auto array = ReadTensor(tensor, "", kMaxBytes);
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_TRUE(std::isnan(array->data<float>()[0]));
}

TEST(TensorTest, NoElements) {
  const auto array = ReadTensor(Tensor(TensorProto::INT64, {0}), "", kMaxBytes);
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(array->num_elements(), 0);
}

TEST(TensorTest, Errors) {
  TensorProto tensor = Tensor(TensorProto::INT8, {1});
  tensor.add_int32_data(200);
  EXPECT_EQ(ErrorOf(tensor, ""),
            "field int32_data has the value 200, which is no int8");
  tensor = Tensor(TensorProto::BOOL, {1});
  tensor.set_raw_data("\x02");
  EXPECT_EQ(ErrorOf(tensor, ""), "has the bool 2, which is neither 0 nor 1");
  tensor = Tensor(TensorProto::INT64, {1});
  tensor.add_int32_data(1);
  EXPECT_EQ(ErrorOf(tensor, ""),
            "has data in field int32_data but its data is in int64_data");
  EXPECT_EQ(ErrorOf(Tensor(TensorProto::FLOAT, {1 << 20}), ""),
            "needs 4 MiB, more than the 1 MiB that --max_memory leaves");
  EXPECT_EQ(ErrorOf(Tensor(TensorProto::STRING, {1}), ""),
            "element type `string` is not supported");
}

// The schema does not have the types of newer versions of the format.
TEST(ReadElementTypeTest, NamesTypesThatAreNotSupported) {
  const auto error = [](int32_t type) {
    return std::string(ReadElementType(type).status().message());
  };
  EXPECT_EQ(error(17), "element type `float8e4m3fn` is not supported");
  EXPECT_EQ(error(22), "element type `int4` is not supported");
  EXPECT_EQ(error(28), "element type `float6e3m2` is not supported");
  EXPECT_EQ(error(29), "element type number 29 is not supported");
  EXPECT_EQ(error(-1), "element type number -1 is not supported");
}

class ExternalDataTest : public testing::Test {
 protected:
  void SetUp() override {
    auto outside = TempDir::Create();
    ASSERT_TRUE(outside.ok());
    outside_.emplace(*std::move(outside));
    folder_ = JoinPath(outside_->path(), "model");
    ASSERT_TRUE(MakeDirs(JoinPath(folder_, "sub")).ok());
    Write(JoinPath(folder_, "w.bin"));
    Write(JoinPath(folder_, "sub/w.bin"));
    Write(JoinPath(outside_->path(), "secret.bin"));
  }

  void Write(const std::string& path) {
    ASSERT_TRUE(WriteFileAtomic(path, "abcdefgh").ok());
  }

  TensorProto External(
      const std::vector<std::pair<std::string, std::string>>& entries) {
    TensorProto tensor = Tensor(TensorProto::UINT8, {4});
    tensor.set_data_location(TensorProto::EXTERNAL);
    for (const auto& [key, value] : entries) {
      auto* entry = tensor.add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    return tensor;
  }

  std::string Content(const TensorProto& tensor) {
    const auto array = ReadTensor(tensor, folder_, kMaxBytes);
    if (!array.ok()) return std::string(array.status().message());
    return std::string(static_cast<const char*>(array->raw()),
                       array->num_bytes());
  }

  std::optional<TempDir> outside_;
  std::string folder_;
};

TEST_F(ExternalDataTest, OffsetAndLength) {
  EXPECT_EQ(Content(External({{"location", "w.bin"}})), "abcd");
  EXPECT_EQ(Content(External({{"location", "w.bin"}, {"offset", "4"}})),
            "efgh");
  EXPECT_EQ(Content(External({{"location", "./sub/w.bin"},
                              {"offset", "1"},
                              {"length", "4"},
                              {"checksum", "anything"}})),
            "bcde");
}

TEST_F(ExternalDataTest, Errors) {
  EXPECT_EQ(Content(External({{"location", "w.bin"}, {"length", "8"}})),
            "has 8 bytes in file `w.bin` but its extents need 4");
  EXPECT_EQ(Content(External({{"location", "w.bin"}, {"offset", "5"}})),
            "needs 4 bytes from byte 5 of file `w.bin`, which has only 8");
  EXPECT_EQ(Content(External({{"location", "w.bin"}, {"offset", "-1"}})),
            "external data has offset `-1`, which is no count of bytes");
  EXPECT_EQ(Content(External({{"location", "w.bin"}, {"location", "w.bin"}})),
            "external data has an unknown or repeated key `location`");
  EXPECT_EQ(Content(External({{"location", "w.bin"}, {"prepacked", "1"}})),
            "external data has an unknown or repeated key `prepacked`");
  EXPECT_EQ(Content(External({{"location", "sub"}})),
            "data is in file `sub`, which is no regular file");
  EXPECT_EQ(Content(External({{"location", "sub/../../secret.bin"}})),
            "data is in file `sub/../../secret.bin`, which is outside the "
            "model's folder");
}

TEST_F(ExternalDataTest, LinksMustStayInside) {
  ASSERT_EQ(symlink("w.bin", JoinPath(folder_, "in.bin").c_str()), 0);
  ASSERT_EQ(symlink("../secret.bin", JoinPath(folder_, "out.bin").c_str()), 0);
  EXPECT_EQ(Content(External({{"location", "in.bin"}})), "abcd");
  EXPECT_EQ(Content(External({{"location", "out.bin"}})),
            "data is in file `out.bin`, a link to outside the model's folder");
}

TEST_F(ExternalDataTest, LinkedFoldersMustStayInside) {
  ASSERT_EQ(symlink("sub", JoinPath(folder_, "in").c_str()), 0);
  ASSERT_EQ(symlink("..", JoinPath(folder_, "up").c_str()), 0);
  ASSERT_EQ(symlink(outside_->path().c_str(), JoinPath(folder_, "abs").c_str()),
            0);
  // A sibling of the model's folder whose name has the same prefix.
  ASSERT_TRUE(MakeDirs(folder_ + "2").ok());
  Write(folder_ + "2/w.bin");
  ASSERT_EQ(symlink("../model2", JoinPath(folder_, "beside").c_str()), 0);
  EXPECT_EQ(Content(External({{"location", "in/w.bin"}})), "abcd");
  for (const std::string file : {"up/secret.bin", "abs/secret.bin",
                                 "beside/w.bin", "up/model/../secret.bin"}) {
    EXPECT_NE(Content(External({{"location", file}})).find("outside the model"),
              std::string::npos)
        << file;
  }
}

TEST_F(ExternalDataTest, RejectsEverythingButRegularFilesInside) {
  ASSERT_EQ(symlink("gone", JoinPath(folder_, "broken").c_str()), 0);
  ASSERT_EQ(symlink("loop", JoinPath(folder_, "loop").c_str()), 0);
  // Opening a pipe would block until there is a writer.
  ASSERT_EQ(mkfifo(JoinPath(folder_, "pipe").c_str(), 0600), 0);
  for (const std::string file : {"broken", "loop", "w.bin/x"}) {
    EXPECT_EQ(Content(External({{"location", file}})),
              "data is in file `" + file + "`, which cannot be found in `" +
                  folder_ + "`");
  }
  EXPECT_EQ(Content(External({{"location", "pipe"}})),
            "data is in file `pipe`, which is no regular file");
  const std::string absolute = JoinPath(folder_, "w.bin");
  for (const std::string& file :
       {absolute, "/" + absolute, std::string("w.bin\0.txt", 10)}) {
    EXPECT_NE(Content(External({{"location", file}}))
                  .find("which is outside the model's folder"),
              std::string::npos)
        << file;
  }
}

TEST_F(ExternalDataTest, HugeOffsetsAndLengths) {
  EXPECT_EQ(Content(External(
                {{"location", "w.bin"}, {"offset", "9223372036854775807"}})),
            "needs 4 bytes from byte 9223372036854775807 of file `w.bin`, "
            "which has only 8");
  EXPECT_EQ(Content(External(
                {{"location", "w.bin"}, {"offset", "9223372036854775808"}})),
            "external data has offset `9223372036854775808`, which is no count "
            "of bytes");
  EXPECT_EQ(Content(External(
                {{"location", "w.bin"}, {"length", "9223372036854775807"}})),
            "has 9223372036854775807 bytes in file `w.bin` but its extents "
            "need 4");
  // A length beyond the end of the file is not allocated.
  TensorProto tensor = External({{"location", "w.bin"}});
  tensor.set_dims(0, kMaxBytes);
  EXPECT_EQ(Content(tensor),
            "needs 1048576 bytes from byte 0 of file `w.bin`, which has only "
            "8");
}

TEST_F(ExternalDataTest, NoFolder) {
  EXPECT_EQ(ErrorOf(External({{"location", "w.bin"}}), ""),
            "data is in file `w.bin` but the model was not read from a folder");
}

}  // namespace
}  // namespace assay::frontend
