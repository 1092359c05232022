// Linear: an int32 expression as a linear combination of terms,
//
//   c0 + c1 * t1 + c2 * t2 + …
//
// where no term is a sum, a constant or a product with a constant, all terms
// are distinct and no coefficient is 0. This is the normal form in which index
// arithmetic is simplified, cancelled and divided.
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

  // The sum as an expression: first the terms with positive coefficients in map
  // order, then the others, then the constant.
  expr::Expr ToExpr() const;
};

// Decomposes sums, differences and products with constants; does not simplify
// the terms.
Linear ToLinear(const expr::Expr& e);

// The normal form of a - b.
Linear Difference(const expr::Expr& a, const expr::Expr& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_H_
