#include "compiler/tir/passes/unroll.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/check.h"

namespace assay::tir {
namespace {

bool Allocates(const Stmt& s) {
  class Finder : public StmtVisitor {
   public:
    bool found = false;

   protected:
    void VisitAllocate(const Allocate*) override { found = true; }
  };
  Finder finder;
  finder.Visit(s);
  return finder.found;
}

class Unroller : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    if (loop->for_kind != ForKind::kUnrolled) {
      return StmtMutator::MutateFor(s, loop);
    }
    const Stmt body = Mutate(loop->body);
    if (Allocates(body)) {
      return For::Make(loop->var, loop->min, loop->extent, ForKind::kSerial,
                       body);
    }
    const auto extent = expr::AsConstInt(loop->extent);
    CHECK(extent.has_value()) << "unrolled extent " << loop->extent;
    std::vector<Stmt> copies;
    for (int i = 0; i < *extent; ++i) {
      copies.push_back(tir::Substitute(body, {{loop->var, loop->min + i}}));
    }
    return Block::Make(std::move(copies));
  }
};

}  // namespace

Stmt Unroll(const Stmt& s) { return Unroller().Mutate(s); }

}  // namespace assay::tir
