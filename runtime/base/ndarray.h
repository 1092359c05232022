// NDArray: a dense row-major tensor in host memory.
//
// Copies of an NDArray share one buffer; Clone() copies the bytes. The buffer
// is zero-initialised and aligned to kAlignment bytes, so generated code may
// use aligned vector loads. Threads that access the same buffer must
// synchronise if one of them writes. Device memory is represented by Buffer
// (runtime/device) instead.
#ifndef ASSAY_RUNTIME_BASE_NDARRAY_H_
#define ASSAY_RUNTIME_BASE_NDARRAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "absl/types/span.h"
#include "runtime/base/check.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay {

// Returns the DType that corresponds to the C++ type T: float, double or an
// integer type.
template <typename T>
constexpr DType DTypeOf() {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
  constexpr DType::Code kCode = std::is_floating_point_v<T>
                                    ? DType::Code::kFloat
                                : std::is_signed_v<T> ? DType::Code::kInt
                                                      : DType::Code::kUInt;
  return DType(kCode, 8 * sizeof(T));
}

class NDArray {
 public:
  static constexpr size_t kAlignment = 64;

  // Creates an empty array of dtype float32 and shape [0].
  NDArray() : shape_({0}) {}
  // CHECK-fails if `dtype` has several lanes, the shape is invalid, or there is
  // not enough memory.
  NDArray(DType dtype, Shape shape);

  template <typename T>
  static NDArray FromVector(Shape shape, const std::vector<T>& values) {
    NDArray array(DTypeOf<T>(), std::move(shape));
    CHECK_EQ(static_cast<int64_t>(values.size()), array.num_elements());
    std::copy(values.begin(), values.end(), array.data<T>().begin());
    return array;
  }

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t num_elements() const { return num_elements_; }
  size_t num_bytes() const { return num_elements_ * dtype_.bytes(); }

  void* raw() { return buffer_.get(); }
  const void* raw() const { return buffer_.get(); }

  // Returns the elements in row-major order. CHECK-fails unless T is the
  // element type (uint8_t for bool). Elements of float16 and bfloat16 can be
  // accessed only through raw().
  template <typename T>
  absl::Span<T> data() {
    CHECK_EQ(DTypeOf<T>(), StorageType());
    return absl::MakeSpan(static_cast<T*>(raw()), num_elements_);
  }
  template <typename T>
  absl::Span<const T> data() const {
    CHECK_EQ(DTypeOf<T>(), StorageType());
    return absl::MakeConstSpan(static_cast<const T*>(raw()), num_elements_);
  }

  NDArray Clone() const;
  // Returns an array of another shape that shares the buffer of this array.
  // CHECK-fails if the two shapes have different numbers of elements.
  NDArray Reshaped(Shape shape) const;

 private:
  DType StorageType() const {
    return dtype_.is_bool() ? DType::UInt(8) : dtype_;
  }

  DType dtype_;
  Shape shape_;
  int64_t num_elements_ = 0;
  std::shared_ptr<std::byte> buffer_;
};

// Returns a copy of the elements of `x` whose index along `axis` is less than
// `extent`. CHECK-fails if `axis` or `extent` is out of range.
NDArray Prefix(const NDArray& x, int axis, int64_t extent);

// Returns true if type, shape and bytes are equal. NaNs with the same bits are
// equal; 0.0 and -0.0 are not.
bool BitwiseEqual(const NDArray& a, const NDArray& b);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_NDARRAY_H_
