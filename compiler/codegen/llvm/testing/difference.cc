#include "compiler/codegen/llvm/testing/difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace assay::codegen {
namespace {

template <typename T>
std::string FloatDifference(const NDArray& expected, const NDArray& actual,
                            double tolerance) {
  double largest = 1;
  for (const T value : expected.data<T>()) {
    if (std::isfinite(value)) {
      largest = std::max<double>(largest, std::fabs(value));
    }
  }
  for (int64_t i = 0; i < expected.num_elements(); ++i) {
    const double e = expected.data<T>()[i], a = actual.data<T>()[i];
    if (std::isnan(e) && std::isnan(a)) continue;
    if (e == a || std::fabs(e - a) <= tolerance * largest) continue;
    return absl::StrCat("element ", i, " is ", a, " instead of ", e);
  }
  return "";
}

}  // namespace

std::string Difference(const NDArray& expected, const NDArray& actual,
                       double tolerance) {
  if (expected.dtype() == DType::Float32()) {
    return FloatDifference<float>(expected, actual, tolerance);
  }
  if (expected.dtype() == DType::Float64()) {
    return FloatDifference<double>(expected, actual, tolerance);
  }
  const int64_t bytes = expected.dtype().bytes();
  const auto* e = static_cast<const char*>(expected.raw());
  const auto* a = static_cast<const char*>(actual.raw());
  for (int64_t i = 0; i < expected.num_elements(); ++i) {
    if (std::memcmp(e + i * bytes, a + i * bytes, bytes) != 0) {
      return absl::StrCat("element ", i, " differs");
    }
  }
  return "";
}

}  // namespace assay::codegen
