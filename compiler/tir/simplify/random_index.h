// Random index expressions for fuzz tests, and an evaluator that shares no code
// with the simplifier.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_RANDOM_INDEX_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_RANDOM_INDEX_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "runtime/base/random.h"

namespace assay::tir {

using IndexValues = expr::VarMap<int64_t>;

// Evaluates a scalar int32 or bool expression of variables and constants.
int64_t EvalIndex(const expr::Expr& e, const IndexValues& values);

// Generates sums, quotients, remainders, minima, selects, … of the variables
// and small constants, of depth at most `depth`.
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
