// Linear: represents an int32 expression as a linear combination of terms,
//
//   c0 + c1 * t1 + c2 * t2 + …
//
// No term t is a sum, a constant or a product with a constant. All terms are
// distinct, and no coefficient c1, c2, … is 0. The simplifier adds, cancels and
// divides index expressions in this normal form.
//
// The value of the combination is that of the expression modulo 2^32, which is
// all that sums and products need. See exact.h before using it as an integer.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_H_

#include <cstdint>
#include <map>

#include "compiler/expr/expr.h"
#include "compiler/expr/structural_equal.h"

namespace assay::tir {

struct Linear {
  // Maps each term to its coefficient.
  std::map<expr::Expr, int64_t, expr::StructuralLess> terms;
  int64_t constant = 0;

  static Linear Constant(int64_t value);
  static Linear Term(const expr::Expr& term);

  bool IsConstant() const { return terms.empty(); }

  // Adds scale * other.
  void Add(const Linear& other, int64_t scale = 1);
  void AddTerm(const expr::Expr& term, int64_t coefficient);
  void Scale(int64_t factor);
  // Reduces the coefficients and the constant modulo 2^32 to int32.
  void Wrap();

  // Returns the sum as an expression: first the terms with positive
  // coefficients, then the terms with negative coefficients, then the constant.
  // If no coefficient is positive, the constant is first instead.
  expr::Expr ToExpr() const;
};

// Converts `e` to a linear combination. Additions, subtractions and
// multiplications by a constant are decomposed recursively. Every other
// expression that is not a constant becomes a term. Does not simplify the
// terms. The coefficients fit int32.
Linear ToLinear(const expr::Expr& e);

// Returns a - b in normal form. The coefficients may exceed int32: if `a` and
// `b` are exact (exact.h), this is their difference in the integers.
Linear Difference(const expr::Expr& a, const expr::Expr& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_H_
