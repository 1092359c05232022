#include "compiler/tir/passes/loop_cuts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/tir/simplify/compare.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/simplify/linear_bounds.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

using expr::ExprKind;
using expr::FloorDiv;

// Limit on the number of candidate cuts of a loop.
constexpr size_t kMaxCandidates = 8;

// The comparison `difference kind 0`.
struct Comparison {
  ExprKind kind;
  Linear difference;
};

// Collects the comparisons in a loop's body, and the bounds of its variables.
class ComparisonFinder : public StmtVisitor {
 public:
  ComparisonFinder(Expr var, VarBounds bounds)
      : bounds(std::move(bounds)), var_(std::move(var)) {}
  using StmtVisitor::Visit;

  std::vector<Comparison> conditions, clamps;
  VarBounds bounds;
  bool has_loops = false;

 private:
  void VisitFor(const For* loop) override {
    Visit(loop->min);
    Visit(loop->extent);
    has_loops = has_loops || loop->for_kind == ForKind::kSerial;
    const ConstInterval range = LoopBounds(loop->min, loop->extent, bounds);
    // Several loops in sequence may bind the same variable.
    const auto [known, is_new] = bounds.try_emplace(loop->var, range);
    known->second = {std::min(known->second.min, range.min),
                     std::max(known->second.max, range.max)};
    Visit(loop->body);
  }
  void VisitLet(const Let* let) override {
    bounds[let->var] = ConstBounds(let->value, bounds);
    StmtVisitor::VisitLet(let);
  }
  void VisitIfThenElse(const IfThenElse* branch) override {
    VisitCondition(branch->condition);
    Visit(branch->then_body);
    if (branch->else_body.defined()) Visit(branch->else_body);
  }
  void VisitSelect(const expr::Select* select) override {
    VisitCondition(select->condition);
    Visit(select->true_value);
    Visit(select->false_value);
  }
  void VisitMin(const struct expr::Min* n) override { VisitClamp(n->a, n->b); }
  void VisitMax(const struct expr::Max* n) override { VisitClamp(n->a, n->b); }

