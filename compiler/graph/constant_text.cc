#include "compiler/graph/constant_text.h"

#include <cstdio>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/digest.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// Maximum size of a tensor in text.
constexpr int64_t kMaxTextBytes = int64_t{1} << 32;

std::string ElementText(float v) { return FloatToString(v); }
std::string ElementText(double v) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", v);
  return text;
}
template <typename T>
std::string ElementText(T v) {
  return absl::StrCat(static_cast<int64_t>(v));
}
std::string ElementText(uint64_t v) { return absl::StrCat(v); }

bool ReadElement(absl::string_view text, float* out) {
  return absl::SimpleAtof(text, out);
}
bool ReadElement(absl::string_view text, double* out) {
  return absl::SimpleAtod(text, out);
}
bool ReadElement(absl::string_view text, uint64_t* out) {
  return absl::SimpleAtoi(text, out);
}
template <typename T>
bool ReadElement(absl::string_view text, T* out) {
  int64_t value = 0;
  if (!absl::SimpleAtoi(text, &value)) return false;
  *out = static_cast<T>(value);
  return static_cast<int64_t>(*out) == value;
}

template <typename T>
bool SameBits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Calls f(T()) with the C++ type that decimal text is parsed into. Returns
// false for types without one.
template <typename F>
bool WithElementType(DType dtype, F&& f) {
  if (dtype == DType::Float32()) return f(float());
  if (dtype == DType::Float64()) return f(double());
  if (dtype == DType::Int(8)) return f(int8_t());
  if (dtype == DType::Int(16)) return f(int16_t());
  if (dtype == DType::Int32()) return f(int32_t());
  if (dtype == DType::Int64()) return f(int64_t());
  if (dtype == DType::UInt(8) || dtype.is_bool()) return f(uint8_t());
  if (dtype == DType::UInt(16)) return f(uint16_t());
  if (dtype == DType::UInt(32)) return f(uint32_t());
  if (dtype == DType::UInt(64)) return f(uint64_t());
  return false;
}

// The text of `value` if it parses back to the same bits.
template <typename T>
std::optional<std::string> ExactText(T value) {
  std::string text = ElementText(value);
  T back = T();
  if (!ReadElement(text, &back) || !SameBits(back, value)) return {};
  return text;
}

// `fill=…` or `value=[…]`, or nothing if the tensor is elided.
template <typename T>
std::optional<std::string> FullText(absl::Span<const T> data) {
  bool uniform = data.size() > 1;
  for (size_t i = 1; uniform && i < data.size(); ++i) {
    uniform = SameBits(data[i], data[0]);
  }
  if (uniform) {
    const std::optional<std::string> text = ExactText(data[0]);
    if (!text.has_value()) return {};
    return absl::StrCat("fill=", *text);
  }
  if (data.size() > kMaxPrintedElements) return {};
  std::vector<std::string> parts;
  for (T value : data) {
    std::optional<std::string> text = ExactText(value);
    if (!text.has_value()) return {};
    parts.push_back(*std::move(text));
  }
  return absl::StrCat("value=[", absl::StrJoin(parts, ","), "]");
}

absl::Status BadElement(absl::string_view text, const TensorType& type) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", text, "` is not an element of ", type.ToString()));
}

absl::StatusOr<NDArray> ParseElements(const TensorType& type, bool fill,
                                      absl::string_view text) {
  if (type.num_elements() > kMaxTextBytes / type.dtype.bytes()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a constant of ", type.ToString(), " is too large"));
  }
  std::vector<absl::string_view> parts;
  if (fill) {
    parts.push_back(text);
  } else if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return BadElement(text, type);
  } else if (text.size() > 2) {
    parts = absl::StrSplit(text.substr(1, text.size() - 2), ',');
  }
  if (!fill && static_cast<int64_t>(parts.size()) != type.num_elements()) {
    return absl::InvalidArgumentError(absl::StrCat(
        parts.size(), " elements are given for ", type.ToString()));
  }
  NDArray array(type.dtype, type.shape);
  absl::Status status;
  const bool known = WithElementType(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    T* data = static_cast<T*>(array.raw());
    for (size_t i = 0; i < parts.size(); ++i) {
      T value = T();
      if (!ReadElement(parts[i], &value)) {
        status.Update(BadElement(parts[i], type));
        break;
      }
      for (int64_t k = 0; fill && k < array.num_elements(); ++k) {
        data[k] = value;
      }
      if (!fill) data[i] = value;
    }
    return true;
  });
  ASSAY_RETURN_IF_ERROR(status);
  if (!known) {
    return absl::InvalidArgumentError(absl::StrCat(
        "constants of ", type.dtype.ToString(), " have no decimal text"));
  }
  return array;
}

}  // namespace

std::string ConstantToString(const ConstantAttrs& constant) {
  const NDArray& value = constant.value;
  std::optional<std::string> text;
  WithElementType(value.dtype(), [&](auto zero) {
    using T = decltype(zero);
    text = FullText(absl::MakeConstSpan(static_cast<const T*>(value.raw()),
                                        value.num_elements()));
    return true;
  });
  if (!text.has_value()) {
    text =
        absl::StrCat("elements=", value.num_elements(),
                     ", digest=", absl::Hex(constant.digest, absl::kZeroPad16));
  }
  return absl::StrCat("{", *text, "}");
}

absl::StatusOr<NDArray> ParseConstant(const TensorType& type,
                                      absl::Span<const FieldText> fields,
                                      const ConstantStore* store) {
  if (fields.size() == 1 &&
      (fields[0].first == "value" || fields[0].first == "fill")) {
    return ParseElements(type, fields[0].first == "fill", fields[0].second);
  }
  uint64_t digest = 0;
  if (fields.size() != 2 || fields[0].first != "elements" ||
      fields[1].first != "digest" ||
      !absl::SimpleHexAtoi(fields[1].second, &digest)) {
    return absl::InvalidArgumentError(
        "a constant needs `value`, `fill`, or `elements` and `digest`");
  }
  if (store == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the value of the constant ", fields[1].second,
        " is not in the text; a constant store is needed to read it"));
  }
  const auto it = store->find(digest);
  if (it == store->end() || it->second.dtype() != type.dtype ||
      it->second.shape() != type.shape) {
    return absl::NotFoundError(absl::StrCat("the constant store has no ",
                                            type.ToString(), " with ",
                                            "digest ", fields[1].second));
  }
  return it->second;
}

}  // namespace assay::graph
