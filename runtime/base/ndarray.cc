#include "runtime/base/ndarray.h"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace assay {

NDArray::NDArray(DType dtype, Shape shape)
    : dtype_(dtype),
      shape_(std::move(shape)),
      num_elements_(NumElements(shape_)) {
  CHECK(dtype.is_scalar()) << dtype;
  const size_t bytes = (num_bytes() + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes == 0) return;
  void* memory = std::aligned_alloc(kAlignment, bytes);
  CHECK(memory != nullptr) << "out of memory for " << bytes << " bytes";
  std::memset(memory, 0, bytes);
  buffer_ = std::shared_ptr<std::byte>(static_cast<std::byte*>(memory),
                                       [](std::byte* p) { std::free(p); });
}

NDArray NDArray::Clone() const {
  NDArray copy(dtype_, shape_);
  if (num_bytes() > 0) std::memcpy(copy.raw(), raw(), num_bytes());
  return copy;
}

NDArray NDArray::Reshaped(Shape shape) const {
  CHECK_EQ(NumElements(shape), num_elements_);
  NDArray view = *this;
  view.shape_ = std::move(shape);
  return view;
}

NDArray Prefix(const NDArray& x, int axis, int64_t extent) {
  Shape shape = x.shape();
  CHECK(axis >= 0 && axis < static_cast<int>(shape.size()) && extent >= 0 &&
        extent <= shape[axis])
      << extent << " of axis " << axis << " of " << ShapeToString(shape);
  shape[axis] = extent;
  NDArray prefix(x.dtype(), shape);
  if (prefix.num_bytes() == 0) return prefix;
  const int64_t blocks =
      NumElements(absl::MakeConstSpan(shape).subspan(0, axis));
  const size_t from = x.num_bytes() / blocks;
  const size_t to = prefix.num_bytes() / blocks;
  for (int64_t i = 0; i < blocks; ++i) {
    std::memcpy(static_cast<std::byte*>(prefix.raw()) + i * to,
                static_cast<const std::byte*>(x.raw()) + i * from, to);
  }
  return prefix;
}

bool BitwiseEqual(const NDArray& a, const NDArray& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         (a.num_bytes() == 0 ||
          std::memcmp(a.raw(), b.raw(), a.num_bytes()) == 0);
}

}  // namespace assay
