#include "suites/tensors/npy.h"

#include <cstring>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "re2/re2.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/check.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using frontend::Malformed;
using frontend::Quote;
using frontend::Unsupported;

// Elements are copied as they are, and all supported hosts are little-endian.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "");

constexpr absl::string_view kMagic("\x93NUMPY", 6);
// Alignment of the first element, as NumPy writes it.
constexpr size_t kDataAlignment = 64;
// The largest rank that NumPy supports.
constexpr size_t kMaxRank = 64;

// The type codes of NumPy without the character of the byte order.
struct TypeCode {
  const char* code;
  DType dtype;
};
constexpr TypeCode kTypeCodes[] = {
    {"f2", DType::Float16()}, {"f4", DType::Float32()},
    {"f8", DType::Float64()}, {"i1", DType::Int(8)},
    {"i2", DType::Int(16)},   {"i4", DType::Int32()},
    {"i8", DType::Int64()},   {"u1", DType::UInt(8)},
    {"u2", DType::UInt(16)},  {"u4", DType::UInt(32)},
    {"u8", DType::UInt(64)},  {"b1", DType::Bool()},
};

absl::StatusOr<DType> ParseDescr(absl::string_view descr) {
  const char order = descr.empty() ? '\0' : descr[0];
  const absl::string_view code = descr.substr(descr.empty() ? 0 : 1);
  for (const TypeCode& type : kTypeCodes) {
    if (code != type.code) continue;
    if (order == '<') return type.dtype;
    // A single byte has no order.
    if (type.dtype.bytes() == 1 && (order == '|' || order == '>')) {
      return type.dtype;
    }
    if (order == '>') {
      return Unsupported("has big-endian elements (", Quote(descr),
                         "); only little-endian ones are supported");
    }
  }
  if (code == "V2") {
    return Unsupported("has the element type ", Quote(descr),
                       ", 2 raw bytes, as which bfloat16 is stored; give "
                       "bfloat16 inputs as ONNX tensors (.pb)");
  }
  return Unsupported("has the element type ", Quote(descr),
                     ", which is not supported");
}

