#include "compiler/frontend/onnx/proto/tensor.h"

#include <cstring>
#include <iterator>
#include <limits>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/proto/external_data.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using onnx::TensorProto;

// ONNX data is little-endian, and so are all supported hosts.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "");

// Copies the values of a typed field; each must be representable as T.
template <typename T, typename Field>
absl::Status CopyField(absl::string_view name, const Field& field,
                       NDArray* out) {
  char* bytes = static_cast<char*>(out->raw());
  for (const auto value : field) {
    const T narrow = static_cast<T>(value);
    if (narrow != value) {
      return Malformed("field ", name, " has the value ", value,
                       ", which is no ", out->dtype().ToString());
    }
    std::memcpy(bytes, &narrow, sizeof(T));
    bytes += sizeof(T);
  }
  return absl::OkStatus();
}

// Floats are copied without a check, because NaN is not equal to itself.
template <typename Field>
absl::Status CopyFloats(const Field& field, NDArray* out) {
  if (field.size() > 0) {
    std::memcpy(out->raw(), field.data(), out->num_bytes());
  }
  return absl::OkStatus();
}

// The number of values has been checked.
absl::Status CopyTyped(const TensorProto& t, NDArray* out) {
  switch (t.data_type()) {
    case TensorProto::FLOAT:
      return CopyFloats(t.float_data(), out);
    case TensorProto::DOUBLE:
      return CopyFloats(t.double_data(), out);
    case TensorProto::INT64:
      return CopyField<int64_t>("int64_data", t.int64_data(), out);
    case TensorProto::UINT64:
      return CopyField<uint64_t>("uint64_data", t.uint64_data(), out);
    case TensorProto::UINT32:
      return CopyField<uint32_t>("uint64_data", t.uint64_data(), out);
    case TensorProto::INT32:
      return CopyField<int32_t>("int32_data", t.int32_data(), out);
    case TensorProto::INT16:
      return CopyField<int16_t>("int32_data", t.int32_data(), out);
    case TensorProto::INT8:
      return CopyField<int8_t>("int32_data", t.int32_data(), out);
    case TensorProto::UINT8:
    case TensorProto::BOOL:
      return CopyField<uint8_t>("int32_data", t.int32_data(), out);
    default:
      // uint16, and the bits of 16-bit floats.
      return CopyField<uint16_t>("int32_data", t.int32_data(), out);
  }
}

// The typed field that belongs to the element type.
absl::string_view FieldFor(int32_t data_type) {
  switch (data_type) {
    case TensorProto::FLOAT:
      return "float_data";
    case TensorProto::DOUBLE:
      return "double_data";
    case TensorProto::INT64:
      return "int64_data";
    case TensorProto::UINT32:
    case TensorProto::UINT64:
      return "uint64_data";
    default:
      return "int32_data";
  }
}

// Checks that the data is in exactly one field, and in the right one.
absl::Status CheckOnePlace(const TensorProto& tensor) {
  const bool external = tensor.data_location() == TensorProto::EXTERNAL;
  const absl::string_view right = external ? "external_data"
                                  : tensor.has_raw_data()
                                      ? "raw_data"
                                      : FieldFor(tensor.data_type());
  const std::pair<absl::string_view, bool> places[] = {
      {"external_data", tensor.external_data_size() > 0},
      {"raw_data", tensor.has_raw_data()},
      {"float_data", tensor.float_data_size() > 0},
      {"int32_data", tensor.int32_data_size() > 0},
      {"string_data", tensor.string_data_size() > 0},
      {"int64_data", tensor.int64_data_size() > 0},
      {"double_data", tensor.double_data_size() > 0},
      {"uint64_data", tensor.uint64_data_size() > 0}};
  for (const auto& [place, used] : places) {
    if (used && place != right) {
      return Malformed("has data in field ", place, " but its data is in ",
                       right);
    }
  }
  return absl::OkStatus();
}

