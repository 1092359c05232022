// ExprVisitor and ExprMutator: traversal and transformation of expressions.
//
//   class CountLoads : public ExprVisitor {
//     void VisitLoad(const Load* load) override {
//       ++count;
//       ExprVisitor::VisitLoad(load);  // visits the indices
//     }
//   };
//
// A method of ExprVisitor that is not overridden visits the children of the
// node in the order of the operands. A method of ExprMutator that is not
// overridden mutates the children. It creates a new node only if a child has
// changed; otherwise it returns the old node, so that `result.same_as(e)` is
// true if nothing has changed. Results are not cached: a node that occurs
// several times in a tree is visited several times. In a Reduce, only the
// expressions in `sources` are visited, not the variables in `axes` and not the
// reducer.
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
  // `e` is a handle to `node`. A method returns `e` if nothing has changed.
#define ASSAY_DECLARE(Kind) \
  virtual Expr Mutate##Kind(const Expr& e, const struct Kind* node);
  ASSAY_EXPR_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

  // Mutates each expression and returns the results. Sets *changed to true if
  // any expression was replaced by another node; otherwise leaves *changed as
  // it is.
  std::vector<Expr> MutateAll(const std::vector<Expr>& exprs, bool* changed);
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_VISITOR_H_
