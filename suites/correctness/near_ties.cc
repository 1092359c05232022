#include "suites/correctness/near_ties.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;

struct RowCheck {
  std::string problem;  // one clause; empty if there is none
  bool is_far = false;
  int64_t num_different = 0;  // rows that differ from those of the reference
  // Error and bound of the float with the largest quotient of both.
  double max_abs_error = 0;
  double bound = 0;
};

// Compares the rows of a group with those of each answer.
class RowComparison {
 public:
  // `bounds` are the bounds of the floats of a row.
  RowComparison(Rows rows, std::vector<Rows> answers,
                std::vector<double> bounds)
      : rows_(std::move(rows)),
        answers_(std::move(answers)),
        bounds_(std::move(bounds)) {
    for (const Rows& answer : answers_) {
      places_.push_back(Places(rows_, answer, bounds_));
    }
  }

  RowCheck Check() {
    CheckPresent();
    if (check_.problem.empty()) CheckMissing();
    if (check_.problem.empty()) CheckOrder();
    if (check_.problem.empty()) MeasureErrors();
    return check_;
  }

 private:
  // Each row is in an answer.
  void CheckPresent() {
    int64_t first = -1, unknown = 0;
    for (int64_t i = 0; i < rows_.count; ++i) {
      const bool known =
          std::any_of(places_.begin(), places_.end(),
                      [i](const auto& places) { return places[i] >= 0; });
      if (known) continue;
      if (first < 0) first = i;
      ++unknown;
    }
    if (unknown == 0) return;
    check_.problem =
        absl::StrCat("row ", first, " is in none of ", AnswersText());
    check_.is_far = 2 * unknown > rows_.count;
  }

  // Each row that is in all answers is in the outputs, and these are at least
  // half of all rows. A group that is one row everywhere cannot lack rows.
  void CheckMissing() {
    const Rows& reference = answers_[0];
    const std::vector<int64_t> here = Places(reference, rows_, bounds_);
    std::vector<bool> in_all(static_cast<size_t>(reference.count), true);
    bool one_row = rows_.count == 1;
    for (const Rows& answer : answers_) {
      one_row = one_row && answer.count == 1;
      const std::vector<int64_t> there = Places(reference, answer, bounds_);
      for (size_t i = 0; i < there.size(); ++i) {
        if (there[i] < 0) in_all[i] = false;
      }
    }
    int64_t determined = 0;
    for (size_t i = 0; i < here.size(); ++i) {
      if (here[i] < 0) ++check_.num_different;
      if (!in_all[i]) continue;
      ++determined;
      if (here[i] < 0) {
        check_.problem =
            absl::StrCat("row ", i, " of the reference is missing, although ",
                         "all of ", AnswersText(), " have it");
        return;
      }
    }
    const int64_t most = std::max(rows_.count, reference.count);
    if (!one_row && 2 * determined < most) {
      check_.problem =
          absl::StrCat("rounding alone decides about ", most - determined,
                       " of ", most, " rows, too many for a check");
      check_.is_far = true;
    }
  }

  // Each two rows are in the same order in an answer, or together in none.
  void CheckOrder() {
    std::vector<bool> differs(static_cast<size_t>(rows_.count), false);
    for (int64_t i = 0; i < rows_.count; ++i) {
      if (places_[0][i] < 0) differs[i] = true;
      for (int64_t j = i + 1; j < rows_.count; ++j) {
        bool together = false, in_order = false;
        for (size_t k = 0; k < places_.size() && !in_order; ++k) {
          const int64_t a = places_[k][i], b = places_[k][j];
          if (a < 0 || b < 0) continue;
          together = true;
          in_order = a < b;
          if (k > 0 || in_order) continue;
          differs[i] = true;
          differs[j] = true;
        }
        if (!together || in_order) continue;
        check_.problem = absl::StrCat("rows ", i, " and ", j,
                                      " are in the opposite order in all of ",
                                      AnswersText(), " and have both");
        return;
      }
    }
    check_.num_different += std::count(differs.begin(), differs.end(), true);
  }