// The number of values in the field that CheckOnePlace has accepted; nothing if
// the data is in a file.
absl::Status CheckAmount(const TensorProto& tensor, int64_t elements,
                         int64_t bytes) {
  if (tensor.data_location() == TensorProto::EXTERNAL) return absl::OkStatus();
  if (tensor.has_raw_data()) {
    if (static_cast<int64_t>(tensor.raw_data().size()) == bytes) {
      return absl::OkStatus();
    }
    return Malformed("has ", tensor.raw_data().size(),
                     " bytes of data but its extents need ", bytes);
  }
  const int64_t values = int64_t{tensor.float_data_size()} +
                         tensor.int32_data_size() + tensor.int64_data_size() +
                         tensor.double_data_size() + tensor.uint64_data_size();
  if (values == elements) return absl::OkStatus();
  return Malformed("has ", values, " values but its extents need ", elements);
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

std::string ElementTypeName(int32_t data_type) {
  // In the order of the numbers. The schema is older than the last ones.
  constexpr const char* kNames[] = {
      "undefined",      "float",        "uint8",          "int8",
      "uint16",         "int16",        "int32",          "int64",
      "string",         "bool",         "float16",        "double",
      "uint32",         "uint64",       "complex64",      "complex128",
      "bfloat16",       "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
      "float8e5m2fnuz", "uint4",        "int4",           "float4e2m1",
      "float8e8m0",     "uint2",        "int2",           "float6e2m3",
      "float6e3m2"};
  if (data_type >= 0 && data_type < static_cast<int32_t>(std::size(kNames))) {
    return absl::StrCat("`", kNames[data_type], "`");
  }
  return absl::StrCat("number ", data_type);
}

absl::StatusOr<DType> ReadElementType(int32_t data_type) {
  switch (data_type) {
    case TensorProto::FLOAT:
      return DType::Float32();
    case TensorProto::DOUBLE:
      return DType::Float64();
    case TensorProto::FLOAT16:
      return DType::Float16();
    case TensorProto::BFLOAT16:
      return DType::BFloat16();
    case TensorProto::INT8:
      return DType::Int(8);
    case TensorProto::INT16:
      return DType::Int(16);
    case TensorProto::INT32:
      return DType::Int32();
    case TensorProto::INT64:
      return DType::Int64();
    case TensorProto::UINT8:
      return DType::UInt(8);
    case TensorProto::UINT16:
      return DType::UInt(16);
    case TensorProto::UINT32:
      return DType::UInt(32);
    case TensorProto::UINT64:
      return DType::UInt(64);
    case TensorProto::BOOL:
      return DType::Bool();
    case TensorProto::UNDEFINED:
      return Malformed("has no element type");
    default:
      break;
  }
  return Unsupported("element type ", ElementTypeName(data_type),
                     " is not supported");
}

absl::StatusOr<NDArray> ReadTensor(const TensorProto& tensor,
                                   const std::string& folder,
                                   int64_t max_bytes) {
  ASSAY_ASSIGN_OR_RETURN(const DType dtype,
                         ReadElementType(tensor.data_type()));
  if (tensor.has_segment()) {
    return Unsupported("is a segment of a tensor, which is not supported");
  }
  const Shape shape(tensor.dims().begin(), tensor.dims().end());
  ASSAY_ASSIGN_OR_RETURN(const int64_t elements, CheckedNumElements(shape));
  const int64_t bytes = elements * dtype.bytes();
  if (bytes > max_bytes) {
    return MemoryError("", bytes, max_bytes);
  }
  ASSAY_RETURN_IF_ERROR(CheckOnePlace(tensor));
  ASSAY_RETURN_IF_ERROR(CheckAmount(tensor, elements, bytes));
  NDArray array;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    ASSAY_ASSIGN_OR_RETURN(array,
                           ReadExternalData(tensor, folder, dtype, shape));
  } else if (tensor.has_raw_data()) {
    array = NDArray(dtype, shape);
    if (bytes > 0) std::memcpy(array.raw(), tensor.raw_data().data(), bytes);
  } else {
    array = NDArray(dtype, shape);
    ASSAY_RETURN_IF_ERROR(CopyTyped(tensor, &array));
  }
  ASSAY_RETURN_IF_ERROR(CheckBools(array));
  return array;
}

}  // namespace assay::frontend
