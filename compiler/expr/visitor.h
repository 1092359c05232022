// Traversals of expressions.
//
//   class CountLoads : public ExprVisitor {
//     void VisitLoad(const Load* load) override {
//       ++count;
//       ExprVisitor::VisitLoad(load);  // descends
//     }
//   };
//
// The default of a visitor visits the children in operand order. The default of
// a mutator mutates the children and rebuilds the node only if a child changed,
// so that `result.same_as(e)` means "unchanged". Neither memoizes: a shared
// node is visited once per occurrence. The variables that a Reduce binds are
// not visited.
#ifndef ASSAY_COMPILER_EXPR_VISITOR_H_
#define ASSAY_COMPILER_EXPR_VISITOR_H_

#include <vector>

#include "compiler/expr/expr.h"

namespace assay::expr {

class ExprVisitor {
 public:
  virtual ~ExprVisitor() = default;
  virtual void Visit(const Expr& e);

 protected:
#define ASSAY_DECLARE(Kind) virtual void Visit##Kind(const struct Kind* node);
  ASSAY_EXPR_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

  void VisitAll(const std::vector<Expr>& exprs);
};

class ExprMutator {
 public:
  virtual ~ExprMutator() = default;
  virtual Expr Mutate(const Expr& e);

 protected:
  // `e` is the handle of `node`, for returning it unchanged.
#define ASSAY_DECLARE(Kind) \
  virtual Expr Mutate##Kind(const Expr& e, const struct Kind* node);
  ASSAY_EXPR_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

  // Mutates each expression; sets *changed if one is not the same node as
  // before.
  std::vector<Expr> MutateAll(const std::vector<Expr>& exprs, bool* changed);
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_VISITOR_H_
