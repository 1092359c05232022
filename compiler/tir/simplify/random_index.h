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

// Returns the value of a scalar int32 or bool expression. The expression must
// not contain casts, calls or loads.
int64_t EvalIndex(const expr::Expr& e, const IndexValues& values);

// RandomIndex: generates expressions of the variables `vars` and small
// constants. Index() returns int32 expressions (sums, products, quotients,
// remainders, min, max, select), and Condition() returns bool expressions. The
// size of the expressions increases with `depth`; Index(0) returns a variable
// or a constant.
class RandomIndex {
 public:
  RandomIndex(Rng& rng, std::vector<expr::Expr> vars)
      : rng_(rng), vars_(std::move(vars)) {}

  expr::Expr Index(int depth);
  expr::Expr Condition(int depth);

 private:
  expr::Expr Logic(int depth);
  const expr::Expr& AnyVar() {
    return vars_[rng_.UniformInt(0, static_cast<int64_t>(vars_.size()) - 1)];
  }

  Rng& rng_;
  const std::vector<expr::Expr> vars_;
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_RANDOM_INDEX_H_
