#include "compiler/tir/passes/stmt_count.h"

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

class Counter : public StmtVisitor {
 public:
  using StmtVisitor::Visit;
  // Expressions contain no stores; skip them.
  void Visit(const Expr&) override {}

  int64_t count = 0;

 private:
  void VisitStore(const Store*) override { count += copies_; }
  void VisitFor(const For* loop) override {
    const int64_t outer = copies_;
    if (loop->for_kind == ForKind::kUnrolled) {
      copies_ *= expr::AsConstInt(loop->extent).value_or(1);
    }
    Visit(loop->body);
    copies_ = outer;
  }

  int64_t copies_ = 1;
};

}  // namespace

int64_t CountUnrolledStores(const Stmt& s) {
  Counter counter;
  counter.Visit(s);
  return counter.count;
}

}  // namespace assay::tir
