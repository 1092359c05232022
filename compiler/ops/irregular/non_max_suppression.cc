#include "compiler/ops/irregular/non_max_suppression.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/irregular/sort.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;
using te::Array;
using te::Extern;

struct Box {
  Expr y1, x1, y2, x2;  // with y1 <= y2 and x1 <= x2
};

Box BoxAt(const Array& boxes, const Expr& image, const Expr& index,
          BoxEncoding encoding) {
  const auto part = [&](int i) { return boxes(image, index, Expr(i)); };
  if (encoding == BoxEncoding::kCorners) {
    return {expr::Min(part(0), part(2)), expr::Min(part(1), part(3)),
            expr::Max(part(0), part(2)), expr::Max(part(1), part(3))};
  }
  const Expr half = expr::Const(boxes.dtype(), 0.5);
  const Expr w = part(2) * half, h = part(3) * half;
  return {part(1) - h, part(0) - w, part(1) + h, part(0) + w};
}

// intersection > threshold * union, which asks for no division.
Expr Overlap(const Box& a, const Box& b, float threshold) {
  const Expr zero = expr::Const(a.y1.dtype(), 0);
  const auto length = [&](const Expr& from, const Expr& to) {
    return expr::Max(to - from, zero);
  };
  const Expr intersection =
      length(expr::Max(a.y1, b.y1), expr::Min(a.y2, b.y2)) *
      length(expr::Max(a.x1, b.x1), expr::Min(a.x2, b.x2));
  const auto area = [&](const Box& box) {
    return length(box.y1, box.y2) * length(box.x1, box.x2);
  };
  const Expr both = area(a) + area(b) - intersection;
  return zero < both &&
         expr::Const(zero.dtype(), threshold) * both < intersection;
}

// The statements of one image and class.
class Suppression {
 public:
  Suppression(Extern& e, const Array& boxes, const Array& scores,
              const NonMaxSuppressionAttrs& attrs)
      : e_(e), boxes_(boxes), scores_(scores), attrs_(attrs) {}

  void Select(const Expr& image, const Expr& cls, const Array& selected,
              const Array& counts) {
    const int64_t n = boxes_.shape()[1];
    const Array order = e_.Scratch(DType::Int32(), {n}, "order");
    SortIndices(e_, order, n, [&](const Expr& a, const Expr& b) {
      // NaNs come last here: they are not selected.
      return ComesBefore(-scores_(image, cls, a), -scores_(image, cls, b),
                         SortOrder::kAscending);
    });
    e_.For("k", 0, AsInt(attrs_.most),
           [&](const Expr& k) { selected.Set({image, cls, k}, -1); });
    const Array count = e_.Local(DType::Int32(), {1}, "count");
    count.Set({0}, 0);
    e_.For("rank", 0, AsInt(n), [&](const Expr& rank) {
      const Expr threshold =
          expr::Const(scores_.dtype(), attrs_.score_threshold);
      const Expr score = scores_(image, cls, order(rank));
      e_.If(threshold < score && count(0) < AsInt(attrs_.most),
            [&] { Candidate(image, cls, order(rank), selected, count); });
    });
    counts.Set({image, cls}, count(0));
  }

 private:
  // Selects the box unless it overlaps one that is.
  void Candidate(const Expr& image, const Expr& cls, const Expr& index,
                 const Array& selected, const Array& count) {
    const Array keep = e_.Local(DType::Int32(), {1}, "keep");
    keep.Set({0}, 1);
    e_.For("other", 0, count(0), [&](const Expr& other) {
      const Box mine = BoxAt(boxes_, image, index, attrs_.encoding);
      const Box chosen =
          BoxAt(boxes_, image, selected(image, cls, other), attrs_.encoding);
      e_.If(Overlap(mine, chosen, attrs_.iou_threshold),
            [&] { keep.Set({0}, 0); });
    });
    e_.If(expr::Eq(keep(0), 1), [&] {
      selected.Set({image, cls, count(0)}, index);
      count.Set({0}, count(0) + 1);
    });
  }

  Extern& e_;
  const Array &boxes_, &scores_;
  const NonMaxSuppressionAttrs& attrs_;
};

}  // namespace

SelectedBoxes NonMaxSuppression(const te::Tensor& boxes,
                                const te::Tensor& scores,
                                const NonMaxSuppressionAttrs& attrs,
                                const std::string& name) {
  CHECK(boxes.ndim() == 3 && scores.ndim() == 3 && boxes.shape()[2] == 4 &&
        boxes.shape()[0] == scores.shape()[0] &&
        boxes.shape()[1] == scores.shape()[2] &&
        boxes.dtype() == scores.dtype() && boxes.dtype().is_float())
      << "boxes and scores of `" << name << "`";
  CHECK_GT(attrs.most, 0) << "boxes to select in `" << name << "`";
  const int64_t images = scores.shape()[0], classes = scores.shape()[1];
  Extern e(name);
  const Array b = e.Input(boxes), s = e.Input(scores);
  const Array selected =
      e.Output(DType::Int32(), {images, classes, attrs.most});
  const Array counts = e.Output(DType::Int32(), {images, classes});
  e.Parallel("row", AsInt(images * classes), [&](const Expr& row) {
    Suppression(e, b, s, attrs)
        .Select(row / AsInt(classes), row % AsInt(classes), selected, counts);
  });
  const std::vector<te::Tensor> outputs = e.Build();
  return {outputs[0], outputs[1]};
}

}  // namespace assay::ops
