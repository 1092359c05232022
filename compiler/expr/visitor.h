// Traversals of expressions.
//
//   class CountLoads : public ExprVisitor {
//     void VisitLoad(const Load* load) override {
//       ++count;
//       ExprVisitor::VisitLoad(load);  // descends
//     }
//   };
//
// A visitor's default for each kind visits the children in the order they are
// written; a mutator's default mutates them and rebuilds the node only where a
// child is another node than before, so that `result.same_as(e)` means
// "unchanged". Neither remembers shared nodes: each occurrence is visited.
// Both descend into the variables a Reduce binds neither as uses nor as
// children.
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

  // Mutates each; *changed becomes true if one is another node than before.
  std::vector<Expr> MutateAll(const std::vector<Expr>& exprs, bool* changed);
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_VISITOR_H_
