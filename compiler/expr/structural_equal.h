// Structural equality and ordering of expressions.
//
// Two expressions are equal if their trees have equal nodes at equal positions.
// Nodes are equal if their kinds, types and values are equal, where
//   - NaN is equal to NaN, and 0 and -0 are different;
//   - free variables, buffers and tensors are equal only if they are the same
//     node or if a Renaming pairs them;
//   - variables that are bound by a Reduce are equal if they have the same
//     position in the list of its axes.
// Algebraic identities are not considered: `i + 1` and `1 + i` are different.
#ifndef ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_

#include <map>

#include "compiler/expr/expr.h"

namespace assay::expr {

// A bijection between nodes of the left tree and nodes of the right tree.
class Renaming {
 public:
  // Pairs the two nodes. An earlier pair that contains `left` or `right` is no
  // longer valid.
  void Bind(const Counted* left, const Counted* right);
  // Removes the pair of the two nodes.
  void Unbind(const Counted* left, const Counted* right);
  // Returns true if the nodes are paired with each other, or if `left` and
  // `right` are one node that is in no pair.
  bool Same(const Counted* left, const Counted* right) const;

 private:
  std::map<const Counted*, const Counted*> to_right_, to_left_;
};

bool StructurallyEqual(const Expr& a, const Expr& b);
// Compares with an initial renaming of free variables, buffers and tensors.
bool StructurallyEqual(const Expr& a, const Expr& b, Renaming& renaming);

// Compares names, results, identities and reorderability. In the results, the
// variables in `lhs` and `rhs` of `a` are paired with the variables at the same
// positions in `lhs` and `rhs` of `b`.
bool StructurallyEqual(const Reducer& a, const Reducer& b);

// Defines a total order of expressions. Returns a negative number if a precedes
// b, a positive number if b precedes a, and 0 if the trees are equal. Variables
// that are bound by a Reduce are equal only if they have the same Var::id;
// StructurallyEqual() compares their positions instead.
// Constants precede variables, and variables precede all other kinds. Variables
// of the same type are ordered by Var::id. The order depends on addresses in
// two cases only: for distinct buffers or tensors with equal name, type and
// shape, and for different reducers with equal name, size and reorderability.
int StructuralCompare(const Expr& a, const Expr& b);

struct StructuralLess {
  bool operator()(const Expr& a, const Expr& b) const {
    return StructuralCompare(a, b) < 0;
  }
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_STRUCTURAL_EQUAL_H_
