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

// More places than a loop over a sane number of conditions has.
constexpr size_t kMaxPlaces = 8;

// `difference kind 0`
struct Question {
  ExprKind kind;
  Linear difference;
};

Question Ask(ExprKind kind, const Expr& a, const Expr& b) {
  Question question = {kind, ToLinear(a)};
  question.difference.Add(ToLinear(b), -1);
  return question;
}

// The questions of a loop's body, and the bounds of the variables in it.
class QuestionFinder : public StmtVisitor {
 public:
  QuestionFinder(Expr var, VarBounds bounds)
      : bounds(std::move(bounds)), var_(std::move(var)) {}
  using StmtVisitor::Visit;

  std::vector<Question> conditions, clamps;
  VarBounds bounds;
  bool has_loops = false;

 private:
  void VisitFor(const For* loop) override {
    Visit(loop->min);
    Visit(loop->extent);
    has_loops = has_loops || loop->for_kind == ForKind::kSerial;
    const ConstInterval first = ConstBounds(loop->min, bounds);
    const ConstInterval count = ConstBounds(loop->extent, bounds);
    ConstInterval range = {first.min,
                           first.max + std::max<int64_t>(count.max - 1, 0)};
    // Loops one after the other may bind one variable.
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
#define ASSAY_CASE(Kind)                             \
  if (const auto* n = e.As<expr::Kind>()) {          \
    if (!Matters(n->a, n->b)) return;                \
    conditions.push_back(Ask(e.kind(), n->a, n->b)); \
    return;                                          \
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
    if (Matters(a, b)) clamps.push_back(Ask(ExprKind::kLE, a, b));
  }
  bool Matters(const Expr& a, const Expr& b) const {
    return a.dtype() == DType::Int32() &&
           (expr::UsesVar(a, var_) || expr::UsesVar(b, var_));
  }

  const Expr var_;
};

// Finds the places where the answers to questions change.
class PlaceFinder {
 public:
  PlaceFinder(Expr var, const ConstInterval& range, const VarBounds& bounds)
      : var_(std::move(var)), range_(range), bounds_(bounds) {}

  void Add(const Question& question) {
    const bool equality =
        question.kind == ExprKind::kEQ || question.kind == ExprKind::kNE;
    if (equality || question.kind == ExprKind::kLT) {
      AddChanges(question.difference);
    }
    if (equality || question.kind == ExprKind::kLE) {
      Linear shifted = question.difference;
      shifted.constant -= 1;
      AddChanges(shifted);
    }
  }

  const std::set<int64_t>& places() const { return places_; }

 private:
  // Where `sum < 0` changes between true, open and false. A clamp in the sum is
  // either of its operands.
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
      AddPlace(factor > 0 ? -FloorDiv(r, factor) : FloorDiv(r, -factor) + 1);
    }
  }
  void AddReplaced(const Linear& sum, const Expr& term, const Expr& by) {
    const int64_t coefficient = sum.terms.at(term);
    Linear replaced = sum;
    // `term` may live in `sum` only.
    const Expr kept = term;
    replaced.AddTerm(kept, -coefficient);
    replaced.Add(ToLinear(by), coefficient);
    AddChanges(replaced);
  }
  void AddPlace(int64_t place) {
    if (range_.min < place && place <= range_.max &&
        places_.size() < kMaxPlaces) {
      places_.insert(place);
    }
  }

  const Expr var_;
  const ConstInterval range_;
  const VarBounds& bounds_;
  std::set<int64_t> places_;
};

// While the variable is in `range`.
std::optional<bool> Answer(const Question& question, const Expr& var,
                           const ConstInterval& range, VarBounds& bounds) {
  bounds[var] = range;
  return DecideComparison(question.kind,
                          LinearBounds(question.difference, bounds));
}

// The range taken apart at all places, and what is known in each piece.
class Pieces {
 public:
  Pieces(const ConstInterval& range, const std::set<int64_t>& places) {
    starts_ = {range.min};
    starts_.insert(starts_.end(), places.begin(), places.end());
    starts_.push_back(range.max + 1);
    answers_.resize(count());
  }

  size_t count() const { return starts_.size() - 1; }
  int64_t start(size_t piece) const { return starts_[piece]; }

  void Add(const Question& question, const Expr& var, VarBounds& bounds) {
    for (size_t p = 0; p < count(); ++p) {
      answers_[p].push_back(
          Answer(question, var, {starts_[p], starts_[p + 1] - 1}, bounds));
    }
  }

  // The questions answered before a loop over pieces [first, last), counted in
  // its iterations.
  int64_t Known(size_t first, size_t last) const {
    int64_t known = 0;
    for (size_t q = 0; q < answers_[first].size(); ++q) {
      bool same = answers_[first][q].has_value();
      for (size_t p = first; p < last; ++p) {
        same = same && answers_[p][q] == answers_[first][q];
      }
      if (same) known += starts_[last] - starts_[first];
    }
    return known;
  }

 private:
  std::vector<int64_t> starts_;
  std::vector<std::vector<std::optional<bool>>> answers_;
};

// The cuts that make most known, and how much that is.
std::vector<int64_t> BestCuts(const Pieces& pieces, int64_t& best) {
  std::vector<int64_t> cuts;
  const size_t n = pieces.count();
  // One cut before two, so that a second one must earn its copy.
  for (size_t a = 1; a < n; ++a) {
    const int64_t known = pieces.Known(0, a) + pieces.Known(a, n);
    if (known <= best) continue;
    best = known;
    cuts = {pieces.start(a)};
  }
  for (size_t a = 1; a < n; ++a) {
    for (size_t b = a + 1; b < n; ++b) {
      const int64_t known =
          pieces.Known(0, a) + pieces.Known(a, b) + pieces.Known(b, n);
      if (known <= best) continue;
      best = known;
      cuts = {pieces.start(a), pieces.start(b)};
    }
  }
  return cuts;
}

}  // namespace

std::vector<int64_t> ChooseCuts(const For& loop, const ConstInterval& range,
                                const VarBounds& bounds) {
  QuestionFinder finder(loop.var, bounds);
  finder.Visit(loop.body);
  std::vector<Question>& questions = finder.conditions;
  PlaceFinder place_finder(loop.var, range, finder.bounds);
  for (const Question& question : questions) place_finder.Add(question);
  if (!finder.has_loops) {
    for (const Question& clamp : finder.clamps) {
      place_finder.Add(clamp);
      questions.push_back(clamp);
    }
  }
  if (place_finder.places().empty()) return {};
  Pieces pieces(range, place_finder.places());
  for (const Question& question : questions) {
    pieces.Add(question, loop.var, finder.bounds);
  }
  const int64_t whole = pieces.Known(0, pieces.count());
  int64_t best = whole;
  std::vector<int64_t> cuts = BestCuts(pieces, best);
  const int64_t iterations = range.max - range.min + 1;
  if ((best - whole) * 2 < iterations) cuts.clear();
  return cuts;
}

}  // namespace assay::tir
