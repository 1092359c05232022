// Operators whose results depend on the data in more than their elements.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "compiler/graph/reference/element.h"
#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {
namespace {

struct Box {
  double y1, x1, y2, x2;
};

Box BoxAt(const float* p, bool center) {
  if (center) {
    return {p[1] - p[3] / 2, p[0] - p[2] / 2, p[1] + p[3] / 2, p[0] + p[2] / 2};
  }
  return {std::min(p[0], p[2]), std::min(p[1], p[3]), std::max(p[0], p[2]),
          std::max(p[1], p[3])};
}

// Intersection over union; 0 where either has no area.
double Overlap(const Box& a, const Box& b) {
  const double h = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  const double w = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  if (!(h > 0) || !(w > 0)) return 0;
  const double both =
      (a.y2 - a.y1) * (a.x2 - a.x1) + (b.y2 - b.y1) * (b.x2 - b.x1) - h * w;
  return h * w / both;
}

// Of one image and class, the best first.
std::vector<int64_t> Selected(const NonMaxSuppressionAttrs& attrs,
                              const float* boxes, const float* scores,
                              int64_t n) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < n; ++i) {
    if (scores[i] > attrs.score_threshold) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    return scores[i] != scores[j] ? scores[i] > scores[j] : i < j;
  });
  std::vector<int64_t> selected;
  for (const int64_t i : order) {
    if (static_cast<int64_t>(selected.size()) == attrs.most) break;
    const Box box = BoxAt(boxes + 4 * i, attrs.center);
    const bool keep =
        std::none_of(selected.begin(), selected.end(), [&](int64_t other) {
          return Overlap(box, BoxAt(boxes + 4 * other, attrs.center)) >
                 attrs.iou_threshold;
        });
    if (keep) selected.push_back(i);
  }
  return selected;
}

}  // namespace

std::vector<NDArray> NonMaxSuppression(const NonMaxSuppressionAttrs& attrs,
                                       absl::Span<const NDArray> in,
                                       absl::Span<const TensorType> types) {
  const int64_t images = in[1].shape()[0], classes = in[1].shape()[1];
  const int64_t n = in[1].shape()[2];
  NDArray indices(types[0].dtype, types[0].shape);
  NDArray count(types[1].dtype, types[1].shape);
  int64_t* next = indices.data<int64_t>().data();
  int64_t& total = count.data<int64_t>()[0];
  for (int64_t row = 0; row < images * classes; ++row) {
    const int64_t image = row / classes;
    const std::vector<int64_t> selected =
        Selected(attrs, in[0].data<float>().data() + image * n * 4,
                 in[1].data<float>().data() + row * n, n);
    for (const int64_t box : selected) {
      *next++ = image;
      *next++ = row % classes;
      *next++ = box;
      ++total;
    }
  }
  return {indices, count};
}

std::vector<NDArray> NonZero(const NDArray& x,
                             absl::Span<const TensorType> types) {
  NDArray indices(types[0].dtype, types[0].shape);
  NDArray count(types[1].dtype, types[1].shape);
  int64_t& total = count.data<int64_t>()[0];
  const Shape strides = RowMajorStrides(x.shape());
  const int64_t bound = types[0].shape[1];
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const bool is_zero =
        x.dtype().is_float() ? LoadFloat(x, i) == 0 : LoadInt(x, i) == 0;
    if (is_zero) continue;
    for (size_t d = 0; d < strides.size(); ++d) {
      indices.data<int64_t>()[static_cast<int64_t>(d) * bound + total] =
          i / strides[d] % x.shape()[d];
    }
    ++total;
  }
  return {indices, count};
}

std::vector<NDArray> Unique(const UniqueAttrs& attrs, const NDArray& x,
                            absl::Span<const TensorType> types) {
  const int64_t n = x.shape()[attrs.axis];
  const int64_t stride = RowMajorStrides(x.shape())[attrs.axis];
  // Rows as lists of numbers, NaN beyond all others.
  std::vector<std::vector<double>> rows(n);
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    rows[i / stride % n].push_back(x.dtype().is_float()
                                       ? LoadFloat(x, i)
                                       : static_cast<double>(LoadInt(x, i)));
  }
  const auto less = [](const std::vector<double>& a,
                       const std::vector<double>& b) {
    for (size_t i = 0; i < a.size(); ++i) {
      const bool a_nan = std::isnan(a[i]), b_nan = std::isnan(b[i]);
      if (a_nan != b_nan) return b_nan;
      if (a[i] < b[i]) return true;
      if (b[i] < a[i]) return false;
    }
    return false;
  };
  std::map<std::vector<double>, int64_t, decltype(less)> first(less);
  for (int64_t i = 0; i < n; ++i) first.try_emplace(rows[i], i);
  std::vector<int64_t> order;
  for (const auto& [row, index] : first) order.push_back(index);
  if (!attrs.sorted) std::sort(order.begin(), order.end());
  std::vector<NDArray> results;
  for (const TensorType& type : types) {
    results.emplace_back(type.dtype, type.shape);
  }
  for (size_t group = 0; group < order.size(); ++group) {
    results[0].data<int64_t>()[group] = order[group];
  }
  for (int64_t i = 0; i < n; ++i) {
    const auto group =
        std::find(order.begin(), order.end(), first.at(rows[i])) -
        order.begin();
    results[1].data<int64_t>()[i] = group;
    ++results[2].data<int64_t>()[group];
  }
  results[3].data<int64_t>()[0] = static_cast<int64_t>(order.size());
  return results;
}

}  // namespace assay::graph::reference
