#include "suites/tensors/npy.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Returns the content of a file with this header.
std::string File(const std::string& header, const std::string& data,
                 int major = 1) {
  const std::string text = header + "\n";
  std::string file = std::string("\x93NUMPY") + static_cast<char>(major);
  file += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(text.size() >> (8 * i));
  }
  return file + text + data;
}

// Returns the header of an array of this type and shape.
std::string Header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr +
         "', 'fortran_order': False, 'shape': " + shape + ", }";
}

std::string Bytes(const NDArray& array) {
  return std::string(static_cast<const char*>(array.raw()), array.num_bytes());
}

std::string ErrorOf(const std::string& file) {
  const absl::StatusOr<NDArray> array = ParseNpy(file);
  return array.ok() ? "" : std::string(array.status().message());
}

TEST(NpyTest, WritesWhatNumPyReads) {
  const auto file =
      SerializeNpy(NDArray::FromVector<float>({2, 3}, {0, 1, 2, 3, 4, 5}));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), 128u + 24);
  EXPECT_THAT(*file, StartsWith(std::string("\x93NUMPY\x01\0v\0", 10) +
                                "{'descr': '<f4', 'fortran_order': False, "
                                "'shape': (2, 3), }  "));
  EXPECT_EQ((*file)[127], '\n');
}

TEST(NpyTest, RoundTrips) {
  for (const DType dtype :
       {DType::Float16(), DType::Float32(), DType::Float64(), DType::Int(8),
        DType::Int(16), DType::Int32(), DType::Int64(), DType::UInt(8),
        DType::UInt(16), DType::UInt(32), DType::UInt(64), DType::Bool()}) {
    for (const Shape& shape :
         {Shape{}, Shape{3}, Shape{2, 3}, Shape{1, 2, 3, 4}, Shape{0, 4}}) {
      NDArray array(dtype, shape);
      Rng(7).FillUniform(array, -100, 100);
      const auto file = SerializeNpy(array);
      ASSERT_TRUE(file.ok()) << dtype << ": " << file.status();
      const absl::StatusOr<NDArray> parsed = ParseNpy(*file);
      ASSERT_TRUE(parsed.ok()) << dtype << ": " << parsed.status();
      EXPECT_TRUE(BitwiseEqual(*parsed, array))
          << dtype << ShapeToString(shape);
    }
  }
}

TEST(NpyTest, ReadsEveryVersion) {
  for (const int major : {1, 2, 3}) {
    const auto array = ParseNpy(File(Header("|u1", "(2,)"), "ab", major));
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_EQ(Bytes(*array), "ab");
  }
  EXPECT_THAT(ErrorOf(File(Header("|u1", "(2,)"), "ab", 4)),
              HasSubstr("has version 4.0 of the format .npy; versions 1.0 to "
                        "3.0 are supported"));
}

TEST(NpyTest, ReadsEveryFormOfTheDictionary) {
  for (const char* header : {
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}     ",
           "{'shape':(2,),'fortran_order':False,'descr':'|u1'}",
           "{\"descr\": \"<u1\", \"fortran_order\": True, \"shape\": (2,)}",
           " { 'descr' : '>u1' , 'fortran_order' : True , 'shape' : ( 2 , ) }",
       }) {
    const auto array = ParseNpy(File(header, "ab"));
    ASSERT_TRUE(array.ok()) << header << ": " << array.status();
    EXPECT_EQ(array->dtype(), DType::UInt(8));
    EXPECT_EQ(array->shape(), (Shape{2}));
    EXPECT_EQ(Bytes(*array), "ab");
  }
}

TEST(NpyTest, TransposesColumnMajorElements) {
  const std::string header =
      "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
  // The columns are ad, be and cf.
  const auto matrix = ParseNpy(File(header, "adbecf"));
  ASSERT_TRUE(matrix.ok()) << matrix.status();
  EXPECT_EQ(Bytes(*matrix), "abcdef");

  const std::string cube =
      "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 1, 2), }";
  const auto array = ParseNpy(File(cube, std::string("\1\0\3\0\2\0\4\0", 8)));
  ASSERT_TRUE(array.ok()) << array.status();
  const auto elements = array->data<int16_t>();
  EXPECT_THAT(std::vector<int16_t>(elements.begin(), elements.end()),
              ElementsAre(1, 2, 3, 4));

  const std::string scalar =
      "{'descr': '|u1', 'fortran_order': True, 'shape': (), }";
  EXPECT_EQ(Bytes(*ParseNpy(File(scalar, "x"))), "x");
  const std::string none =
      "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 0), }";
  EXPECT_EQ(ParseNpy(File(none, ""))->shape(), (Shape{3, 0}));
}

