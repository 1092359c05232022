#include "runtime/artifact/tensor_file.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"

namespace assay::runtime {
namespace {

NamedTensors Example() {
  NamedTensors tensors = {
      {"x", NDArray(DType::Float32(), {2, 3})},
      {"scalar", NDArray::FromVector<int64_t>({}, {-5})},
      {"empty", NDArray(DType::Float16(), {0, 7})},
      {"flags", NDArray(DType::Bool(), {3})},
  };
  Rng(1).FillUniform(tensors[0].value, -1, 1);
  return tensors;
}

TEST(TensorFileTest, RoundTrips) {
  const std::string bytes = SerializeTensors(Example());
  const absl::StatusOr<NamedTensors> parsed = ParseTensors(bytes);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  ASSERT_EQ(parsed->size(), 4u);
  const NamedTensors expected = Example();
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*parsed)[i].name, expected[i].name);
    EXPECT_TRUE(BitwiseEqual((*parsed)[i].value, expected[i].value)) << i;
  }
  EXPECT_EQ(SerializeTensors(*parsed), bytes);
  EXPECT_EQ(TensorsDigest(*parsed), TensorsDigest(expected));
}

TEST(TensorFileTest, DigestDependsOnNamesShapesAndBytes) {
  const std::string digest = TensorsDigest(Example());
  NamedTensors renamed = Example(), reshaped = Example(), changed = Example();
  renamed[0].name = "y";
  reshaped[0].value = reshaped[0].value.Reshaped({3, 2});
  changed[0].value.data<float>()[5] += 1;
  EXPECT_NE(TensorsDigest(renamed), digest);
  EXPECT_NE(TensorsDigest(reshaped), digest);
  EXPECT_NE(TensorsDigest(changed), digest);
}

TEST(TensorFileTest, FindsTensorsByName) {
  const NamedTensors tensors = Example();
  EXPECT_EQ(FindTensor(tensors, "flags"), &tensors[3].value);
  EXPECT_EQ(FindTensor(tensors, "none"), nullptr);
}

TEST(TensorFileTest, RejectsEveryTruncation) {
  const std::string bytes = SerializeTensors(Example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_TRUE(
        absl::IsInvalidArgument(ParseTensors(bytes.substr(0, size)).status()))
        << size;
  }
  EXPECT_FALSE(ParseTensors(bytes + "x").ok());
}

TEST(TensorFileTest, AcceptsOnlyCanonicalEncodings) {
  const std::string bytes = SerializeTensors(Example());
  Rng rng(8);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string garbled = bytes;
    const size_t at = static_cast<size_t>(
        rng.UniformInt(0, static_cast<int64_t>(bytes.size()) - 1));
    garbled[at] = static_cast<char>(rng.NextU64());
    const absl::StatusOr<NamedTensors> parsed = ParseTensors(garbled);
    if (parsed.ok()) {
      ASSERT_EQ(SerializeTensors(*parsed), garbled) << trial;
    }
  }
}

// A tensor of 4 TiB without data must not be allocated.
TEST(TensorFileTest, RejectsSizesBeyondTheFile) {
  ByteWriter w;
  w.Raw("ASSAYTEN");
  w.U32(1);
  w.Count(1);
  w.String("big");
  w.U8(0);
  w.U8(32);
  w.Count(1);
  w.I64(int64_t{1} << 40);
  w.String("");
  EXPECT_TRUE(absl::IsInvalidArgument(ParseTensors(w.bytes()).status()));
}

TEST(TensorFileTest, ErrorsNameTheFile) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::string path = JoinPath(dir->path(), "in.tensors");
  ASSERT_TRUE(WriteTensors(path, Example()).ok());
  EXPECT_TRUE(ReadTensors(path).ok());
  ASSERT_TRUE(WriteFileAtomic(path, "PK").ok());
  EXPECT_TRUE(absl::StrContains(ReadTensors(path).status().message(), path));
}

}  // namespace
}  // namespace assay::runtime
