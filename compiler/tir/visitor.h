// StmtVisitor and StmtMutator: traverse statements and the expressions in them.
//
// A StmtVisitor is also an ExprVisitor. For example, a subclass that overrides
// VisitLoad sees every load of a program. Children are visited in the order in
// which they are printed. StmtMutator::Mutate(s) returns `s` itself if nothing
// changed, so `result.same_as(s)` means "unchanged".
//
// StmtVisitor does not visit, and StmtMutator does not mutate, the bindings
// For::var, Let::var and Allocate::buffer. A mutator that renames bindings must
// override MutateFor, MutateLet and MutateAllocate.
#ifndef ASSAY_COMPILER_TIR_VISITOR_H_
#define ASSAY_COMPILER_TIR_VISITOR_H_

#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

class StmtVisitor : public expr::ExprVisitor {
 public:
  using ExprVisitor::Visit;
  virtual void Visit(const Stmt& s);

 protected:
#define ASSAY_DECLARE(Kind) virtual void Visit##Kind(const Kind* node);
  ASSAY_STMT_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

class StmtMutator : public expr::ExprMutator {
 public:
  using ExprMutator::Mutate;
  virtual Stmt Mutate(const Stmt& s);

 protected:
  // `s` is the reference-counted handle of `node`. An override returns `s` if
  // it changes nothing.
#define ASSAY_DECLARE(Kind) \
  virtual Stmt Mutate##Kind(const Stmt& s, const Kind* node);
  ASSAY_STMT_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

// Applies expr::Substitute to every expression of `s`. The values must not
// contain a variable that is bound in `s`.
Stmt Substitute(const Stmt& s, const expr::VarMap<Expr>& values);

// Returns true if the variable `var` occurs in an expression of `s`.
bool UsesVar(const Stmt& s, const Expr& var);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_VISITOR_H_
