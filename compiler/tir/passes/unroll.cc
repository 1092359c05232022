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
constexpr char kUnrollFactor[] = "unroll_factor";

class Unroller : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    const int64_t factor = std::exchange(factor_, 1);
    const Stmt body = Mutate(loop->body);
    factor_ = factor;
    if (factor > 1 && loop->for_kind == ForKind::kSerial &&
        factor * CountUnrolledStores(body) <= kMaxStores) {
      return ByFactor(*loop, body, factor);
    }
    const bool asked = loop->for_kind == ForKind::kUnrolled;
    const auto extent = expr::AsConstInt(loop->extent);
    if (asked) CHECK(extent.has_value()) << "extent " << loop->extent;
    if (asked || loop->for_kind == ForKind::kSerial) {
      const int64_t limit = asked ? kMaxStores : auto_limit_;
      if (extent.has_value() && *extent * CountUnrolledStores(body) <= limit) {
        return Copies(loop->var, loop->min, body, *extent);
      }
    }
    if (!asked && body.same_as(loop->body)) return s;
    return For::Make(loop->var, loop->min, loop->extent,
                     asked ? ForKind::kSerial : loop->for_kind, body);
  }

  Stmt MutatePragma(const Stmt& s, const Pragma* node) override {
    if (node->key == kUnrollFactor) {
      const int64_t outer = std::exchange(factor_, node->value);
      Stmt body = Mutate(node->body);
      factor_ = outer;
      return body;
    }
    if (node->key != kAutoUnroll) return StmtMutator::MutatePragma(s, node);
    const int64_t outer = std::exchange(auto_limit_, node->value);
    Stmt body = Mutate(node->body);
    auto_limit_ = outer;
    return body;
  }

 private:
  static Stmt Copies(const Expr& var, const Expr& min, const Stmt& body,
                     int64_t extent) {
    std::vector<Stmt> copies;
    for (int i = 0; i < extent; ++i) {
      copies.push_back(tir::Substitute(body, {{var, min + i}}));
    }
    return Block::Make(std::move(copies));
  }

  // Unrolls a loop by `factor`, followed by a remainder loop; fully if the
  // extent is less than the factor.
  static Stmt ByFactor(const For& loop, const Stmt& body, int64_t factor) {
    if (const auto extent = expr::AsConstInt(loop.extent);
        extent.has_value() && *extent < factor) {
      return Copies(loop.var, loop.min, body, *extent);
    }
    const Expr step = expr::ConstInt(DType::Int32(), factor);
    const Expr turns = loop.extent / step;
    const Expr turn = expr::Var::Make(loop.var.As<expr::Var>()->name + ".u");
    return Block::Make(
        {For::Make(turn, 0, turns, ForKind::kSerial,
                   Copies(loop.var, loop.min + turn * step, body, factor)),
         For::Make(loop.var, loop.min + turns * step, loop.extent % step,
                   ForKind::kSerial, body)});
  }

  // Maximum number of stores of an automatically unrolled loop; -1: none.
  int64_t auto_limit_ = -1;
  // Unroll factor of the next serial loop.
  int64_t factor_ = 1;
};

}  // namespace

Stmt Unroll(const Stmt& s) { return Unroller().Mutate(s); }

}  // namespace assay::tir
