// Linear: an int32 expression as a sum of terms times constants,
//
//   c0 + c1 * t1 + c2 * t2 + …
//
// in which no term is a sum, a constant or a product with a constant, no two
// terms are equal and no coefficient is 0. It is the normal form that index
// arithmetic is simplified, cancelled and divided in.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_H_

#include <cstdint>
#include <map>

#include "compiler/expr/expr.h"
#include "compiler/expr/structural_equal.h"

namespace assay::tir {

struct Linear {
  std::map<expr::Expr, int64_t, expr::StructuralLess> terms;
  int64_t constant = 0;

  static Linear Constant(int64_t value);
  static Linear Term(const expr::Expr& term);

  bool IsConstant() const { return terms.empty(); }

  // this += scale * other
  void Add(const Linear& other, int64_t scale = 1);
  void AddTerm(const expr::Expr& term, int64_t coefficient);
  void Scale(int64_t factor);

  // The sum as an expression: terms in the order of the map, those with a
  // positive coefficient first, then the constant.
  expr::Expr ToExpr() const;
};

// Takes `e` apart at its sums, differences and products with constants; does
// not simplify the terms.
Linear ToLinear(const expr::Expr& e);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_H_
