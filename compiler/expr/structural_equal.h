// Structural equality and ordering of expressions.
//
// Two expressions are equal if their trees are: same kinds, types, constants (a
// NaN equals itself, 0 and -0 differ) and variables. Free variables, buffers
// and tensors are equal if they are the same node, unless a Renaming pairs
// them; variables bound by a Reduce are paired by position. No algebraic
// equality is considered: `i + 1` and `1 + i` differ.
#ifndef ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_

#include <map>

#include "compiler/expr/expr.h"

namespace assay::expr {

// A bijection between nodes of the left side and nodes of the right side.
class Renaming {
 public:
  // Pairs the two nodes and removes earlier pairs of either.
  void Bind(const Counted* left, const Counted* right);
  void Unbind(const Counted* left, const Counted* right);
  // Returns true if the nodes are paired with each other, or if neither is
  // paired and they are the same node.
  bool Same(const Counted* left, const Counted* right) const;

 private:
  std::map<const Counted*, const Counted*> to_right_, to_left_;
};

bool StructurallyEqual(const Expr& a, const Expr& b);
bool StructurallyEqual(const Expr& a, const Expr& b, Renaming& renaming);

// Compares names, results, identities and reorderability.
bool StructurallyEqual(const Reducer& a, const Reducer& b);

// A total order: negative if a precedes b, 0 if they are equal. Constants
// precede variables, and variables, ordered by Var::id, precede everything
// else. Addresses matter only for distinct buffers, tensors or reducers that
// are otherwise equal.
int StructuralCompare(const Expr& a, const Expr& b);

struct StructuralLess {
  bool operator()(const Expr& a, const Expr& b) const {
    return StructuralCompare(a, b) < 0;
  }
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_
