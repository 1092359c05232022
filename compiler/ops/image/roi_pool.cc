// Pooling of image regions into a fixed number of bins: roi_align and
// max_roi_pool (defined in compiler/docs/graph_ir.md).
//
// The position of a region, and so the number of pixels per bin, is known only
// at run time. The operators are therefore explicit loop nests: regions, and
// rows of bins or channels, are distributed over the threads; each bin iterates
// over its points.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/intrinsics.h"
#include "compiler/ops/config_space.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/te/extern.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::Intrinsic;
using te::Array;
using te::Extern;

Expr Number(double x) { return expr::Const(DType::Float32(), x); }
Expr AsFloat(const Expr& x) { return expr::Cast::Make(DType::Float32(), x); }
Expr AsInt32(const Expr& x) { return expr::Cast::Make(DType::Int32(), x); }
Expr Clamped(const Expr& x, const Expr& low, const Expr& high) {
  return expr::Min(high, expr::Max(low, x));
}
// Converts a float to an index; positions far outside are equivalent.
Expr Index(const Expr& x) {
  return AsInt32(Clamped(x, Number(-(1 << 24)), Number(1 << 24)));
}

// A thread-local variable with initial value `value`.
Array Cell(Extern& e, const Expr& value, const char* name) {
  const Array cell = e.Local(value.dtype(), {1}, name);
  cell.Set({0}, value);
  return cell;
}

// A position on an axis: the pixels before and after it and its distance from
// the first. Callers use 0 for positions more than one pixel outside.
struct Place {
  Array low, fraction;
  Expr high;
};

Place PlaceAt(Extern& e, const Array& at, int64_t extent) {
  const Expr inside = Clamped(at(0), Number(0), Number(extent - 1));
  const Array low = Cell(e, AsInt32(inside), "low");
  const Array fraction = Cell(e, inside - AsFloat(low(0)), "fraction");
  return {low, fraction, expr::Min(low(0) + 1, AsInt(extent - 1))};
}

// The number of sampling points of a bin along an axis, at most 65536.
Expr Points(int64_t sampling, const Expr& size) {
  if (sampling > 0) return AsInt(sampling);
  const Expr whole = expr::CallOf(Intrinsic::kCeil, {size});
  return AsInt32(Clamped(whole, Number(0), Number(1 << 16)));
}

// A region along one axis.
struct Span {
  Expr begin, bin;  // start of the region; size of a bin
};

// The product, rounded once: never contracted with an addition. Whether a point
// is on the image must not depend on the target.
Expr Product(const Expr& a, const Expr& b) {
  return expr::CallOf(Intrinsic::kFma, {a, b, Number(0)});
}

Span Bins(const Expr& from, const Expr& to, int64_t bins,
          const graph::RoiAlignAttrs& attrs) {
  const Expr offset = Number(attrs.half_pixel ? 0.5 : 0);
  const Expr begin = Product(from, Number(attrs.scale)) - offset;
  Expr size = Product(to, Number(attrs.scale)) - offset - begin;
  if (!attrs.half_pixel) size = expr::Max(size, Number(1));
  return {begin, size / Number(static_cast<double>(bins))};
}

// The image of roi_align. Positions and weights of points are computed once for
// all channels.
class AlignedImage {
 public:
  // `points` is the number of points of all regions, as far as it is known.
  AlignedImage(Extern& e, const Array& x, const graph::RoiAlignAttrs& attrs,
               int64_t points)
      : e_(e), attrs_(attrs), shape_(x.shape()), pixels_(x) {
    const Shape& s = shape_;
    if (points < s[0] * s[2] * s[3]) return;
    // The channels of a pixel become neighbours, to be loaded as vectors.
    is_copy_ = true;
    lanes_ = LargestDivisor(s[1], kMaxLanes);
    pixels_ = e.Scratch(x.dtype(), {s[0], s[2], s[3], s[1]}, "pixels");
    e.Parallel("row", AsInt(s[0] * s[2]), [&](const Expr& row) {
      const Expr n = row / AsInt(s[2]), y = row % AsInt(s[2]);
      e.For("c", 0, AsInt(s[1]), [&](const Expr& c) {
        e.For("x", 0, AsInt(s[3]), [&](const Expr& column) {
          pixels_.Set({n, y, column, c}, x(n, c, y, column));
        });
      });
    });
  }

