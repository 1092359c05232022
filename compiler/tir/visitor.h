// Traversals of statements and of the expressions in them.
//
// A StmtVisitor is also an ExprVisitor: override VisitLoad to see every load of
// a program. Children are visited in the order in which they are printed. A
// StmtMutator returns the same node if nothing changed, as ExprMutator does, so
// that `result.same_as(s)` means "unchanged".
//
// Neither handles bindings (For::var, Let::var, Allocate::buffer): a pass that
// renames them overrides VisitFor, VisitLet and VisitAllocate.
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
  // `s` is the handle of `node`, for returning it unchanged.
#define ASSAY_DECLARE(Kind) \
  virtual Stmt Mutate##Kind(const Stmt& s, const Kind* node);
  ASSAY_STMT_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

// Applies expr::Substitute to every expression of `s`. Values must not mention
// a variable that `s` binds.
Stmt Substitute(const Stmt& s, const expr::VarMap<Expr>& values);

bool UsesVar(const Stmt& s, const Expr& var);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_VISITOR_H_
