#include "tests/onnx_conformance/compare.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"

namespace assay::conformance {
namespace {

std::string TypeText(const NDArray& x) {
  return absl::StrCat(x.dtype().ToString(), ShapeToString(x.shape()));
}

struct Bounds {
  double absolute = 0;
  double relative = 0;
  bool signed_zeros = false;
};

// The tolerance of 256 or 4 units in the last place of 1.
double UnitsOf(DType type) {
  if (type == DType::Float64()) return 256 * std::ldexp(1, -52);
  if (type == DType::Float32()) return 256 * std::ldexp(1, -23);
  return 4 * std::ldexp(1, type == DType::Float16() ? -10 : -7);
}

Bounds BoundsFor(const NDArray& wanted, Tolerance tolerance) {
  if (tolerance == Tolerance::kOnnx) return {1e-7, 1e-3, false};
  double largest = 0;
  for (int64_t i = 0; i < wanted.num_elements(); ++i) {
    const double w = std::abs(LoadFloat(wanted, i));
    if (std::isfinite(w)) largest = std::max(largest, w);
  }
  const double units = UnitsOf(wanted.dtype());
  return {units * std::min(largest, 1000.0), units, true};
}

bool CloseEnough(double actual, double wanted, const Bounds& bounds) {
  if (std::isnan(wanted)) return std::isnan(actual);
  if (std::isinf(wanted)) return actual == wanted;
  if (bounds.signed_zeros && actual == 0 && wanted == 0) {
    return std::signbit(actual) == std::signbit(wanted);
  }
  return std::abs(actual - wanted) <=
         bounds.absolute + bounds.relative * std::abs(wanted);
}

}  // namespace

absl::Status CompareTensors(const NDArray& actual, const NDArray& wanted,
                            Tolerance tolerance) {
  if (actual.dtype() != wanted.dtype() || actual.shape() != wanted.shape()) {
    return absl::DataLossError(absl::StrCat("is ", TypeText(actual),
                                            " instead of ", TypeText(wanted)));
  }
  const bool is_float = wanted.dtype().is_float();
  const Bounds bounds = is_float ? BoundsFor(wanted, tolerance) : Bounds();
  for (int64_t i = 0; i < wanted.num_elements(); ++i) {
    if (is_float) {
      const double a = LoadFloat(actual, i), w = LoadFloat(wanted, i);
      if (CloseEnough(a, w, bounds)) continue;
      return absl::DataLossError(
          absl::StrCat("element ", i, " is ", a, " instead of ", w));
    }
    const int64_t a = LoadInt(actual, i), w = LoadInt(wanted, i);
    if (a == w) continue;
    return absl::DataLossError(
        absl::StrCat("element ", i, " is ", a, " instead of ", w));
  }
  return absl::OkStatus();
}

}  // namespace assay::conformance
