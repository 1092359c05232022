#include "compiler/te/reducers.h"

#include <limits>
#include <string>
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

}  // namespace

expr::Reducer ArgMax(DType value_type, bool last) {
  return Arg(last ? "last_arg_max" : "arg_max", Combiner::kMax, value_type,
             last);
}

expr::Reducer ArgMin(DType value_type, bool last) {
  return Arg(last ? "last_arg_min" : "arg_min", Combiner::kMin, value_type,
             last);
}

}  // namespace assay::te
