#include <algorithm>
#include <vector>

#include "compiler/graph/reference/rules.h"

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

// Intersection over union; 0 if either box has no area.
double Overlap(const Box& a, const Box& b) {
  const double h = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  const double w = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  if (!(h > 0) || !(w > 0)) return 0;
  const double both =
      (a.y2 - a.y1) * (a.x2 - a.x1) + (b.y2 - b.y1) * (b.x2 - b.x1) - h * w;
  return h * w / both;
}

// Selected boxes of one image and class, best first.
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

Results NonMaxSuppression(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<NonMaxSuppressionAttrs>();
  const auto& types = node.types();
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
  return std::vector<NDArray>{indices, count};
}

}  // namespace assay::graph::reference