  void VisitCondition(const Expr& e) {
    if (const auto* n = e.As<expr::Not>()) return VisitCondition(n->a);
    if (const auto* n = e.As<expr::And>()) return VisitBoth(n->a, n->b);
    if (const auto* n = e.As<expr::Or>()) return VisitBoth(n->a, n->b);
#define ASSAY_CASE(Kind)                                               \
  if (const auto* n = e.As<expr::Kind>()) {                            \
    if (!Matters(n->a, n->b)) return;                                  \
    conditions.push_back({ExprKind::k##Kind, Difference(n->a, n->b)}); \
    return;                                                            \
  }
    ASSAY_CASE(LT)
    ASSAY_CASE(LE)
    ASSAY_CASE(EQ)
    ASSAY_CASE(NE)
#undef ASSAY_CASE
  }
  void VisitBoth(const Expr& a, const Expr& b) {
    VisitCondition(a);
    VisitCondition(b);
  }
  void VisitClamp(const Expr& a, const Expr& b) {
    Visit(a);
    Visit(b);
    if (Matters(a, b)) clamps.push_back({ExprKind::kLE, Difference(a, b)});
  }
  bool Matters(const Expr& a, const Expr& b) const {
    return a.dtype() == DType::Int32() &&
           (expr::UsesVar(a, var_) || expr::UsesVar(b, var_));
  }

  const Expr var_;
};

// Collects the points at which comparisons become decided or undecided.
class CandidateFinder {
 public:
  CandidateFinder(Expr var, const ConstInterval& range, const VarBounds& bounds)
      : var_(std::move(var)), range_(range), bounds_(bounds) {}

  void Add(const Comparison& comparison) {
    const bool equality =
        comparison.kind == ExprKind::kEQ || comparison.kind == ExprKind::kNE;
    if (equality || comparison.kind == ExprKind::kLT) {
      AddChanges(comparison.difference);
    }
    if (equality || comparison.kind == ExprKind::kLE) {
      Linear shifted = comparison.difference;
      shifted.constant -= 1;
      AddChanges(shifted);
    }
  }

  const std::set<int64_t>& candidates() const { return candidates_; }

 private:
  // Adds the points at which `sum < 0` changes between true, undecided and
  // false. A min or max in the sum is replaced by each of its operands.
  void AddChanges(const Linear& sum) {
    for (const auto& [term, coefficient] : sum.terms) {
      if (!expr::UsesVar(term, var_)) continue;
      if (const auto* n = term.As<struct expr::Min>()) {
        AddReplaced(sum, term, n->a);
        return AddReplaced(sum, term, n->b);
      }
      if (const auto* n = term.As<struct expr::Max>()) {
        AddReplaced(sum, term, n->a);
        return AddReplaced(sum, term, n->b);
      }
      if (term.As<expr::Var>() == nullptr) return;
    }
    const auto found = sum.terms.find(var_);
    if (found == sum.terms.end()) return;
    const int64_t factor = found->second;
    Linear others = sum;
    others.AddTerm(var_, -factor);
    const ConstInterval rest = LinearBounds(others, bounds_);
    // factor * var + rest < 0, for the largest and the smallest rest.
    for (int64_t r : {rest.max, rest.min}) {
      AddPoint(factor > 0 ? -FloorDiv(r, factor) : FloorDiv(r, -factor) + 1);
    }
  }
  void AddReplaced(const Linear& sum, const Expr& term, const Expr& by) {
    const int64_t coefficient = sum.terms.at(term);
    Linear replaced = sum;
    // `term` may refer to an element of `sum`.
    const Expr kept = term;
    replaced.AddTerm(kept, -coefficient);
    replaced.Add(ToLinear(by), coefficient);
    AddChanges(replaced);
  }
  void AddPoint(int64_t point) {
    if (range_.min < point && point <= range_.max &&
        candidates_.size() < kMaxCandidates) {
      candidates_.insert(point);
    }
  }

  const Expr var_;
  const ConstInterval range_;
  const VarBounds& bounds_;
  std::set<int64_t> candidates_;
};

// The range split at all candidates, and the comparisons decided in each
// segment.
class Segments {
 public:
  Segments(const ConstInterval& range, const std::set<int64_t>& candidates) {
    starts_ = {range.min};
    starts_.insert(starts_.end(), candidates.begin(), candidates.end());
    starts_.push_back(range.max + 1);
    decisions_.resize(count());
  }

  size_t count() const { return starts_.size() - 1; }
  int64_t start(size_t segment) const { return starts_[segment]; }

  void Add(const Comparison& comparison, const Expr& var, VarBounds& bounds) {
    for (size_t s = 0; s < count(); ++s) {
      bounds[var] = {starts_[s], starts_[s + 1] - 1};
      decisions_[s].push_back(DecideComparison(
          comparison.kind, LinearBounds(comparison.difference, bounds)));
    }
  }

  // The number of comparisons decided in a loop over segments [first, last),
  // times its iterations.
  int64_t Decided(size_t first, size_t last) const {
    int64_t decided = 0;
    for (size_t c = 0; c < decisions_[first].size(); ++c) {
      bool same = decisions_[first][c].has_value();
      for (size_t s = first; s < last; ++s) {
        same = same && decisions_[s][c] == decisions_[first][c];
      }
      if (same) decided += starts_[last] - starts_[first];
    }
    return decided;
  }

 private:
  std::vector<int64_t> starts_;
  std::vector<std::vector<std::optional<bool>>> decisions_;
};

// The cuts that maximize Decided; `best` becomes that maximum.
std::vector<int64_t> BestCuts(const Segments& segments, int64_t& best) {
  std::vector<int64_t> cuts;
  const size_t n = segments.count();
  // Single cuts first, so that a second cut must improve on them.
  for (size_t a = 1; a < n; ++a) {
    const int64_t decided = segments.Decided(0, a) + segments.Decided(a, n);
    if (decided <= best) continue;
    best = decided;
    cuts = {segments.start(a)};
  }
  for (size_t a = 1; a < n; ++a) {
    for (size_t b = a + 1; b < n; ++b) {
      const int64_t decided = segments.Decided(0, a) + segments.Decided(a, b) +
                              segments.Decided(b, n);
      if (decided <= best) continue;
      best = decided;
      cuts = {segments.start(a), segments.start(b)};
    }
  }
  return cuts;
}

}  // namespace

std::vector<int64_t> ChooseCuts(const For& loop, const ConstInterval& range,
                                const VarBounds& bounds) {
  ComparisonFinder finder(loop.var, bounds);
  finder.Visit(loop.body);
  std::vector<Comparison> comparisons = finder.conditions;
  if (!finder.has_loops) {
    comparisons.insert(comparisons.end(), finder.clamps.begin(),
                       finder.clamps.end());
  }
  CandidateFinder candidates(loop.var, range, finder.bounds);
  for (const Comparison& comparison : comparisons) candidates.Add(comparison);
  if (candidates.candidates().empty()) return {};
  Segments segments(range, candidates.candidates());
  for (const Comparison& comparison : comparisons) {
    segments.Add(comparison, loop.var, finder.bounds);
  }
  const int64_t whole = segments.Decided(0, segments.count());
  int64_t best = whole;
  std::vector<int64_t> cuts = BestCuts(segments, best);
  const int64_t iterations = range.max - range.min + 1;
  if ((best - whole) * 2 < iterations) cuts.clear();
  return cuts;
}

}  // namespace assay::tir
