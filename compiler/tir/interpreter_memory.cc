#include "compiler/tir/interpreter_memory.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/numeric.h"
#include "runtime/base/shape.h"

namespace assay::tir {
namespace {

template <typename T>
T ReadAs(const uint8_t* data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void WriteAs(uint8_t* data, int64_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

// The index of an element, one value per dimension: `[1, 3]`.
std::string Position(const expr::BufferNode& buffer, int64_t element) {
  std::string text = "[";
  const Shape strides = RowMajorStrides(buffer.shape);
  for (size_t d = 0; d < strides.size(); ++d) {
    absl::StrAppend(&text, d > 0 ? ", " : "", element / strides[d]);
    element %= strides[d];
  }
  return text + "]";
}

}  // namespace

Scalar ReadElement(DType type, const uint8_t* data, int64_t index) {
  Scalar value;
  if (type.is_float()) {
    switch (type.bits()) {
      case 32:
        value.f = ReadAs<float>(data, index);
        break;
      case 64:
        value.f = ReadAs<double>(data, index);
        break;
      default:
        value.f = expr::BitsToFloat(type, ReadAs<uint16_t>(data, index));
    }
    return value;
  }
  const bool is_signed = type.is_int();
  switch (type.bits()) {
    case 8:
      value.i = is_signed ? ReadAs<int8_t>(data, index)
                          : ReadAs<uint8_t>(data, index);
      break;
    case 16:
      value.i = is_signed ? ReadAs<int16_t>(data, index)
                          : ReadAs<uint16_t>(data, index);
      break;
    case 32:
      value.i = is_signed ? ReadAs<int32_t>(data, index)
                          : int64_t{ReadAs<uint32_t>(data, index)};
      break;
    default:
      value.i = ReadAs<int64_t>(data, index);
  }
  return value;
}

void WriteElement(DType type, uint8_t* data, int64_t index, Scalar value) {
  uint64_t bits = static_cast<uint64_t>(value.i);
  if (type.is_float()) bits = expr::FloatToBits(type, value.f);
  switch (type.bits()) {
    case 8:
      return WriteAs(data, index, static_cast<uint8_t>(bits));
    case 16:
      return WriteAs(data, index, static_cast<uint16_t>(bits));
    case 32:
      return WriteAs(data, index, static_cast<uint32_t>(bits));
    default:
      return WriteAs(data, index, bits);
  }
}

void Frame::Fail(std::string message) {
  if (!failed()) error = absl::InternalError(std::move(message));
}

Scalar Frame::Load(int buffer, int64_t element) {
  const BufferState& state = buffers[buffer];
  const uint32_t when = state.written[element];
  if (when == 0 && check_initialized) {
    Fail(absl::StrCat("load of `%", state.buffer->name, "` at ",
                      Position(*state.buffer, element),
                      ", which nothing has written"));
  }
  for (const ConcurrentLoop& loop : loops) {
    if (when >= loop.begin && when < loop.iteration) {
      Fail(absl::StrCat(
          "load of `%", state.buffer->name, "` at ",
          Position(*state.buffer, element),
          ", which another iteration of a parallel or vectorized loop wrote"));
    }
  }
  return ReadElement(state.buffer->dtype, state.data, element);
}

void Frame::Store(int buffer, int64_t element, Scalar value) {
  BufferState& state = buffers[buffer];
  state.written[element] = now;
  WriteElement(state.buffer->dtype, state.data, element, value);
}

}  // namespace assay::tir
