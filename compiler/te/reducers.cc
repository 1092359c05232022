#include "compiler/te/reducers.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"

namespace assay::te {
namespace {

using expr::Combiner;
using expr::Expr;

// The pair selected by `combiner`, which is kMax or kMin.
expr::Reducer Arg(std::string name, Combiner combiner, DType type, bool last) {
  const int none = last ? -1 : std::numeric_limits<int32_t>::max();
  const auto results = [&](const std::vector<Expr>& a,
                           const std::vector<Expr>& b) {
    const auto beats = [&](const Expr& x, const Expr& y) {
      return combiner == Combiner::kMax ? y < x : x < y;
    };
    Expr wins = beats(b[1], a[1]);
    Expr ties = expr::Eq(a[1], b[1]);
    if (type.is_float()) {
      const Expr a_is_nan = expr::Ne(a[1], a[1]);
      const Expr b_is_nan = expr::Ne(b[1], b[1]);
      wins = wins || (b_is_nan && !a_is_nan);
      ties = ties || (b_is_nan && a_is_nan);
    }
    const Expr nearer = last ? a[0] < b[0] : b[0] < a[0];
    // The value does not depend on the index, so it can be stored after it.
    return std::vector<Expr>{
        expr::SelectOf(wins || (ties && nearer), b[0], a[0]),
        expr::SelectOf(wins, b[1], a[1])};
  };
  return expr::MakeReducer(std::move(name),
                           {none, expr::CombinerIdentity(combiner, type)},
                           results, /*reorderable=*/true);
}

// `extremum`, or `b` if this is NaN.
Expr OrNan(const Expr& b, Expr extremum) {
  if (!b.dtype().is_float()) return extremum;
  return expr::SelectOf(expr::Ne(b, b), b, std::move(extremum));
}

// The accumulator is the second operand, because it is cheap to copy.
expr::Reducer ExtremumOf(const char* name, Combiner combiner, DType type,
                         Expr (*extremum)(Expr, Expr)) {
  return expr::MakeReducer(
      name, {expr::CombinerIdentity(combiner, type)},
      [&](const std::vector<Expr>& a, const std::vector<Expr>& b) {
        return std::vector<Expr>{extremum(b[0], a[0])};
      },
      /*reorderable=*/true);
}

}  // namespace

Expr Maximum(Expr a, Expr b) { return OrNan(b, expr::Max(std::move(a), b)); }

Expr Minimum(Expr a, Expr b) { return OrNan(b, expr::Min(std::move(a), b)); }

expr::Reducer MaximumOf(DType type) {
  return ExtremumOf("maximum", Combiner::kMax, type, Maximum);
}

expr::Reducer MinimumOf(DType type) {
  return ExtremumOf("minimum", Combiner::kMin, type, Minimum);
}

expr::Reducer ArgMax(DType value_type, bool last) {
  return Arg(last ? "last_arg_max" : "arg_max", Combiner::kMax, value_type,
             last);
}

expr::Reducer ArgMin(DType value_type, bool last) {
  return Arg(last ? "last_arg_min" : "arg_min", Combiner::kMin, value_type,
             last);
}

}  // namespace assay::te