// The values of the dictionary in a header.
struct Dictionary {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

// The parts of a dictionary, each after white space.
struct Patterns {
  const RE2 left_brace{R"re(\s*\{)re"};
  const RE2 colon{R"re(\s*:)re"};
  const RE2 comma{R"re(\s*,)re"};
  const RE2 left_bracket{R"re(\s*\[)re"};
  const RE2 single_quoted{R"re(\s*'([^'"\\]*)')re"};
  const RE2 double_quoted{R"re(\s*"([^'"\\]*)")re"};
  const RE2 boolean{R"re(\s*(True|False))re"};
  const RE2 tuple{
      R"re(\s*\(((?:\s*(?:0|[1-9]\d*)\s*,)*\s*(?:0|[1-9]\d*)?)\s*\))re"};
  const RE2 end{R"re(\s*\} *\n)re"};
};

// Returns the patterns, which are compiled only once.
const Patterns& CompiledPatterns() {
  static const Patterns& patterns = *new Patterns();
  return patterns;
}

// Matches `pattern` at the start of `*text` and removes what was matched. Sets
// `parts` to the groups of the pattern.
template <typename... Parts>
bool Take(re2::StringPiece* text, const RE2& pattern, Parts*... parts) {
  return RE2::Consume(text, pattern, parts...);
}

bool TakeString(re2::StringPiece* text, std::string* value) {
  const Patterns& patterns = CompiledPatterns();
  return Take(text, patterns.single_quoted, value) ||
         Take(text, patterns.double_quoted, value);
}

bool TakeBool(re2::StringPiece* text, bool* value) {
  std::string word;
  if (!Take(text, CompiledPatterns().boolean, &word)) return false;
  *value = word == "True";
  return true;
}

bool TakeTuple(re2::StringPiece* text, Shape* shape) {
  std::string list;
  if (!Take(text, CompiledPatterns().tuple, &list)) return false;
  for (const absl::string_view item : absl::StrSplit(list, ',')) {
    const absl::string_view number = absl::StripAsciiWhitespace(item);
    if (number.empty()) continue;  // after the last comma
    // Fails if the number has more than 63 bits.
    if (!absl::SimpleAtoi(number, &shape->emplace_back())) return false;
  }
  // In Python, `(3)` is a number and not a tuple.
  return shape->size() != 1 || absl::StrContains(list, ',');
}

absl::StatusOr<Dictionary> ParseDictionary(absl::string_view header) {
  const absl::Status malformed =
      Malformed("has the malformed header ",
                Quote(absl::StripTrailingAsciiWhitespace(header)));
  const Patterns& patterns = CompiledPatterns();
  re2::StringPiece text(header.data(), header.size());
  Dictionary dictionary;
  std::set<std::string> keys;
  std::string key;
  bool more = Take(&text, patterns.left_brace);
  while (more && TakeString(&text, &key)) {
    if (!Take(&text, patterns.colon) || !keys.insert(key).second) {
      return malformed;
    }
    if (key == "descr" && Take(&text, patterns.left_bracket)) {
      return Unsupported("has elements with fields, which are not supported");
    }
    const bool taken = key == "descr" ? TakeString(&text, &dictionary.descr)
                       : key == "fortran_order"
                           ? TakeBool(&text, &dictionary.fortran_order)
                       : key == "shape" ? TakeTuple(&text, &dictionary.shape)
                                        : false;
    if (!taken) return malformed;
    more = Take(&text, patterns.comma);
  }
  // All three keys were found if none occurs twice and no other is known.
  if (keys.size() != 3 || !RE2::FullMatch(text, patterns.end)) {
    return malformed;
  }
  return dictionary;
}

// Copies the column-major elements in `data` to `array`, which is row-major.
void CopyColumnMajor(absl::string_view data, NDArray* array) {
  const Shape& shape = array->shape();
  const size_t bytes = static_cast<size_t>(array->dtype().bytes());
  Shape strides;  // of `data`, in elements
  int64_t stride = 1;
  for (const int64_t extent : shape) {
    strides.push_back(stride);
    stride *= extent;
  }
  Shape index(shape.size(), 0);
  int64_t from = 0;  // position of `index` in `data`
  char* to = static_cast<char*>(array->raw());
  for (int64_t i = 0; i < array->num_elements(); ++i) {
    std::memcpy(to, data.data() + static_cast<size_t>(from) * bytes, bytes);
    to += bytes;
    for (size_t d = shape.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

absl::Status CheckBools(const NDArray& array) {
  if (!array.dtype().is_bool()) return absl::OkStatus();
  for (const uint8_t value : array.data<uint8_t>()) {
    if (value > 1) {
      return Malformed("has the bool ", static_cast<int>(value),
                       ", which is neither 0 nor 1");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view start,
                                         uint64_t file_bytes) {
  const absl::Status cut_short = Malformed("is cut short in its header");
  ByteReader reader(start);
  if (reader.Raw(kMagic.size()) != kMagic) {
    return Malformed("is no .npy array: it does not begin with `\\x93NUMPY`");
  }
  const int major = reader.U8();
  const int minor = reader.U8();
  if (!reader.ok()) return cut_short;
  if (major < 1 || major > 3 || minor != 0) {
    return Unsupported("has version ", major, ".", minor,
                       " of the format .npy; versions 1.0 to 3.0 are "
                       "supported");
  }
  const size_t length = major == 1 ? reader.U16() : reader.U32();
  if (length > kMaxNpyHeaderBytes - 12) {
    return Unsupported("has a header of ", length, " bytes; at most ",
                       kMaxNpyHeaderBytes - 12, " are supported");
  }
  const absl::string_view text = reader.Raw(length);
  if (!reader.ok()) return cut_short;

  ASSAY_ASSIGN_OR_RETURN(Dictionary dictionary, ParseDictionary(text));
  NpyHeader header;
  ASSAY_ASSIGN_OR_RETURN(header.type.dtype, ParseDescr(dictionary.descr));
  header.type.shape = std::move(dictionary.shape);
  header.fortran_order = dictionary.fortran_order;
  header.data_offset = reader.position();
  const size_t rank = header.type.shape.size();
  if (rank > kMaxRank) {
    return Malformed("has ", rank, " axes; NumPy has at most ", kMaxRank);
  }
  const auto elements = CheckedNumElements(header.type.shape);
  if (!elements.ok()) {
    return Malformed("has the shape ", ShapeToString(header.type.shape),
                     ", which has too many elements");
  }
  const uint64_t bytes =
      header.data_offset + static_cast<uint64_t>(*elements) *
                               static_cast<uint64_t>(header.type.dtype.bytes());
  if (file_bytes != bytes) {
    return Malformed("has ", file_bytes, " bytes, but its header says ",
                     header.type.ToString(), ", which needs ", bytes);
  }
  return header;
}

absl::StatusOr<NDArray> ParseNpy(absl::string_view bytes) {
  ASSAY_ASSIGN_OR_RETURN(
      const NpyHeader header,
      ParseNpyHeader(bytes.substr(0, kMaxNpyHeaderBytes), bytes.size()));
  const absl::string_view data = bytes.substr(header.data_offset);
  NDArray array(header.type.dtype, header.type.shape);
  if (header.fortran_order) {
    CopyColumnMajor(data, &array);
  } else if (!data.empty()) {
    std::memcpy(array.raw(), data.data(), data.size());
  }
  ASSAY_RETURN_IF_ERROR(CheckBools(array));
  return array;
}

absl::StatusOr<std::string> SerializeNpy(const NDArray& array) {
  const char* code = nullptr;
  for (const TypeCode& type : kTypeCodes) {
    if (type.dtype == array.dtype()) code = type.code;
  }
  if (code == nullptr) {
    return Unsupported("is ", array.dtype().ToString(),
                       ", which NumPy does not have; write a folder of ONNX "
                       "tensors instead");
  }
  std::string header =
      absl::StrCat("{'descr': '", array.dtype().bytes() == 1 ? "|" : "<", code,
                   "', 'fortran_order': False, 'shape': (",
                   absl::StrJoin(array.shape(), ", "),
                   array.shape().size() == 1 ? "," : "", "), }");
  // The magic, the version and the length, the header, and the line break.
  const size_t offset = kMagic.size() + 4 + header.size() + 1;
  header.append((kDataAlignment - offset % kDataAlignment) % kDataAlignment,
                ' ');
  header += '\n';
  CHECK_LT(header.size(), size_t{1} << 16);
  ByteWriter writer;
  writer.Raw(kMagic);
  writer.U8(1);
  writer.U8(0);
  writer.U16(static_cast<uint16_t>(header.size()));
  writer.Raw(header);
  writer.Raw(absl::string_view(static_cast<const char*>(array.raw()),
                               array.num_bytes()));
  return writer.Take();
}

}  // namespace assay::suites
