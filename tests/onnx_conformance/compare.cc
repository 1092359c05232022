#include "tests/onnx_conformance/compare.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"

namespace assay::conformance {
namespace {

std::string TypeText(const NDArray& x) {
  return absl::StrCat(x.dtype().ToString(), ShapeToString(x.shape()));
}

bool CloseEnough(double actual, double wanted) {
  if (std::isnan(wanted)) return std::isnan(actual);
  if (std::isinf(wanted)) return actual == wanted;
  return std::abs(actual - wanted) <= kAbsolute + kRelative * std::abs(wanted);
}

}  // namespace

absl::Status CompareTensors(const NDArray& actual, const NDArray& wanted) {
  if (actual.dtype() != wanted.dtype() || actual.shape() != wanted.shape()) {
    return absl::DataLossError(absl::StrCat("is ", TypeText(actual),
                                            " instead of ", TypeText(wanted)));
  }
  const bool is_float = wanted.dtype().is_float();
  for (int64_t i = 0; i < wanted.num_elements(); ++i) {
    if (is_float) {
      const double a = LoadFloat(actual, i), w = LoadFloat(wanted, i);
      if (CloseEnough(a, w)) continue;
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