  // Computes the values of a bin with corner (y0, x0) in `values`, which has an
  // element for each channel; points lie inside the bin.
  void ComputeBin(const Expr& image, const Array& y0, const Array& x0,
                  const Array& height, const Array& width,
                  const Array& values) {
    const double h = static_cast<double>(shape_[2]);
    const double w = static_cast<double>(shape_[3]);
    const Array rows = Cell(e_, Points(attrs_.sampling, height(0)), "rows");
    const Array columns =
        Cell(e_, Points(attrs_.sampling, width(0)), "columns");
    // The maximum of no points is 0, like their mean.
    const Expr least = Number(-std::numeric_limits<float>::infinity());
    const Array initial = Cell(
        e_,
        attrs_.max
            ? expr::SelectOf(rows(0) < 1 || columns(0) < 1, Number(0), least)
            : Number(0),
        "initial");
    ForChannels([&](const Expr& c) { values.Set({c}, initial(0)); });
    e_.For("i", 0, rows(0), [&](const Expr& i) {
      const Array y = Cell(e_, PointAt(y0, i, height, rows), "y");
      e_.For("j", 0, columns(0), [&](const Expr& j) {
        const Array x = Cell(e_, PointAt(x0, j, width, columns), "x");
        const Expr is_near = y(0) >= Number(-1) && y(0) <= Number(h) &&
                             x(0) >= Number(-1) && x(0) <= Number(w);
        e_.If(
            is_near,
            [&] {
              AddCorners(image, PlaceAt(e_, y, shape_[2]),
                         PlaceAt(e_, x, shape_[3]), values);
            },
            [&] {
              if (!attrs_.max) return;
              ForChannels([&](const Expr& c) { Add(Number(0), values, c); });
            });
      });
    });
    if (attrs_.max) return;
    // The product may overflow an int32.
    const Expr product = AsFloat(rows(0)) * AsFloat(columns(0));
    const Array count = Cell(e_, expr::Max(product, Number(1)), "count");
    ForChannels([&](const Expr& c) { values.Set({c}, values(c) / count(0)); });
  }

 private:
  static constexpr int64_t kMaxLanes = 16;

  static Expr PointAt(const Array& begin, const Expr& i, const Array& size,
                      const Array& count) {
    return begin(0) + (AsFloat(i) + Number(0.5)) * size(0) / AsFloat(count(0));
  }

  // Runs `body` for each channel.
  void ForChannels(const std::function<void(const Expr& channel)>& body) {
    e_.For("block", 0, AsInt(shape_[1] / lanes_), [&](const Expr& block) {
      if (lanes_ == 1) return body(block);
      e_.Vectorized("lane", AsInt(lanes_), [&](const Expr& lane) {
        body(block * AsInt(lanes_) + lane);
      });
    });
  }

  Expr Pixel(const Expr& image, const Expr& y, const Expr& x,
             const Expr& channel) const {
    return is_copy_ ? pixels_(image, y, x, channel)
                    : pixels_(image, channel, y, x);
  }

  void Add(const Expr& part, const Array& values, const Expr& channel) {
    values.Set({channel}, attrs_.max ? expr::Max(values(channel), part)
                                     : values(channel) + part);
  }

  void AddCorners(const Expr& image, const Place& y, const Place& x,
                  const Array& values) {
    for (const bool below : {false, true}) {
      for (const bool right : {false, true}) {
        const Expr wy = below ? y.fraction(0) : Number(1) - y.fraction(0);
        const Expr wx = right ? x.fraction(0) : Number(1) - x.fraction(0);
        const Array weight = Cell(e_, wy * wx, "weight");
        const Array row = Cell(e_, below ? y.high : y.low(0), "row");
        const Array column = Cell(e_, right ? x.high : x.low(0), "column");
        ForChannels([&](const Expr& c) {
          Add(weight(0) * Pixel(image, row(0), column(0), c), values, c);
        });
      }
    }
  }

  Extern& e_;
  const graph::RoiAlignAttrs& attrs_;
  const Shape shape_;  // [N,C,H,W]
  Array pixels_;       // the image, or a copy with the shape [N,H,W,C]
  bool is_copy_ = false;
  int64_t lanes_ = 1;  // channels per vector
};

// A half-open range of pixels of an axis, [begin, end).
struct Pixels {
  Array begin, end;
};

// Returns the pixels of bin i of the `bins` bins of a region along an axis.
Pixels WholePixels(Extern& e, const Expr& i, int64_t bins, const Array& begin,
                   const Array& length, int64_t extent) {
  const auto at = [&](Intrinsic rounding, const Expr& k) {
    const Expr place =
        AsFloat(k) * (AsFloat(length(0)) / Number(static_cast<double>(bins)));
    // Both are between the corners and so fit an int32.
    return Clamped(begin(0) + AsInt32(expr::CallOf(rounding, {place})), 0,
                   AsInt(extent));
  };
  return {Cell(e, at(Intrinsic::kFloor, i), "from"),
          Cell(e, at(Intrinsic::kCeil, i + 1), "to")};
}

// Rounds to the nearest integer, halves away from 0.
Expr Rounded(const Expr& x) {
  const Expr half = expr::SelectOf(x < Number(0), Number(-0.5), Number(0.5));
  return Index(x + half);
}

