#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compiler/graph/reference/rules.h"

namespace assay::graph::reference {
namespace {

// The extents of x as [outer, extent, inner], where `extent` is that of `axis`.
struct Split {
  int64_t outer = 1, extent = 1, inner = 1;
};

Split SplitAt(const Shape& shape, int64_t axis) {
  Split split;
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
    (d < axis   ? split.outer
     : d > axis ? split.inner
                : split.extent) *= shape[d];
  }
  return split;
}

// Coordinates are clamped to [-kFar, kFar]. NaN becomes the bound of the inner
// operation of min and max, as in the kernels.
constexpr double kFar = 1 << 24;

int64_t Index(double x) {
  return static_cast<int64_t>(std::min(kFar, std::max(-kFar, x)));
}

// The position on `n` elements of a coordinate between -1 and 1.
double PlaceOf(double g, int64_t n, bool align_corners) {
  const double x = align_corners ? (g + 1) / 2 * static_cast<double>(n - 1)
                                 : ((g + 1) * static_cast<double>(n) - 1) / 2;
  return std::max(-kFar, std::min(kFar, x));
}

double Cubic(double d) {
  const double a = -0.75;
  d = std::abs(d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

// Index i, mirrored at the borders until it is inside.
int64_t Mirror(int64_t i, int64_t n, bool align_corners) {
  if (n == 1) return 0;
  const int64_t period = align_corners ? 2 * (n - 1) : 2 * n;
  const int64_t place = (i % period + period) % period;
  return place < n ? place : (align_corners ? period : period - 1) - place;
}

// The elements along one axis from which a point is interpolated; -1 stands for
// 0.
struct AxisTaps {
  std::vector<int64_t> indices;
  std::vector<double> weights;
};

AxisTaps TapsAt(const GridSampleAttrs& attrs, double g, int64_t n) {
  const double x = PlaceOf(g, n, attrs.align_corners);
  AxisTaps taps;
  const double base = attrs.taps == 1 ? std::nearbyint(x) : std::floor(x);
  for (int64_t k = 0; k < attrs.taps; ++k) {
    int64_t i = static_cast<int64_t>(base) + k - (attrs.taps == 4 ? 1 : 0);
    const double distance = x - static_cast<double>(i);
    taps.weights.push_back(attrs.taps == 1   ? 1
                           : attrs.taps == 2 ? 1 - std::abs(distance)
                                             : Cubic(distance));
    if (attrs.reflect) {
      i = Mirror(i, n, attrs.align_corners);
    } else if (attrs.border) {
      i = std::clamp<int64_t>(i, 0, n - 1);
    } else if (i < 0 || i >= n) {
      i = -1;
    }
    taps.indices.push_back(i);
  }
  return taps;
}

// The sum over the taps of all axes from `axis` on; `flat` is the position that
// the taps of the earlier axes select.
double SumOver(const std::vector<AxisTaps>& taps, const Shape& spatial,
               size_t axis, int64_t flat, const float* image) {
  if (axis == taps.size()) return image[flat];
  double sum = 0;
  for (size_t k = 0; k < taps[axis].indices.size(); ++k) {
    const int64_t i = taps[axis].indices[k];
    if (i < 0) continue;
    sum += taps[axis].weights[k] *
           SumOver(taps, spatial, axis + 1, flat * spatial[axis] + i, image);
  }
  return sum;
}

// The corners from which a channel of an image is interpolated at a point.
// Values are 0 if the point is more than one pixel outside.
struct Corners {
  float values[4] = {0, 0, 0, 0};
  double weights[4] = {0, 0, 0, 0};
};

Corners CornersAt(const float* image, int64_t h, int64_t w, double y,
                  double x) {
  Corners corners;
  const auto dh = static_cast<double>(h), dw = static_cast<double>(w);
  // NaN is outside.
  if (!(y >= -1 && y <= dh && x >= -1 && x <= dw)) return corners;
  y = std::clamp(y, 0.0, dh - 1);
  x = std::clamp(x, 0.0, dw - 1);
  const auto top = static_cast<int64_t>(y), left = static_cast<int64_t>(x);
  const int64_t bottom = std::min(top + 1, h - 1);
  const int64_t right = std::min(left + 1, w - 1);
  const double fy = y - static_cast<double>(top);
  const double fx = x - static_cast<double>(left);
  const int64_t at[4] = {top * w + left, top * w + right, bottom * w + left,
                         bottom * w + right};
  const double weights[4] = {(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx),
                             fy * fx};
  for (int k = 0; k < 4; ++k) {
    corners.values[k] = image[at[k]];
    corners.weights[k] = weights[k];
  }
  return corners;
}

// The sampling points of the bins of a region along one axis. Whether a point
// is on the image and how many points there are changes abruptly with the
// region, so all coordinates are computed in float32 in the order of the
// reference implementations, each operation rounded once.
class RegionAxis {
 public:
  RegionAxis(const RoiAlignAttrs& attrs, float from, float to, int64_t bins) {
#pragma clang fp contract(off)
    const float offset = attrs.half_pixel ? 0.5f : 0.0f;
    begin_ = from * attrs.scale - offset;
    float size = to * attrs.scale - offset - begin_;
    if (!attrs.half_pixel) size = std::max(size, 1.0f);
    bin_ = size / static_cast<float>(bins);
    constexpr float kMostPoints = 1 << 16;
    points_ =
        attrs.sampling > 0
            ? attrs.sampling
            : Index(std::min(kMostPoints, std::max(0.0f, std::ceil(bin_))));
  }

  // Number of points in a bin.
  int64_t points() const { return points_; }

  // Coordinate of point `i` of bin number `bin`.
  float At(int64_t bin, int64_t i) const {
#pragma clang fp contract(off)
    const float first = begin_ + static_cast<float>(bin) * bin_;
    return first +
           (static_cast<float>(i) + 0.5f) * bin_ / static_cast<float>(points_);
  }

 private:
  float begin_ = 0, bin_ = 0;
  int64_t points_ = 0;
};

// Bin i, j of roi_align.
double AlignedBin(const RoiAlignAttrs& attrs, const float* image, int64_t h,
                  int64_t w, const RegionAxis& down, const RegionAxis& across,
                  int64_t i, int64_t j) {
  const int64_t rows = down.points(), columns = across.points();
  if (rows * columns == 0) return 0;
  double sum = 0, most = -std::numeric_limits<double>::infinity();
  for (int64_t row = 0; row < rows; ++row) {
    const float y = down.At(i, row);
    for (int64_t column = 0; column < columns; ++column) {
      const Corners corners = CornersAt(image, h, w, y, across.At(j, column));
      for (int k = 0; k < 4; ++k) {
        const double part = corners.values[k] * corners.weights[k];
        sum += part;
        most = std::max(most, part);
      }
    }
  }
  if (attrs.max) return most;
  return sum / static_cast<double>(rows * columns);
}

}  // namespace

Result Resample(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<ResampleAttrs>();
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const Split from = SplitAt(in[0].shape(), attrs.axis);
  const Split to = SplitAt(type.shape, attrs.axis);
  const int64_t taps = in[1].shape()[1];
  const auto x = in[0].data<float>();
  for (int64_t o = 0; o < to.outer; ++o) {
    for (int64_t i = 0; i < to.extent; ++i) {
      for (int64_t n = 0; n < to.inner; ++n) {
        double sum = 0;
        for (int64_t k = i * taps; k < (i + 1) * taps; ++k) {
          const int64_t source =
              std::clamp<int64_t>(in[1].data<int32_t>()[k], 0, from.extent - 1);
          sum += static_cast<double>(in[2].data<float>()[k]) *
                 x[(o * from.extent + source) * from.inner + n];
        }
        result.data<float>()[(o * to.extent + i) * to.inner + n] =
            static_cast<float>(sum);
      }
    }
  }
  return result;
}

Result GridSample(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<GridSampleAttrs>();
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const Shape& shape = in[0].shape();
  const Shape spatial(shape.begin() + 2, shape.end());
  const auto axes = static_cast<int64_t>(spatial.size());
  const int64_t pixels = NumElements(spatial);
  const int64_t points = in[1].num_elements() / axes / shape[0];
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t p = 0; p < points; ++p) {
      const float* g = in[1].data<float>().data() + (n * points + p) * axes;
      std::vector<AxisTaps> taps;
      for (int64_t d = 0; d < axes; ++d) {
        taps.push_back(TapsAt(attrs, g[axes - 1 - d], spatial[d]));
      }
      for (int64_t c = 0; c < shape[1]; ++c) {
        const int64_t plane = n * shape[1] + c;
        const float* image = in[0].data<float>().data() + plane * pixels;
        result.data<float>()[plane * points + p] =
            static_cast<float>(SumOver(taps, spatial, 0, 0, image));
      }
    }
  }
  return result;
}