TEST(NpyTest, RejectsMalformedHeaders) {
  for (const char* header : {
           "",
           "{}",
           "{'descr': '|u1', 'fortran_order': False}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': [2,]}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (,)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2,,)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (-2,)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (02,)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2L,)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2.0,)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2 1)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)} x",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}}",
           "{'descr': '|u1', 'fortran_order': 0, 'shape': (2,)}",
           "{'descr': '|u1', 'fortran_order': Falsey, 'shape': (2,)}",
           "{'descr': u1, 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '|u1, 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '|u1\", 'fortran_order': False, 'shape': (2,)}",
           "{'descr\": '|u1', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': \"|u1', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '\\x7cu1', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '|u1' 'fortran_order': False, 'shape': (2,)}",
           "{,'descr': '|u1', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, "
           "'shape': (2,)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), 'x': 1}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': "
           "(18446744073709551616,)}",
       }) {
    EXPECT_THAT(ErrorOf(File(header, "ab")), HasSubstr("malformed header"))
        << header;
  }
  // The last character of the header must be a line break.
  std::string file = File(Header("|u1", "(2,)"), "ab");
  file[file.size() - 3] = ' ';
  EXPECT_THAT(ErrorOf(file), HasSubstr("malformed header"));
}

TEST(NpyTest, RejectsTypesThatAreNotSupported) {
  const struct {
    const char* descr;
    const char* message;
  } kCases[] = {
      {">f4", "has big-endian elements (`>f4`)"},
      {"<c8", "has the element type `<c8`, which is not supported"},
      {"|O", "has the element type `|O`, which is not supported"},
      {"<U3", "has the element type `<U3`"},
      {"<M8[ns]", "has the element type `<M8[ns]`"},
      {"=f4", "has the element type `=f4`"},
      {"|f4", "has the element type `|f4`"},
      {"<f16", "has the element type `<f16`"},
      {"<V2", "has the element type `<V2`, 2 raw bytes, as which bfloat16"},
      {"|V2", "give bfloat16 inputs as ONNX tensors (.pb)"},
      {"", "has the element type ``"},
  };
  for (const auto& c : kCases) {
    const absl::Status status =
        ParseNpy(File(Header(c.descr, "(1,)"), "abcd")).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << c.descr;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
  }
  EXPECT_EQ(ErrorOf(File("{'descr': [('a', '<f4')], 'fortran_order': False, "
                         "'shape': (1,), }",
                         "abcd")),
            "has elements with fields, which are not supported");
}

TEST(NpyTest, SizeMustBeThatOfTheHeader) {
  const std::string file = File(Header("<f4", "(2, 3)"), std::string(24, 'x'));
  ASSERT_EQ(ErrorOf(file), "");
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_NE(ErrorOf(file.substr(0, size)), "") << size;
  }
  EXPECT_THAT(ErrorOf(file + "x"),
              HasSubstr("bytes, but its header says float32[2,3], which "
                        "needs " +
                        std::to_string(file.size())));
  // Nothing is allocated for elements that the file does not have.
  EXPECT_THAT(ErrorOf(File(Header("<f8", "(1099511627776,)"), "")),
              HasSubstr("which needs 8796093022"));
  EXPECT_THAT(ErrorOf(File(Header("<f8", "(1099511627776, 2)"), "")),
              HasSubstr("which has too many elements"));
  EXPECT_EQ(ErrorOf("PK\x03\x04"),
            "is no .npy array: it does not begin with `\\x93NUMPY`");
  EXPECT_EQ(ErrorOf(File(Header("<f4", "(1,)"), "abcd").substr(0, 9)),
            "is cut short in its header");
}

TEST(NpyTest, RejectsLongHeadersAndManyAxes) {
  const std::string padded =
      Header("|u1", "(2,)") + std::string(kMaxNpyHeaderBytes, ' ');
  EXPECT_THAT(ErrorOf(File(padded, "ab", 2)), HasSubstr("has a header of "));
  std::string shape = "(";
  for (int i = 0; i < 65; ++i) shape += "1,";
  EXPECT_EQ(ErrorOf(File(Header("|u1", shape + ")"), "a")),
            "has 65 axes; NumPy has at most 64");
}

TEST(NpyTest, BoolsAreZeroOrOne) {
  EXPECT_EQ(ErrorOf(File(Header("|b1", "(2,)"), std::string("\1\0", 2))), "");
  EXPECT_EQ(ErrorOf(File(Header("|b1", "(2,)"), "\1\2")),
            "has the bool 2, which is neither 0 nor 1");
}

TEST(NpyTest, DoesNotWriteBFloat16) {
  const absl::Status status =
      SerializeNpy(NDArray(DType::BFloat16(), {1})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("is bfloat16, which NumPy does not have"));
}

}  // namespace
}  // namespace assay::suites