// `x` is [N,C,H,W], `rois` is [R,4] (x1, y1, x2, y2), `images` is int64[R].
te::Tensor RoiAlign(const te::Tensor& x, const te::Tensor& rois,
                    const te::Tensor& images,
                    const graph::RoiAlignAttrs& attrs) {
  const int64_t channels = x.shape()[1], count = rois.shape()[0];
  const int64_t out_h = attrs.output[0], out_w = attrs.output[1];
  Extern e("roi_align");
  const Array in = e.Input(x), r = e.Input(rois), n = e.Input(images);
  const Array out = e.Output(DType::Float32(), {count, channels, out_h, out_w});
  const int64_t sampling = std::max<int64_t>(attrs.sampling, 1);
  AlignedImage pixels(e, in, attrs,
                      count * out_h * out_w * sampling * sampling);
  e.Parallel("row", AsInt(count * out_h), [&](const Expr& row) {
    const Expr roi = row / AsInt(out_h), i = row % AsInt(out_h);
    const Array image =
        Cell(e, Clamped(AsInt32(n(roi)), 0, AsInt(x.shape()[0] - 1)), "image");
    const Span across = Bins(r(roi, 0), r(roi, 2), out_w, attrs);
    const Span down = Bins(r(roi, 1), r(roi, 3), out_h, attrs);
    const Array h = Cell(e, down.bin, "height"),
                w = Cell(e, across.bin, "width");
    const Array y0 = Cell(e, down.begin + Product(AsFloat(i), h(0)), "top");
    const Array values = e.Scratch(DType::Float32(), {channels}, "values");
    e.For("j", 0, AsInt(out_w), [&](const Expr& j) {
      const Array x0 =
          Cell(e, across.begin + Product(AsFloat(j), w(0)), "left");
      pixels.ComputeBin(image(0), y0, x0, h, w, values);
      e.For("c", 0, AsInt(channels),
            [&](const Expr& c) { out.Set({roi, c, i, j}, values(c)); });
    });
  });
  return e.Build()[0];
}

// `rois` is [R,5]: image, x1, y1, x2, y2.
te::Tensor MaxRoiPool(const te::Tensor& x, const te::Tensor& rois,
                      const graph::MaxRoiPoolAttrs& attrs) {
  const int64_t channels = x.shape()[1], count = rois.shape()[0];
  const int64_t out_h = attrs.output[0], out_w = attrs.output[1];
  Extern e("max_roi_pool");
  const Array in = e.Input(x), r = e.Input(rois);
  const Array out = e.Output(DType::Float32(), {count, channels, out_h, out_w});
  e.Parallel("row", AsInt(count * channels), [&](const Expr& row) {
    const Expr roi = row / AsInt(channels), channel = row % AsInt(channels);
    const Array image =
        Cell(e, Clamped(Index(r(roi, 0)), 0, AsInt(x.shape()[0] - 1)), "image");
    const auto corner = [&](int k) {
      return Cell(e, Rounded(r(roi, k) * Number(attrs.scale)), "corner");
    };
    const Array x1 = corner(1), y1 = corner(2), x2 = corner(3), y2 = corner(4);
    const Array w = Cell(e, expr::Max(x2(0) - x1(0) + 1, 1), "width");
    const Array h = Cell(e, expr::Max(y2(0) - y1(0) + 1, 1), "height");
    e.For("i", 0, AsInt(out_h), [&](const Expr& i) {
      const Pixels down = WholePixels(e, i, out_h, y1, h, x.shape()[2]);
      e.For("j", 0, AsInt(out_w), [&](const Expr& j) {
        const Pixels across = WholePixels(e, j, out_w, x1, w, x.shape()[3]);
        const Expr rows = expr::Max(down.end(0) - down.begin(0), 0);
        const Expr columns = expr::Max(across.end(0) - across.begin(0), 0);
        const Array most = Cell(
            e,
            expr::SelectOf(rows < 1 || columns < 1, Number(0),
                           Number(-std::numeric_limits<float>::infinity())),
            "most");
        e.For("y", down.begin(0), rows, [&](const Expr& y) {
          e.For("x", across.begin(0), columns, [&](const Expr& column) {
            most.Set({0}, expr::Max(most(0), in(image(0), channel, y, column)));
          });
        });
        out.Set({roi, channel, i, j}, most(0));
      });
    });
  });
  return e.Build()[0];
}

te::Tensor ComputeRoiAlign(const OpInstance& op, const Operands& in,
                           const target::Target&, const Config&) {
  return RoiAlign(in[0], in[1], in[2], op.attrs_as<graph::RoiAlignAttrs>());
}

constexpr Implementation kRoiAlign[] = {{"roi_align.points", AlwaysApplies,
                                         NoSpace, NoConfig, RooflineAt<100>,
                                         ComputeRoiAlign, ScheduleAsWritten}};

te::Tensor ComputeMaxRoiPool(const OpInstance& op, const Operands& in,
                             const target::Target&, const Config&) {
  return MaxRoiPool(in[0], in[1], op.attrs_as<graph::MaxRoiPoolAttrs>());
}

constexpr Implementation kMaxRoiPool[] = {
    {"max_roi_pool.pixels", AlwaysApplies, NoSpace, NoConfig, RooflineAt<100>,
     ComputeMaxRoiPool, ScheduleAsWritten}};

}  // namespace

KernelRule RoiAlignKernel(graph::OpKind) { return {kRoiAlign}; }

KernelRule MaxRoiPoolKernel(graph::OpKind) { return {kMaxRoiPool}; }

}  // namespace assay::ops