Result RoiAlign(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<RoiAlignAttrs>();
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const int64_t c_count = in[0].shape()[1], h = in[0].shape()[2],
                w = in[0].shape()[3];
  const auto [out_h, out_w] = attrs.output;
  float* next = result.data<float>().data();
  for (int64_t r = 0; r < type.shape[0]; ++r) {
    const float* roi = in[1].data<float>().data() + 4 * r;
    const RegionAxis down(attrs, roi[1], roi[3], out_h);
    const RegionAxis across(attrs, roi[0], roi[2], out_w);
    const int64_t image =
        std::clamp<int64_t>(in[2].data<int64_t>()[r], 0, in[0].shape()[0] - 1);
    for (int64_t c = 0; c < c_count; ++c) {
      const float* plane =
          in[0].data<float>().data() + (image * c_count + c) * h * w;
      for (int64_t i = 0; i < out_h; ++i) {
        for (int64_t j = 0; j < out_w; ++j) {
          *next++ = static_cast<float>(
              AlignedBin(attrs, plane, h, w, down, across, i, j));
        }
      }
    }
  }
  return result;
}

Result MaxRoiPool(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<MaxRoiPoolAttrs>();
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const Shape& shape = in[0].shape();
  const auto [out_h, out_w] = attrs.output;
  const auto bin = [](int64_t i, int64_t begin, int64_t length, int64_t bins,
                      int64_t extent) {
    const double size = static_cast<double>(length) / static_cast<double>(bins);
    const auto at = [&](double k) {
      return std::clamp<int64_t>(begin + static_cast<int64_t>(k), 0, extent);
    };
    return std::pair<int64_t, int64_t>{
        at(std::floor(static_cast<double>(i) * size)),
        at(std::ceil(static_cast<double>(i + 1) * size))};
  };
  float* next = result.data<float>().data();
  for (int64_t r = 0; r < type.shape[0]; ++r) {
    const float* roi = in[1].data<float>().data() + 5 * r;
    int64_t at[4];
    for (int k = 0; k < 4; ++k) {
      at[k] = Index(std::round(roi[k + 1] * attrs.scale));
    }
    const int64_t width = std::max<int64_t>(at[2] - at[0] + 1, 1);
    const int64_t height = std::max<int64_t>(at[3] - at[1] + 1, 1);
    const int64_t image = std::clamp<int64_t>(Index(roi[0]), 0, shape[0] - 1);
    for (int64_t c = 0; c < shape[1]; ++c) {
      const float* plane = in[0].data<float>().data() +
                           (image * shape[1] + c) * shape[2] * shape[3];
      for (int64_t i = 0; i < out_h; ++i) {
        const auto [top, bottom] = bin(i, at[1], height, out_h, shape[2]);
        for (int64_t j = 0; j < out_w; ++j) {
          const auto [left, right] = bin(j, at[0], width, out_w, shape[3]);
          const bool empty = top >= bottom || left >= right;
          float most = empty ? 0 : -std::numeric_limits<float>::infinity();
          for (int64_t y = top; y < bottom; ++y) {
            for (int64_t x = left; x < right; ++x) {
              most = std::max(most, plane[y * shape[3] + x]);
            }
          }
          *next++ = most;
        }
      }
    }
  }
  return result;
}

}  // namespace assay::graph::reference
