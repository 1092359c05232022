#include "compiler/tir/passes/unroll.h"

#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/passes/stmt_count.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/check.h"

namespace assay::tir {
namespace {

constexpr int64_t kMaxStores = 4096;
constexpr char kAutoUnroll[] = "auto_unroll_max_step";

class Unroller : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    const Stmt body = Mutate(loop->body);
    const bool asked = loop->for_kind == ForKind::kUnrolled;
    const auto extent = expr::AsConstInt(loop->extent);
    if (asked) CHECK(extent.has_value()) << "extent " << loop->extent;
    if (asked || loop->for_kind == ForKind::kSerial) {
      const int64_t limit = asked ? kMaxStores : auto_limit_;
      if (extent.has_value() && *extent * CountUnrolledStores(body) <= limit) {
        return Copies(*loop, body, *extent);
      }
    }
    if (!asked && body.same_as(loop->body)) return s;
    return For::Make(loop->var, loop->min, loop->extent,
                     asked ? ForKind::kSerial : loop->for_kind, body);
  }

  Stmt MutatePragma(const Stmt& s, const Pragma* node) override {
    if (node->key != kAutoUnroll) return StmtMutator::MutatePragma(s, node);
    const int64_t outer = std::exchange(auto_limit_, node->value);
    Stmt body = Mutate(node->body);
    auto_limit_ = outer;
    return body;
  }

 private:
  static Stmt Copies(const For& loop, const Stmt& body, int64_t extent) {
    std::vector<Stmt> copies;
    for (int i = 0; i < extent; ++i) {
      copies.push_back(tir::Substitute(body, {{loop.var, loop.min + i}}));
    }
    return Block::Make(std::move(copies));
  }

  // How many stores a serial loop may become; -1: none is unrolled.
  int64_t auto_limit_ = -1;
};

}  // namespace

Stmt Unroll(const Stmt& s) { return Unroller().Mutate(s); }

}  // namespace assay::tir
