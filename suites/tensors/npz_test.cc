#include "suites/tensors/npz.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/tensors/npy.h"
#include "suites/tensors/zip_archive.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using ::testing::HasSubstr;

constexpr int64_t kMemory = 1 << 20;

absl::StatusOr<NamedTensors> ReadAll(const std::string& bytes,
                                     int64_t max_memory = kMemory) {
  MemoryBudget memory(max_memory);
  absl::StatusOr<InputFile> file = OpenNpz("in.npz", bytes, &memory);
  if (!file.ok()) return file.status();
  NamedTensors tensors;
  for (const UnreadTensor& tensor : file->tensors) {
    absl::StatusOr<NDArray> value = tensor.read();
    if (!value.ok()) return value.status();
    EXPECT_EQ(value->dtype(), tensor.type.dtype);
    EXPECT_EQ(value->shape(), tensor.type.shape);
    tensors.push_back({tensor.name, *std::move(value)});
  }
  return tensors;
}

std::string ErrorOf(const std::string& bytes, int64_t max_memory = kMemory) {
  return std::string(ReadAll(bytes, max_memory).status().message());
}

// Returns a file in testdata/, which numpy 2.4 wrote.
std::string TestData(const std::string& name) {
  const auto bytes = ReadFile(absl::StrCat("suites/tensors/testdata/", name));
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? *bytes : "";
}

// The arrays in numpy.npz and compressed.npz.
NamedTensors NumPyArrays() {
  NamedTensors tensors = {
      {"x", NDArray::FromVector<float>({2, 3}, {0, 1, 2, 3, 4, 5})},
      {"input.1", NDArray::FromVector<int64_t>({}, {-5})},
      // Stored in column-major order.
      {"columns", NDArray::FromVector<double>({2, 3}, {0, 1, 2, 3, 4, 5})},
      {"half", NDArray(DType::Float16(), {2})},
      {"bytes", NDArray::FromVector<uint8_t>({1, 2}, {0, 255})},
      {"flags", NDArray(DType::Bool(), {3})},
      {"none", NDArray(DType::Int32(), {0, 4})},
      {"größe", NDArray::FromVector<uint16_t>({1}, {7})},
  };
  auto* half = static_cast<uint16_t*>(tensors[3].value.raw());
  half[0] = 0x3e00;  // 1.5
  half[1] = 0xc000;  // -2
  tensors[5].value.data<uint8_t>()[0] = 1;
  tensors[5].value.data<uint8_t>()[2] = 1;
  return tensors;
}

void ExpectEqual(const absl::StatusOr<NamedTensors>& actual,
                 const NamedTensors& expected) {
  ASSERT_TRUE(actual.ok()) << actual.status();
  ASSERT_EQ(actual->size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*actual)[i].name, expected[i].name);
    EXPECT_TRUE(BitwiseEqual((*actual)[i].value, expected[i].value))
        << expected[i].name;
  }
}

TEST(NpzTest, ReadsWhatNumPyWrote) {
  ExpectEqual(ReadAll(TestData("numpy.npz")), NumPyArrays());
  ExpectEqual(ReadAll(TestData("compressed.npz")), NumPyArrays());
}

TEST(NpzTest, RoundTrips) {
  const auto bytes = SerializeNpz(NumPyArrays());
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  ExpectEqual(ReadAll(*bytes), NumPyArrays());
}

TEST(NpzTest, TypesAreKnownBeforeElementsAreRead) {
  MemoryBudget memory(kMemory);
  const auto file = OpenNpz("in.npz", TestData("numpy.npz"), &memory);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->label, "`in.npz`");
  EXPECT_FALSE(file->by_position);
  EXPECT_EQ(file->tensors[0].label, "`in.npz`: array `x`");
  EXPECT_EQ(file->tensors[0].type.ToString(), "float32[2,3]");
  EXPECT_EQ(file->tensors[1].type.ToString(), "int64[]");
}

// A file of 4 KiB with 4 MiB of zeros.
TEST(NpzTest, MemoryIsLimited) {
  const std::string bytes = TestData("zeros.npz");
  EXPECT_LT(bytes.size(), 5000u);
  EXPECT_THAT(ErrorOf(bytes),
              HasSubstr("`in.npz`: array `x` needs 4 MiB, more than the "));
  ExpectEqual(ReadAll(bytes, 5 << 20),
              {{"x", NDArray(DType::Float32(), {1 << 20})}});
  // The arrays share the limit.
  const NamedTensors two = {{"a", NDArray(DType::UInt(8), {1000})},
                            {"b", NDArray(DType::UInt(8), {1000})}};
  const std::string stored = *SerializeNpz(two);
  const int64_t needed = static_cast<int64_t>(stored.size()) + 2000;
  EXPECT_EQ(ErrorOf(stored, needed), "");
  EXPECT_THAT(ErrorOf(stored, needed - 1),
              HasSubstr("array `b` needs 1000 bytes, more than the 999 bytes"));
}

TEST(NpzTest, ErrorsNameFileAndArray) {
  const std::string array = *SerializeNpy(NDArray(DType::Float32(), {2}));
  EXPECT_EQ(ErrorOf("text"),
            "`in.npz`: is no ZIP archive with members, or is cut short");
  EXPECT_EQ(ErrorOf(*WriteZip({{"x.npy", array}, {"notes.txt", "text"}})),
            "`in.npz`: member `notes.txt` is no array, because its name does "
            "not end in `.npy`");
  EXPECT_EQ(ErrorOf(*WriteZip({{"x.npy", "text"}})),
            "`in.npz`: array `x`: is no .npy array: it does not begin with "
            "`\\x93NUMPY`");
  EXPECT_THAT(ErrorOf(*WriteZip({{"x.npy", array + "!"}})),
              HasSubstr("`in.npz`: array `x`: has 137 bytes, but its header "
                        "says float32[2], which needs 136"));
}

TEST(NpzTest, FindsDamagedElements) {
  const NamedTensors tensors = {
      {"x", NDArray::FromVector<uint8_t>({4}, {'d', 'a', 't', 'a'})}};
  std::string bytes = *SerializeNpz(tensors);
  bytes[bytes.find("data")] = 'D';
  EXPECT_EQ(ErrorOf(bytes),
            "`in.npz`: array `x`: has a damaged member "
            "`x.npy`");
}

TEST(NpzTest, DoesNotWriteBFloat16) {
  const auto bytes = SerializeNpz({{"y", NDArray(DType::BFloat16(), {1})}});
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(bytes.status().message()),
              HasSubstr("output `y`: is bfloat16, which NumPy does not have"));
}

}  // namespace
}  // namespace assay::suites
