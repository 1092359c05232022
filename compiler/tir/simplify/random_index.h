// Generates random index expressions for fuzz tests, and evaluates them. The
// evaluator shares no code with the simplifier, except for floor division and
// remainder (expr/numeric.h).
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_RANDOM_INDEX_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_RANDOM_INDEX_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "runtime/base/random.h"

namespace assay::tir {

// Values of variables.
using IndexValues = expr::VarMap<int64_t>;

// Returns the value of a scalar int32 or bool expression, whose arithmetic
// wraps around. The expression must not contain casts, calls or loads.
int64_t EvalIndex(const expr::Expr& e, const IndexValues& values);

// RandomIndex: generates expressions of the variables `vars` and `data` and
// small constants. Only variables in `data` are factors of products of
// variables, because those overflow. Index() returns int32 expressions (sums,
// products, quotients, remainders, min, max, select), and Condition() returns
// bool expressions. The size of the expressions increases with `depth`;
// Index(0) returns a variable or a constant.
class RandomIndex {
 public:
  RandomIndex(Rng& rng, std::vector<expr::Expr> vars,
              std::vector<expr::Expr> data = {})
      : rng_(rng), vars_(std::move(vars)), data_(std::move(data)) {}

  expr::Expr Index(int depth);
  expr::Expr Condition(int depth);

 private:
  expr::Expr Logic(int depth);
  const expr::Expr& AnyOf(const std::vector<expr::Expr>& vars) {
    return vars[rng_.UniformInt(0, static_cast<int64_t>(vars.size()) - 1)];
  }
  const expr::Expr& AnyVar() {
    return AnyOf(!data_.empty() && rng_.UniformInt(0, 1) == 0 ? data_ : vars_);
  }

  Rng& rng_;
  const std::vector<expr::Expr> vars_;
  const std::vector<expr::Expr> data_;
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_RANDOM_INDEX_H_
