#include "runtime/base/shape.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"

namespace assay {
namespace {
constexpr int64_t kMaxElements = int64_t{1} << 40;
}  // namespace

int64_t NumElements(absl::Span<const int64_t> shape) {
  const absl::StatusOr<int64_t> n = CheckedNumElements(shape);
  CHECK(n.ok()) << n.status();
  return *n;
}

absl::StatusOr<int64_t> CheckedNumElements(absl::Span<const int64_t> shape) {
  int64_t product = 1;
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "shape ", ShapeToString(shape), " has a negative extent"));
    }
    if (extent == 0) {
      empty = true;
    } else if (product > kMaxElements / extent) {
      return absl::InvalidArgumentError(
          absl::StrCat("shape ", ShapeToString(shape), " is too large"));
    } else {
      product *= extent;
    }
  }
  return empty ? 0 : product;
}

Shape RowMajorStrides(absl::Span<const int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (int i = static_cast<int>(shape.size()) - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * shape[i + 1];
  }
  return strides;
}

std::string ShapeToString(absl::Span<const int64_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ","), "]");
}

}  // namespace assay
