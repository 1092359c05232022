#include "compiler/tir/passes/loop_partition.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/passes/loop_cuts.h"
#include "compiler/tir/passes/stmt_count.h"
#include "compiler/tir/simplify/exact.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

constexpr int64_t kMaxCopiesPerCut = 256;
constexpr int64_t kMaxCopies = 1024;

Expr Imm(int64_t v) { return expr::ConstInt(DType::Int32(), v); }

// The range of a loop during narrowing.
struct Range {
  Expr begin, end;
  std::vector<Expr> rest;  // conditions that could not be applied to the range
};

class Partitioner : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    const std::optional<Stmt> narrowed = Narrowed(*loop);
    // A narrowed loop has no conditions left to narrow it by.
    if (narrowed.has_value()) return Mutate(Simplify(*narrowed, bounds_));
    const auto min = expr::AsConstInt(loop->min);
    const auto extent = expr::AsConstInt(loop->extent);
    if (loop->for_kind == ForKind::kSerial && min.has_value() &&
        extent.has_value() && *extent > 1) {
      const ConstInterval range = {*min, *min + *extent - 1};
      const std::vector<int64_t> cuts = ChooseCuts(*loop, range, bounds_);
      const int64_t copies =
          static_cast<int64_t>(cuts.size()) * CountUnrolledStores(loop->body);
      if (!cuts.empty() && copies <= kMaxCopiesPerCut && copies <= copies_) {
        copies_ -= copies;
        return Cut(*loop, range, cuts);
      }
    }
    return MutateInside(s, *loop);
  }

 private:
  Stmt Cut(const For& loop, const ConstInterval& range,
           const std::vector<int64_t>& cuts) {
    std::vector<int64_t> starts = {range.min};
    starts.insert(starts.end(), cuts.begin(), cuts.end());
    starts.push_back(range.max + 1);
    std::vector<Stmt> parts;
    for (size_t i = 0; i + 1 < starts.size(); ++i) {
      const Stmt part = Simplify(
          For::Make(loop.var, Imm(starts[i]), Imm(starts[i + 1] - starts[i]),
                    loop.for_kind, loop.body),
          bounds_);
      // A part that is still this loop is not split again.
      const For* rest = part.As<For>();
      parts.push_back(rest != nullptr && rest->var.same_as(loop.var)
                          ? MutateInside(part, *rest)
                          : Mutate(part));
    }
    return Block::Make(std::move(parts));
  }

  Stmt MutateInside(const Stmt& s, const For& loop) {
    bounds_[loop.var] = LoopBounds(loop.min, loop.extent, bounds_);
    const bool is_vector = loop.for_kind == ForKind::kVectorized;
    if (is_vector) lanes_.insert(loop.var);
    Stmt result = StmtMutator::MutateFor(s, &loop);
    if (is_vector) lanes_.erase(loop.var);
    bounds_.erase(loop.var);
    return result;
  }

  // The loop restricted to the iterations in which the condition that is its
  // whole body can hold; nullopt if there is no such condition.
  std::optional<Stmt> Narrowed(const For& loop) const {
    const auto* branch = loop.body.As<IfThenElse>();
    if (branch == nullptr || branch->else_body.defined()) return std::nullopt;
    Range range = {loop.min, loop.min + loop.extent, {}};
    if (!Narrow(loop, branch->condition, range)) return std::nullopt;
    Stmt body = branch->then_body;
    if (!range.rest.empty()) {
      Expr condition = range.rest[0];
      for (size_t i = 1; i < range.rest.size(); ++i) {
        condition = condition && range.rest[i];
      }
      body = IfThenElse::Make(condition, std::move(body));
    }
    return For::Make(loop.var, range.begin, range.end - range.begin,
                     loop.for_kind, std::move(body));
  }

  // Returns true if an operand of the conjunction was applied to the range.
  bool Narrow(const For& loop, const Expr& condition, Range& range) const {
    if (const auto* n = condition.As<expr::And>()) {
      const bool a = Narrow(loop, n->a, range);
      return Narrow(loop, n->b, range) || a;
    }
    if (const auto* n = condition.As<expr::LT>()) {
      if (NarrowBy(loop, n->a, n->b, 0, range)) return true;
    }
    if (const auto* n = condition.As<expr::LE>()) {
      if (NarrowBy(loop, n->a, n->b, 1, range)) return true;
    }
    range.rest.push_back(condition);
    return false;
  }

  // Narrows the range by a < b + slack.
  bool NarrowBy(const For& loop, const Expr& a, const Expr& b, int64_t slack,
                Range& range) const {
    if (a.dtype() != DType::Int32()) return false;
    if (!IsExact(a, bounds_) || !IsExact(b, bounds_)) return false;
    Linear sum = Difference(a, b);
    sum.constant -= slack;
    const auto found = sum.terms.find(loop.var);
    if (found == sum.terms.end()) return false;
    const int64_t factor = found->second;
    sum.AddTerm(loop.var, -factor);
    const Expr rest = sum.ToExpr();
    if (!IsFixed(loop, rest)) return false;
    if (factor > 0) {
      // var < -rest / factor, rounded up
      range.end = expr::Min(range.end, (Imm(factor - 1) - rest) / Imm(factor));
    } else {
      // var > rest / -factor, rounded down
      range.begin = expr::Max(range.begin, rest / Imm(-factor) + 1);
    }
    return true;
  }

  // Returns true if `e` may be a limit of a loop of this kind.
  bool IsFixed(const For& loop, const Expr& e) const {
    if (expr::AsConstInt(e).has_value()) return true;
    if (loop.for_kind != ForKind::kSerial || expr::HasLoad(e)) return false;
    for (const Expr& var : expr::FreeVars(e)) {
      // The lanes of a vector cannot have different loop bounds.
      if (var.same_as(loop.var) || lanes_.count(var) > 0) return false;
    }
    return true;
  }

  VarBounds bounds_;
  expr::VarSet lanes_;  // variables of vectorized loops
  int64_t copies_ = kMaxCopies;
};

}  // namespace

Stmt PartitionLoops(const Stmt& s) { return Partitioner().Mutate(s); }

}  // namespace assay::tir
