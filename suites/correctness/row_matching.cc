#include "suites/correctness/row_matching.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "runtime/base/element.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;

// Rows of two sides that are equal.
struct Pair {
  double distance = 0;
  int64_t x = 0, y = 0;
};

// An axis that a shape lacks has one element.
int64_t NumRows(const NDArray& x, int axis) {
  return axis < static_cast<int>(x.shape().size()) ? x.shape()[axis] : 1;
}

// Returns true if the types of `a` and `b` differ at most in the number of
// rows.
bool SameRowType(const NDArray& a, const NDArray& b, int axis) {
  if (a.shape().size() != b.shape().size()) return false;
  Shape shape = a.shape();
  if (axis < static_cast<int>(shape.size())) shape[axis] = b.shape()[axis];
  return a.dtype() == b.dtype() && shape == b.shape();
}

void AppendRow(const NDArray& x, int axis, int64_t row, Rows* rows) {
  int64_t block = 1;  // neighbouring elements of a row
  for (size_t d = static_cast<size_t>(axis) + 1; d < x.shape().size(); ++d) {
    block *= x.shape()[d];
  }
  const int64_t step = NumRows(x, axis) * block;
  for (int64_t begin = row * block; begin < x.num_elements(); begin += step) {
    for (int64_t i = begin; i < begin + block; ++i) {
      if (x.dtype().is_float()) {
        rows->floats.push_back(LoadFloat(x, i));
      } else {
        rows->ints.push_back(LoadInt(x, i));
      }
    }
  }
}

// Returns the distance of row i of `x` and row k of `y`, or nullopt if they are
// not equal.
std::optional<double> Distance(const Rows& x, int64_t i, const Rows& y,
                               int64_t k, absl::Span<const double> bounds) {
  const auto ints = x.ints.begin() + i * static_cast<int64_t>(x.num_ints);
  if (!std::equal(ints, ints + static_cast<int64_t>(x.num_ints),
                  y.ints.begin() + k * static_cast<int64_t>(y.num_ints))) {
    return std::nullopt;
  }
  double distance = 0;
  for (size_t c = 0; c < bounds.size(); ++c) {
    const double a = x.floats[static_cast<size_t>(i) * x.num_floats + c];
    const double b = y.floats[static_cast<size_t>(k) * y.num_floats + c];
    if (!std::isfinite(a) || !std::isfinite(b)) {
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      return std::nullopt;
    }
    const double difference = std::abs(a - b);
    if (difference > bounds[c]) return std::nullopt;
    if (difference > 0) distance = std::max(distance, difference / bounds[c]);
  }
  return distance;
}

}  // namespace

std::optional<RowGroups> GroupByRows(const NamedTensors& outputs,
                                     absl::Span<const NamedTensors> answers,
                                     const RowAxes& row_axes) {
  if (outputs.size() != row_axes.size() || outputs.empty()) return std::nullopt;
  std::vector<std::vector<int64_t>> counts(row_axes.size());
  for (const NamedTensors& answer : answers) {
    if (answer.size() != row_axes.size()) return std::nullopt;
    for (size_t i = 0; i < row_axes.size(); ++i) {
      if (!row_axes[i].has_value()) continue;
      const NDArray& x = answer[i].value;
      if (!SameRowType(outputs[i].value, x, *row_axes[i])) return std::nullopt;
      counts[i].push_back(NumRows(x, *row_axes[i]));
    }
  }
  RowGroups groups;
  for (size_t i = 0; i < row_axes.size(); ++i) {
    if (row_axes[i].has_value()) {
      counts[i].push_back(NumRows(outputs[i].value, *row_axes[i]));
    }
    groups[counts[i]].push_back(i);
  }
  return groups;
}

bool IsComparable(const RowGroups::key_type& key) {
  return !key.empty() && *std::max_element(key.begin(), key.end()) <= kMaxRows;
}

size_t RowSize(const NDArray& x, int axis) {
  Shape shape = x.shape();
  if (axis < static_cast<int>(shape.size())) shape[axis] = 1;
  return static_cast<size_t>(NumElements(shape));
}

Rows JoinRows(const NamedTensors& tensors, const std::vector<size_t>& group,
              const RowAxes& row_axes) {
  Rows rows;
  for (const size_t i : group) {
    const NDArray& x = tensors[i].value;
    rows.count = NumRows(x, *row_axes[i]);
    (x.dtype().is_float() ? rows.num_floats : rows.num_ints) +=
        RowSize(x, *row_axes[i]);
  }
  for (int64_t row = 0; row < rows.count; ++row) {
    for (const size_t i : group) {
      AppendRow(tensors[i].value, *row_axes[i], row, &rows);
    }
  }
  return rows;
}

std::vector<double> RowBounds(const NamedTensors& reference,
                              const std::vector<size_t>& group,
                              const RowAxes& row_axes, const CheckRule& rule) {
  std::vector<double> bounds;
  for (const size_t i : group) {
    const NDArray& x = reference[i].value;
    if (!x.dtype().is_float()) continue;
    const OutputRule output_rule = RuleOfOutput(rule, i);
    const double bound = Tolerance(x, output_rule).Allowed(0);
    bounds.insert(bounds.end(), RowSize(x, *row_axes[i]), bound);
  }
  return bounds;
}

std::vector<int64_t> Places(const Rows& x, const Rows& y,
                            absl::Span<const double> bounds) {
  std::vector<int64_t> places(static_cast<size_t>(x.count), -1);
  std::vector<bool> used(static_cast<size_t>(y.count), false);
  int64_t first = 0;  // all rows of `y` before this one are used
  for (int64_t i = 0; i < x.count; ++i) {
    while (first < y.count && used[first]) ++first;
    for (int64_t k = first; k < y.count; ++k) {
      if (used[k] || !Distance(x, i, y, k, bounds).has_value()) continue;
      used[k] = true;
      places[i] = k;
      break;
    }
  }
  return places;
}

std::vector<int64_t> NearestPlaces(const Rows& x, const Rows& y,
                                   absl::Span<const double> bounds) {
  std::vector<Pair> pairs;
  for (int64_t i = 0; i < x.count; ++i) {
    for (int64_t k = 0; k < y.count; ++k) {
      const std::optional<double> distance = Distance(x, i, y, k, bounds);
      if (distance.has_value()) pairs.push_back({*distance, i, k});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.distance, a.x, a.y) < std::tie(b.distance, b.x, b.y);
  });
  std::vector<int64_t> places(static_cast<size_t>(x.count), -1);
  std::vector<bool> used(static_cast<size_t>(y.count), false);
  for (const Pair& pair : pairs) {
    if (places[pair.x] >= 0 || used[pair.y]) continue;
    used[pair.y] = true;
    places[pair.x] = pair.y;
  }
  return places;
}

}  // namespace assay::suites
