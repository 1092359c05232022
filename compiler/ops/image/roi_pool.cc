// Pooling of image regions into a fixed number of bins: roi_align and
// max_roi_pool (defined in compiler/docs/graph_ir.md).
//
// The position of a region, and so the number of pixels per bin, is known only
// at run time. The operators are therefore explicit loop nests: regions and
// channels are distributed over the threads; each bin iterates over its points.
#include <limits>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/intrinsics.h"
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

Span Bins(const Expr& from, const Expr& to, int64_t bins,
          const graph::RoiAlignAttrs& attrs) {
  const Expr offset = Number(attrs.half_pixel ? 0.5 : 0);
  const Expr begin = from * Number(attrs.scale) - offset;
  Expr size = to * Number(attrs.scale) - offset - begin;
  if (!attrs.half_pixel) size = expr::Max(size, Number(1));
  return {begin, size / Number(static_cast<double>(bins))};
}

class AlignedBin {
 public:
  AlignedBin(Extern& e, const Array& x, const graph::RoiAlignAttrs& attrs)
      : e_(e), x_(x), attrs_(attrs) {}

  // Returns the value of a bin with corner (y0, x0); points lie inside it.
  Expr Value(const Expr& image, const Expr& channel, const Array& y0,
             const Array& x0, const Array& height, const Array& width) {
    const int64_t h = x_.shape()[2], w = x_.shape()[3];
    const Array rows = Cell(e_, Points(attrs_.sampling, height(0)), "rows");
    const Array columns =
        Cell(e_, Points(attrs_.sampling, width(0)), "columns");
    const Array result = Cell(
        e_, Number(attrs_.max ? -std::numeric_limits<float>::infinity() : 0),
        "result");
    e_.For("i", 0, rows(0), [&](const Expr& i) {
      const Array y = Cell(e_, PointAt(y0, i, height, rows), "y");
      e_.For("j", 0, columns(0), [&](const Expr& j) {
        const Array x = Cell(e_, PointAt(x0, j, width, columns), "x");
        const Expr is_near =
            y(0) >= Number(-1) && y(0) <= Number(static_cast<double>(h)) &&
            x(0) >= Number(-1) && x(0) <= Number(static_cast<double>(w));
        e_.If(
            is_near,
            [&] {
              AddCorners(image, channel, PlaceAt(e_, y, h), PlaceAt(e_, x, w),
                         result);
            },
            [&] {
              if (attrs_.max) Add(Number(0), result);
            });
      });
    });
    if (attrs_.max) return result(0);
    // The product may overflow an int32.
    const Expr points = AsFloat(rows(0)) * AsFloat(columns(0));
    return result(0) / expr::Max(points, Number(1));
  }

 private:
  static Expr PointAt(const Array& begin, const Expr& i, const Array& size,
                      const Array& count) {
    return begin(0) + (AsFloat(i) + Number(0.5)) * size(0) / AsFloat(count(0));
  }

  void Add(const Expr& part, const Array& result) {
    result.Set({0}, attrs_.max ? expr::Max(result(0), part) : result(0) + part);
  }

  void AddCorners(const Expr& image, const Expr& channel, const Place& y,
                  const Place& x, const Array& result) {
    for (const bool below : {false, true}) {
      for (const bool right : {false, true}) {
        const Expr wy = below ? y.fraction(0) : Number(1) - y.fraction(0);
        const Expr wx = right ? x.fraction(0) : Number(1) - x.fraction(0);
        Add(wy * wx *
                x_(image, channel, below ? y.high : y.low(0),
                   right ? x.high : x.low(0)),
            result);
      }
    }
  }

  Extern& e_;
  const Array& x_;
  const graph::RoiAlignAttrs& attrs_;
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
  e.Parallel("row", AsInt(count * channels), [&](const Expr& row) {
    const Expr roi = row / AsInt(channels), channel = row % AsInt(channels);
    const Array image =
        Cell(e, Clamped(AsInt32(n(roi)), 0, AsInt(x.shape()[0] - 1)), "image");
    const Span across = Bins(r(roi, 0), r(roi, 2), out_w, attrs);
    const Span down = Bins(r(roi, 1), r(roi, 3), out_h, attrs);
    const Array h = Cell(e, down.bin, "height"),
                w = Cell(e, across.bin, "width");
    AlignedBin bin(e, in, attrs);
    e.For("i", 0, AsInt(out_h), [&](const Expr& i) {
      e.For("j", 0, AsInt(out_w), [&](const Expr& j) {
        const Array y0 = Cell(e, down.begin + AsFloat(i) * h(0), "top");
        const Array x0 = Cell(e, across.begin + AsFloat(j) * w(0), "left");
        out.Set({roi, channel, i, j},
                bin.Value(image(0), channel, y0, x0, h, w));
      });
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

constexpr Implementation kRoiAlign[] = {
    {"roi_align.points", true, AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<100>, ComputeRoiAlign, ScheduleAsWritten}};

te::Tensor ComputeMaxRoiPool(const OpInstance& op, const Operands& in,
                             const target::Target&, const Config&) {
  return MaxRoiPool(in[0], in[1], op.attrs_as<graph::MaxRoiPoolAttrs>());
}

constexpr Implementation kMaxRoiPool[] = {
    {"max_roi_pool.pixels", true, AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<100>, ComputeMaxRoiPool, ScheduleAsWritten}};

}  // namespace

KernelRule RoiAlignKernel(graph::OpKind) { return {kRoiAlign}; }

KernelRule MaxRoiPoolKernel(graph::OpKind) { return {kMaxRoiPool}; }

}  // namespace assay::ops
