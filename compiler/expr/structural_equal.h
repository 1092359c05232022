// Structural equality and order of expressions.
//
// Two expressions are equal if their trees are: same kinds, types, constants
// (a NaN equals itself, 0 and -0 differ) and variables. Free variables,
// buffers and tensors are equal if they are the same node, unless a Renaming
// pairs them; variables that a Reduce binds are paired by position. Nothing is
// simplified: `i + 1` and `1 + i` differ.
#ifndef ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_

#include <map>

#include "compiler/expr/expr.h"

namespace assay::expr {

// A one-to-one pairing of nodes of the left side with nodes of the right.
class Renaming {
 public:
  // Pairs the two, ending earlier pairs of either.
  void Bind(const Counted* left, const Counted* right);
  void Unbind(const Counted* left, const Counted* right);
  // Paired with each other, or neither paired and the same node.
  bool Same(const Counted* left, const Counted* right) const;

 private:
  std::map<const Counted*, const Counted*> to_right_, to_left_;
};

bool StructurallyEqual(const Expr& a, const Expr& b);
bool StructurallyEqual(const Expr& a, const Expr& b, Renaming& renaming);

// Of equal name and meaning.
bool StructurallyEqual(const Reducer& a, const Reducer& b);

// A total order, negative where a comes before b, 0 where they are equal.
// Constants come before variables, variables in order of Var::id before
// everything else. It depends on addresses only to tell apart buffers and
// tensors of equal name and type.
int StructuralCompare(const Expr& a, const Expr& b);

struct StructuralLess {
  bool operator()(const Expr& a, const Expr& b) const {
    return StructuralCompare(a, b) < 0;
  }
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_
