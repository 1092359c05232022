#include "compiler/tir/simplify/linear_bounds.h"

#include <algorithm>

namespace assay::tir {
namespace {

// Far beyond any index, yet a product of two 32-bit numbers can be added
// without overflow.
constexpr int64_t kLimit = int64_t{1} << 61;

int64_t AddUpTo(int64_t sum, int64_t product) {
  return std::clamp(sum + product, -kLimit, kLimit);
}

}  // namespace

ConstInterval LinearBounds(const Linear& sum, const VarBounds& bounds) {
  ConstInterval total = {sum.constant, sum.constant};
  for (const auto& [term, coefficient] : sum.terms) {
    const ConstInterval range = ConstBounds(term, bounds);
    // Coefficients of valid index expressions fit int32; give up otherwise.
    if (coefficient > INT32_MAX || coefficient < -INT32_MAX) {
      return {-kLimit, kLimit};
    }
    const int64_t a = range.min * coefficient, b = range.max * coefficient;
    total.min = AddUpTo(total.min, std::min(a, b));
    total.max = AddUpTo(total.max, std::max(a, b));
  }
  return total;
}

}  // namespace assay::tir