  void MeasureErrors() {
    if (!bounds_.empty()) check_.bound = bounds_[0];
    for (int64_t i = 0; i < rows_.count; ++i) {
      size_t k = 0;
      while (places_[k][i] < 0) ++k;
      const size_t here = static_cast<size_t>(i) * bounds_.size();
      const size_t there = static_cast<size_t>(places_[k][i]) * bounds_.size();
      for (size_t c = 0; c < bounds_.size(); ++c) {
        const double error =
            std::abs(rows_.floats[here + c] - answers_[k].floats[there + c]);
        if (std::isfinite(error) &&
            error * check_.bound > check_.max_abs_error * bounds_[c]) {
          check_.max_abs_error = error;
          check_.bound = bounds_[c];
        }
      }
    }
  }

  std::string AnswersText() const {
    return absl::StrCat("the ", answers_.size(),
                        " answers that differ by rounding alone");
  }

  const Rows rows_;
  const std::vector<Rows> answers_;
  const std::vector<double> bounds_;
  // For each answer, the result of Places() for the rows of the outputs.
  std::vector<std::vector<int64_t>> places_;
  RowCheck check_;
};

NamedTensors Select(const NamedTensors& tensors,
                    const std::vector<size_t>& group) {
  NamedTensors selected;
  for (const size_t i : group) selected.push_back(tensors[i]);
  return selected;
}

Accuracy CheckElements(const NamedTensors& outputs,
                       const NamedTensors& reference,
                       const std::vector<size_t>& group,
                       const CheckRule& rule) {
  CheckRule selected;
  for (const size_t i : group) selected.push_back(RuleOfOutput(rule, i));
  return CheckOutputs(Select(outputs, group), Select(reference, group),
                      selected);
}

RowCheck CheckRows(const NamedTensors& outputs,
                   absl::Span<const NamedTensors> answers,
                   const std::vector<size_t>& group, const RowAxes& row_axes,
                   const CheckRule& rule) {
  std::vector<Rows> rows;
  for (const NamedTensors& answer : answers) {
    rows.push_back(JoinRows(answer, group, row_axes));
  }
  return RowComparison(JoinRows(outputs, group, row_axes), std::move(rows),
                       RowBounds(answers[0], group, row_axes, rule))
      .Check();
}

std::string NamesOf(const NamedTensors& tensors,
                    const std::vector<size_t>& group) {
  return absl::StrJoin(group, ", ", [&](std::string* out, size_t i) {
    absl::StrAppend(out, "`", tensors[i].name, "`");
  });
}

}  // namespace

TieCheck CheckNearTies(const NamedTensors& outputs,
                       absl::Span<const NamedTensors> answers,
                       const RowAxes& row_axes, const CheckRule& rule) {
  TieCheck check;
  check.accuracy = CheckOutputs(outputs, answers[0], rule);
  if (check.accuracy.correct) return check;
  check.is_far = true;
  const auto groups = GroupByRows(outputs, answers, row_axes);
  if (!groups.has_value()) return check;
  std::optional<Accuracy> all;
  for (const auto& [key, group] : *groups) {
    Accuracy accuracy = CheckElements(outputs, answers[0], group, rule);
    if (!accuracy.correct) {
      if (!IsComparable(key)) {
        check.accuracy = std::move(accuracy);
        return check;
      }
      const RowCheck rows = CheckRows(outputs, answers, group, row_axes, rule);
      if (!rows.problem.empty()) {
        check.accuracy = std::move(accuracy);
        check.is_far = rows.is_far;
        absl::StrAppend(&check.accuracy.problem, "; compared by rows of ",
                        NamesOf(answers[0], group), ", ", rows.problem);
        return check;
      }
      accuracy = Accuracy();
      accuracy.correct = true;
      accuracy.max_abs_error = rows.max_abs_error;
      accuracy.bound = rows.bound;
      accuracy.remarks = {absl::StrCat(rows.num_different, " rows of ",
                                       NamesOf(answers[0], group),
                                       " differ, each by a near tie")};
    }
    Merge(std::move(accuracy), &all);
  }
  check.accuracy = *std::move(all);
  check.is_far = false;
  return check;
}

}  // namespace assay::suites
