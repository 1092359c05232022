#include "compiler/ops/inlining/placed_reads.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/expr/operations.h"
#include "compiler/expr/structural_equal.h"

namespace assay::ops {
namespace {

using expr::Expr;

// As MostComputed(), for values that share their first `depth` arms.
int64_t MostWithin(const std::vector<const Arms*>& values, size_t depth) {
  int64_t count = 0;
  std::map<std::pair<const expr::Select*, int>,
           std::map<bool, std::vector<const Arms*>>>
      selects;
  for (const Arms* arms : values) {
    if (arms->size() == depth) {
      ++count;
    } else {
      const Arm& arm = (*arms)[depth];
      selects[{arm.select, arm.evaluation}][arm.holds].push_back(arms);
    }
  }
  for (const auto& [select, arms] : selects) {
    int64_t most = 0;
    for (const auto& [holds, inner] : arms) {
      most = std::max(most, MostWithin(inner, depth + 1));
    }
    count += most;
  }
  return count;
}

class Finder {
 public:
  explicit Finder(const te::Tensor& stage) {
    if (!stage->axes.empty()) last_axis_ = stage->axes.back().get();
  }

  // Finds the reads in `e`, which is evaluated in `arms`, and maybe elsewhere.
  void Find(const Expr& e, Arms arms) {
    const auto [known, is_new] = visited_.try_emplace(e.get(), arms);
    if (!is_new) {
      const size_t before = known->second.size();
      Join(arms, &known->second);
      if (known->second.size() == before) return;
      arms = known->second;
    }
    const auto* select = e.As<expr::Select>();
    if (select != nullptr && IsUniform(select->condition)) {
      for (const bool holds : {true, false}) {
        Arms inner = arms;
        inner.push_back({select, 0, holds});
        Find(holds ? select->true_value : select->false_value, inner);
      }
      return;
    }
    if (const auto* read = e.As<expr::Read>()) Add(read, arms);
    for (const Expr& operand : expr::OperandsOf(e)) Find(operand, arms);
  }

  std::vector<PlacedRead> reads;

 private:
  void Add(const expr::Read* read, const Arms& arms) {
    const auto [known, is_new] =
        seen_[read->tensor.get()].try_emplace(read->indices, reads.size());
    if (is_new) {
      reads.push_back({read, arms});
    } else {
      Join(arms, &reads[known->second].arms);
    }
  }

  bool IsUniform(const Expr& condition) const {
    if (condition.kind() == expr::ExprKind::kRead) return false;
    if (condition.get() == last_axis_) return false;
    const std::vector<Expr> operands = expr::OperandsOf(condition);
    return std::all_of(operands.begin(), operands.end(),
                       [this](const Expr& e) { return IsUniform(e); });
  }

  const expr::ExprNode* last_axis_ = nullptr;
  std::map<const expr::ExprNode*, Arms> visited_;
  // The position in `reads` of each element.
  std::map<const expr::TensorNode*, std::map<Indices, size_t, IndicesLess>>
      seen_;
};

}  // namespace

bool IndicesLess::operator()(const Indices& a, const Indices& b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      expr::StructuralLess());
}

void Join(const Arms& other, Arms* arms) {
  const auto end = std::mismatch(
      arms->begin(), arms->begin() + std::min(arms->size(), other.size()),
      other.begin());
  arms->erase(end.first, arms->end());
}

int64_t MostComputed(const std::vector<const Arms*>& values) {
  return MostWithin(values, 0);
}

std::vector<PlacedRead> FindReads(const te::Tensor& stage,
                                  const std::vector<Expr>& bodies) {
  Finder finder(stage);
  for (const Expr& body : bodies) finder.Find(body, {});
  return std::move(finder.reads);
}

}  // namespace assay::ops
