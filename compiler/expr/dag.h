// DagVisitor and DagMutator: a visitor and a mutator (visitor.h) for
// expressions that refer to the same node in several places.
//
// Expressions are immutable, so an expression may contain a node many times. If
// shared nodes contain shared nodes, the tree of the expression can be
// exponentially larger than the number of its nodes:
//
//   b = a * a, c = b * b, d = c * c, …
//
// The bodies of stages have this form after a stage has been inlined
// (compiler/schedule); lowering binds the shared nodes to names
// (compiler/lower/shared/shared_values.h). Code that runs in between must use
// these classes. They handle each node only once, and the result of a
// DagMutator shares nodes where its operand does.
//
// A class derived from DagMutator must return equal results for equal nodes,
// wherever they occur. A visitor that depends on where a node occurs, for
// example inside which Select, must not be a DagVisitor.
#ifndef ASSAY_COMPILER_EXPR_DAG_H_
#define ASSAY_COMPILER_EXPR_DAG_H_

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"

namespace assay::expr {

// Visits each node of the expressions that are passed to Visit() once, before
// its operands. These expressions must outlive the visitor.
class DagVisitor : public ExprVisitor {
 public:
  void Visit(const Expr& e) override;

 private:
  absl::flat_hash_set<const ExprNode*> visited_;
};

// Mutates each node once. The expressions that are passed to Mutate() must
// outlive the mutator.
class DagMutator : public ExprMutator {
 public:
  Expr Mutate(const Expr& e) override;

 private:
  absl::flat_hash_map<const ExprNode*, Expr> results_;
};

// Returns true for constants and variables, which have no operands.
bool IsLeaf(const Expr& e);

// Like Substitute() (substitute.h), but the result shares nodes where `e` does.
Expr SubstituteInDag(const Expr& e, const VarMap<Expr>& values);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_DAG_H_
