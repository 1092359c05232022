#include <algorithm>
#include <vector>

#include "absl/types/span.h"
#include "compiler/graph/reference/rules.h"
#include "compiler/graph/reference/sums.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// Positions of a plane of results and the data that they read.
struct Window {
  int64_t height = 0, width = 0, channels = 0;  // of the data of one group
  int64_t kh = 0, kw = 0;
  int64_t out_w = 0;

  int64_t taps() const { return channels * kh * kw; }
};

// Where a tap of the filter reads, relative to the first element of the window.
struct Tap {
  int64_t row = 0, column = 0;
  int64_t offset = 0;  // in the data of one group
};

std::vector<Tap> TapsOf(const Conv2dAttrs& a, const Window& w) {
  std::vector<Tap> taps;
  taps.reserve(static_cast<size_t>(w.taps()));
  for (int64_t c = 0; c < w.channels; ++c) {
    for (int64_t i = 0; i < w.kh; ++i) {
      for (int64_t j = 0; j < w.kw; ++j) {
        const int64_t row = i * a.dilations[0], column = j * a.dilations[1];
        taps.push_back({row, column, (c * w.height + row) * w.width + column});
      }
    }
  }
  return taps;
}

// Stores the data that `taps` read for the result at `position`. The factor of
// the tap t is stored at panel[t * kLanes]. `image` is the data of one group.
void Gather(const Conv2dAttrs& a, const Window& w, absl::Span<const Tap> taps,
            const double* image, int64_t position, double* panel) {
  const int64_t top = position / w.out_w * a.strides[0] - a.padding[0];
  const int64_t left = position % w.out_w * a.strides[1] - a.padding[1];
  const int64_t first = top * w.width + left;
  const bool inside = top >= 0 && left >= 0 &&
                      top + (w.kh - 1) * a.dilations[0] < w.height &&
                      left + (w.kw - 1) * a.dilations[1] < w.width;
  for (const Tap& tap : taps) {
    const int64_t row = top + tap.row, column = left + tap.column;
    const bool on_data = inside || (row >= 0 && row < w.height && column >= 0 &&
                                    column < w.width);
    *panel =
        on_data ? image[first + tap.offset] : static_cast<double>(a.pad_value);
    panel += kLanes;
  }
}

}  // namespace

Result Conv2d(const Node& node, Operands in) {
  const auto& a = node.attrs_as<Conv2dAttrs>();
  const NDArray &data = in[0], &weights = in[1];
  const TensorType& type = node.type();
  Window window;
  window.height = data.shape()[2];
  window.width = data.shape()[3];
  window.channels = weights.shape()[1];
  window.kh = weights.shape()[2];
  window.kw = weights.shape()[3];
  window.out_w = type.shape[3];
  const int64_t filters = weights.shape()[0] / a.groups;
  const int64_t plane = type.shape[2] * type.shape[3];
  const int64_t image_size = window.channels * window.height * window.width;
  const std::vector<Tap> taps = TapsOf(a, window);
  const auto depth = static_cast<int64_t>(taps.size());
  const std::vector<double> x = AsDoubles(data), w = AsDoubles(weights);
  NDArray result(type.dtype, type.shape);

  // Computes the filters from `filter` on at the positions from `begin` on, in
  // group number `group` of all images.
  const auto compute = [&](int64_t group, int64_t filter, int64_t begin) {
    const int64_t rows = std::min(kBlockRows, filters - filter);
    const int64_t columns = std::min(kBlockColumns, plane - begin);
    const double* factors =
        w.data() + (group % a.groups * filters + filter) * depth;
    BlockSums sums(rows, columns);
    for (int64_t t = 0; t < depth; t += kBlockSteps) {
      const int64_t steps = std::min(kBlockSteps, depth - t);
      double* panel = sums.Panel(steps);
      for (int64_t c = 0; c < columns; ++c) {
        Gather(a, window, absl::MakeConstSpan(taps).subspan(t, steps),
               x.data() + group * image_size, begin + c,
               panel + BlockSums::PanelIndex(c, 0, steps));
      }
      sums.Add(factors + t, depth, steps);
    }
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t first = (group * filters + filter + r) * plane + begin;
      for (int64_t c = 0; c < columns; ++c) {
        StoreSum(result, first + c, sums.At(r, c));
      }
    }
  };

  const int64_t filter_blocks = (filters + kBlockRows - 1) / kBlockRows;
  const int64_t plane_blocks = (plane + kBlockColumns - 1) / kBlockColumns;
  ForEachInParallel(
      data.shape()[0] * a.groups * filter_blocks * plane_blocks,
      std::min(kBlockRows, filters) * std::min(kBlockColumns, plane) * depth,
      [&](int64_t index) {
        const int64_t group = index / (filter_blocks * plane_blocks);
        const int64_t filter = index / plane_blocks % filter_blocks;
        compute(group, filter * kBlockRows,
                index % plane_blocks * kBlockColumns);
      });
  return result;
}

}  // namespace assay::graph::reference
