#include "runtime/base/element.h"

#include <cstring>

#include "runtime/base/check.h"
#include "runtime/base/half.h"

namespace assay {
namespace {

template <typename T>
T LoadAs(const NDArray& x, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(x.raw()) + i * sizeof(T),
              sizeof(T));
  return value;
}

template <typename T>
void StoreAs(NDArray& x, int64_t i, T value) {
  std::memcpy(static_cast<char*>(x.raw()) + i * sizeof(T), &value, sizeof(T));
}

}  // namespace

double LoadFloat(const NDArray& x, int64_t i) {
  const DType type = x.dtype();
  if (type == DType::Float32()) return LoadAs<float>(x, i);
  if (type == DType::Float64()) return LoadAs<double>(x, i);
  if (type == DType::Float16()) return HalfToFloat(LoadAs<uint16_t>(x, i));
  CHECK_EQ(type, DType::BFloat16());
  return BFloat16ToFloat(LoadAs<uint16_t>(x, i));
}

void StoreFloat(NDArray& x, int64_t i, double value) {
  const DType type = x.dtype();
  if (type == DType::Float32()) return StoreAs(x, i, static_cast<float>(value));
  if (type == DType::Float64()) return StoreAs(x, i, value);
  if (type == DType::Float16()) {
    return StoreAs(x, i, DoubleToHalf(value));
  }
  CHECK_EQ(type, DType::BFloat16());
  StoreAs(x, i, DoubleToBFloat16(value));
}

int64_t LoadInt(const NDArray& x, int64_t i) {
  const DType type = x.dtype();
  CHECK(!type.is_float()) << type;
  const bool is_signed = type.is_int();
  switch (type.bits()) {
    case 8:
      return is_signed ? LoadAs<int8_t>(x, i) : LoadAs<uint8_t>(x, i);
    case 16:
      return is_signed ? LoadAs<int16_t>(x, i) : LoadAs<uint16_t>(x, i);
    case 32:
      return is_signed ? int64_t{LoadAs<int32_t>(x, i)}
                       : int64_t{LoadAs<uint32_t>(x, i)};
    default:
      return LoadAs<int64_t>(x, i);
  }
}

void StoreInt(NDArray& x, int64_t i, int64_t value) {
  const DType type = x.dtype();
  CHECK(!type.is_float()) << type;
  if (type.is_bool()) return StoreAs(x, i, uint8_t{value != 0});
  switch (type.bits()) {
    case 8:
      return StoreAs(x, i, static_cast<uint8_t>(value));
    case 16:
      return StoreAs(x, i, static_cast<uint16_t>(value));
    case 32:
      return StoreAs(x, i, static_cast<uint32_t>(value));
    default:
      return StoreAs(x, i, value);
  }
}

void CopyElements(const NDArray& from, int64_t i, NDArray& to, int64_t k,
                  int64_t count) {
  // An empty array has a null address, which must not be passed to memcpy.
  if (count == 0) return;
  const int64_t bytes = to.dtype().bytes();
  std::memcpy(static_cast<char*>(to.raw()) + k * bytes,
              static_cast<const char*>(from.raw()) + i * bytes, count * bytes);
}

std::vector<double> AsDoubles(const NDArray& x) {
  if (x.dtype() == DType::Float32()) {
    const auto floats = x.data<float>();
    return std::vector<double>(floats.begin(), floats.end());
  }
  std::vector<double> values(x.num_elements());
  const bool is_float = x.dtype().is_float();
  for (size_t i = 0; i < values.size(); ++i) {
    const auto element = static_cast<int64_t>(i);
    values[i] = is_float ? LoadFloat(x, element)
                         : static_cast<double>(LoadInt(x, element));
  }
  return values;
}

std::vector<uint64_t> AsIntegers(const NDArray& x) {
  std::vector<uint64_t> values(x.num_elements());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<uint64_t>(LoadInt(x, static_cast<int64_t>(i)));
  }
  return values;
}

void StoreSum(NDArray& x, int64_t i, double sum) {
  if (x.dtype().is_float()) return StoreFloat(x, i, sum);
  StoreInt(x, i, static_cast<int64_t>(sum));
}

void StoreSum(NDArray& x, int64_t i, uint64_t sum) {
  StoreInt(x, i, static_cast<int64_t>(sum));
}

}  // namespace assay
