#include "suites/correctness/rounding_sensitivity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;

// Returns the changes of the elements, largest first. Elements that become
// finite or cease to be finite do not count.
OutputNoise ChangesOf(const NDArray& a, const NDArray& b) {
  const DType type = a.dtype();
  OutputNoise changes;
  if (a.shape() != b.shape() ||
      !(type.is_float() || type == DType::Int(8) || type == DType::UInt(8))) {
    return changes;
  }
  const std::vector<double> before = AsDoubles(a), after = AsDoubles(b);
  for (size_t i = 0; i < before.size(); ++i) {
    const double change = std::abs(before[i] - after[i]);
    if (std::isfinite(change) && change > 0) changes.push_back(change);
  }
  std::sort(changes.begin(), changes.end(), std::greater<>());
  return changes;
}

// Raises the elements of `noise` to those of `changes`.
void Raise(const OutputNoise& changes, OutputNoise* noise) {
  if (changes.size() > noise->size()) noise->resize(changes.size());
  for (size_t i = 0; i < changes.size(); ++i) {
    (*noise)[i] = std::max((*noise)[i], changes[i]);
  }
}

// Returns true if a row of an output is not where it is without noise.
bool RowsMove(const NamedTensors& exact, const NamedTensors& noisy,
              const RowAxes& row_axes) {
  for (size_t i = 0; i < row_axes.size(); ++i) {
    if (!row_axes[i].has_value()) continue;
    const NDArray& x = exact[i].value;
    const NDArray& y = noisy[i].value;
    if (x.shape() != y.shape()) return true;
    if (!x.dtype().is_float()) {
      if (!BitwiseEqual(x, y)) return true;
      continue;
    }
    const double usual = Tolerance(x, OutputRule()).usual();
    const OutputNoise changes = ChangesOf(x, y);
    if (!changes.empty() && changes[0] > kMaxNoise * usual) return true;
  }
  return false;
}

// Returns the value that kMatchedShare of the changes do not exceed, or 0 if
// there are no changes.
double UsualChange(std::vector<double> changes) {
  if (changes.empty()) return 0;
  const double rank =
      std::ceil(kMatchedShare * static_cast<double>(changes.size()));
  const auto usual = changes.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(changes.begin(), usual, changes.end());
  return *usual;
}

// Raises the noise of the outputs in `group` to the change between the matched
// rows of `exact` and `noisy`.
void MeasureMatchedRows(const NamedTensors& exact, const NamedTensors& noisy,
                        const std::vector<size_t>& group,
                        const RowAxes& row_axes,
                        std::vector<OutputNoise>* noise) {
  std::vector<double> bounds = RowBounds(exact, group, row_axes, CheckRule());
  for (double& bound : bounds) bound *= kMaxNoise;
  const Rows x = JoinRows(exact, group, row_axes);
  const Rows y = JoinRows(noisy, group, row_axes);
  const std::vector<int64_t> places = NearestPlaces(x, y, bounds);
  size_t begin = 0;  // the floats of the output within a row
  for (const size_t i : group) {
    if (!exact[i].value.dtype().is_float()) continue;
    const size_t end = begin + RowSize(exact[i].value, *row_axes[i]);
    if (begin == end) continue;
    std::vector<double> changes;
    for (size_t row = 0; row < places.size(); ++row) {
      if (places[row] < 0) continue;
      const size_t here = row * x.num_floats;
      const size_t there = static_cast<size_t>(places[row]) * y.num_floats;
      const auto floats = x.floats.begin() + static_cast<std::ptrdiff_t>(here);
      if (std::equal(floats, floats + static_cast<std::ptrdiff_t>(x.num_floats),
                     y.floats.begin() + static_cast<std::ptrdiff_t>(there))) {
        continue;
      }
      double& largest = changes.emplace_back(0.0);
      for (size_t c = begin; c < end; ++c) {
        const double a = x.floats[here + c], b = y.floats[there + c];
        const double change = std::abs(a - b);
        if (std::isfinite(change)) largest = std::max(largest, change);
      }
    }
    const double limit = bounds[begin] / kNoiseFactor;
    const double usual = std::min(UsualChange(std::move(changes)), limit);
    const auto elements = static_cast<size_t>(exact[i].value.num_elements());
    if (usual > 0) Raise(OutputNoise(elements, usual), &(*noise)[i]);
    begin = end;
  }
}

}  // namespace

absl::StatusOr<std::vector<NamedTensors>> RoundingSensitivity::Answers(
    size_t runs) {
  const absl::MutexLock lock(&mutex_);
  while (answers_.size() <= runs) {
    ASSAY_ASSIGN_OR_RETURN(NamedTensors outputs, interpret_(answers_.size()));
    if (outputs.size() != row_axes_.size()) {
      return absl::InternalError("the interpreter lacks outputs of the graph");
    }
    answers_.push_back(std::move(outputs));
  }
  return std::vector<NamedTensors>(
      answers_.begin(),
      answers_.begin() + static_cast<std::ptrdiff_t>(runs) + 1);
}

absl::StatusOr<std::vector<OutputNoise>> RoundingSensitivity::Measure() {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NamedTensors> answers,
                         Answers(kNoiseRuns));
  const NamedTensors& exact = answers[0];
  const auto groups =
      GroupByRows(exact, absl::MakeConstSpan(answers).subspan(1), row_axes_);
  std::vector<OutputNoise> noise(exact.size());
  for (size_t run = 1; run <= kNoiseRuns; ++run) {
    const NamedTensors& noisy = answers[run];
    const bool rows_move = RowsMove(exact, noisy, row_axes_);
    for (size_t i = 0; i < noise.size(); ++i) {
      if (rows_move && row_axes_[i].has_value()) continue;
      Raise(ChangesOf(noisy[i].value, exact[i].value), &noise[i]);
    }
    if (!rows_move || !groups.has_value()) continue;
    for (const auto& [key, group] : *groups) {
      if (!IsComparable(key)) continue;
      MeasureMatchedRows(exact, noisy, group, row_axes_, &noise);
    }
  }
  return noise;
}

}  // namespace assay::suites
