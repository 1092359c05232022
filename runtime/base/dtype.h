// DType: the element type of a tensor, or the type of an expression in the
// compiler. It consists of a scalar type and a number of vector lanes.
//
// The text form is `float16`, `float32`, `float64`, `bfloat16`, `int8`, …,
// `int64`, `uint8`, …, `uint64` or `bool`, followed by `xN` if the number N of
// lanes is greater than 1 (`float32x8`). The types of tensors and of values of
// a graph have one lane; vectors occur only in expressions and the loop IR
// (tir). A bool takes one byte of memory, which is 0 or 1.
#ifndef ASSAY_RUNTIME_BASE_DTYPE_H_
#define ASSAY_RUNTIME_BASE_DTYPE_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

class DType {
 public:
  // The values are part of the artifact format; do not renumber them.
  enum class Code : uint8_t {
    kFloat = 0,
    kBFloat = 1,
    kInt = 2,
    kUInt = 3,
    kBool = 4,
  };

  constexpr DType() = default;
  constexpr DType(Code code, int bits, int lanes = 1)
      : code_(code),
        bits_(static_cast<uint8_t>(bits)),
        lanes_(static_cast<uint16_t>(lanes)) {}

  static constexpr DType Float32() { return DType(Code::kFloat, 32); }
  static constexpr DType Float64() { return DType(Code::kFloat, 64); }
  static constexpr DType Float16() { return DType(Code::kFloat, 16); }
  static constexpr DType BFloat16() { return DType(Code::kBFloat, 16); }
  static constexpr DType Int(int bits) { return DType(Code::kInt, bits); }
  static constexpr DType Int32() { return Int(32); }
  static constexpr DType Int64() { return Int(64); }
  static constexpr DType UInt(int bits) { return DType(Code::kUInt, bits); }
  static constexpr DType Bool() { return DType(Code::kBool, 8); }

  constexpr Code code() const { return code_; }
  constexpr int bits() const { return bits_; }
  constexpr int lanes() const { return lanes_; }
  // Size of one lane in bytes.
  constexpr int bytes() const { return bits_ / 8; }

  constexpr bool is_float() const {
    return code_ == Code::kFloat || code_ == Code::kBFloat;
  }
  constexpr bool is_int() const { return code_ == Code::kInt; }
  constexpr bool is_uint() const { return code_ == Code::kUInt; }
  constexpr bool is_bool() const { return code_ == Code::kBool; }
  constexpr bool is_scalar() const { return lanes_ == 1; }
  constexpr bool is_vector() const { return lanes_ > 1; }

  constexpr DType WithLanes(int lanes) const {
    return DType(code_, bits_, lanes);
  }
  constexpr DType Element() const { return WithLanes(1); }

  std::string ToString() const;
  // Parses the result of ToString(), with at most 1024 lanes. Returns
  // InvalidArgument, with `text` quoted, if `text` is not a data type.
  static absl::StatusOr<DType> Parse(absl::string_view text);

  friend constexpr bool operator==(DType a, DType b) {
    return a.code_ == b.code_ && a.bits_ == b.bits_ && a.lanes_ == b.lanes_;
  }
  friend constexpr bool operator!=(DType a, DType b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& os, DType t) {
    return os << t.ToString();
  }

 private:
  Code code_ = Code::kFloat;
  uint8_t bits_ = 32;
  uint16_t lanes_ = 1;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_DTYPE_H_
