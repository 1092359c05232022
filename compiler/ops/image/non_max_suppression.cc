// Non-maximum suppression: keeps the highest-scoring one of overlapping boxes
// (defined in compiler/docs/graph_ir.md).
//
// (Image, class) pairs are distributed over the threads. Each thread builds a
// heap of the m boxes whose score is above the threshold, in O(n), and pops the
// best box until enough are selected, in O(log m) per pop. A full sort is thus
// avoided if the threshold leaves few boxes or `most` is small. A candidate is
// compared with the boxes selected so far, in vectors and a group of boxes at a
// time, up to the first group with a box that it overlaps. Finally the
// selections are concatenated in order of image and class.
#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/te/extern.h"

namespace assay::ops {
namespace {

using expr::Expr;
using te::Array;
using te::Extern;

// Upper bound on the depth of a heap with 32-bit indices.
constexpr int64_t kMaxLevels = 32;
// The parts are y1, x1, y2, x2, with y1 <= y2 and x1 <= x2, and the area.
constexpr int64_t kBoxParts = 5;
// A candidate is compared with kGroup selected boxes before it is known whether
// it overlaps one of them, kLanes boxes at a time.
constexpr int64_t kLanes = 16, kGroup = 128;

// A max-heap of the candidates of one image and class. A box with a NaN score
// is never a candidate.
class Heap {
 public:
  Heap(Extern& e, const Array& scores, const Expr& image, const Expr& cls)
      : e_(e),
        scores_(scores),
        image_(image),
        cls_(cls),
        items_(e.Scratch(DType::Int32(), {scores.shape()[2]}, "heap")),
        size_(e.Local(DType::Int32(), {1}, "size")) {}

  Expr size() const { return size_(0); }

  // Adds all boxes whose score is above the threshold.
  void Fill(float threshold) {
    const int n = AsInt(scores_.shape()[2]);
    size_.Set({0}, 0);
    e_.For("i", 0, n, [&](const Expr& i) {
      const Expr least = expr::Const(scores_.dtype(), threshold);
      e_.If(least < Score(i), [&] {
        items_.Set({size_(0)}, i);
        size_.Set({0}, size_(0) + 1);
      });
    });
    e_.For("up", 0, size_(0) / 2,
           [&](const Expr& up) { SiftDown(size_(0) / 2 - 1 - up); });
  }

  // Moves the best candidate to top(0); the heap must not be empty.
  void Pop(const Array& top) {
    top.Set({0}, items_(0));
    size_.Set({0}, size_(0) - 1);
    items_.Set({0}, items_(size_(0)));
    SiftDown(0);
  }

 private:
  Expr Score(const Expr& i) const { return scores_(image_, cls_, i); }

  Expr IsBetter(const Expr& a, const Expr& b) const {
    return Score(b) < Score(a) || (expr::Eq(Score(a), Score(b)) && a < b);
  }

  // Sifts the item at `start` down; both of its subtrees must be heaps.
  void SiftDown(const Expr& start) {
    const Array item = e_.Local(DType::Int32(), {1}, "item");
    const Array at = e_.Local(DType::Int32(), {1}, "at");
    const Array child = e_.Local(DType::Int32(), {1}, "child");
    at.Set({0}, start);
    item.Set({0}, items_(start));
    child.Set({0}, at(0) * 2 + 1);
    e_.While(
        kMaxLevels, [&] { return child(0) < size_(0); },
        [&] {
          // Selects the better child; a missing right child aliases the left.
          const Expr right = expr::Min(child(0) + 1, size_(0) - 1);
          e_.If(IsBetter(items_(right), items_(child(0))),
                [&] { child.Set({0}, right); });
          e_.If(
              IsBetter(items_(child(0)), item(0)),
              [&] {
                items_.Set({at(0)}, items_(child(0)));
                at.Set({0}, child(0));
                child.Set({0}, at(0) * 2 + 1);
              },
              [&] { child.Set({0}, size_(0)); });
        });
    items_.Set({at(0)}, item(0));
  }

  Extern& e_;
  const Array& scores_;
  const Expr image_, cls_;
  const Array items_, size_;
};

// Writes the parts of a box to `to`.
void LoadBox(const Array& boxes, const Expr& image, const Expr& index,
             bool center, const Array& to) {
  const auto part = [&](int i) { return boxes(image, index, Expr(i)); };
  const auto set = [&](int i, const Expr& value) {
    to.Set({Expr(i), 0}, value);
  };
  if (center) {
    const Expr half = expr::Const(boxes.dtype(), 0.5);
    set(0, part(1) - part(3) * half);
    set(1, part(0) - part(2) * half);
    set(2, part(1) + part(3) * half);
    set(3, part(0) + part(2) * half);
  } else {
    set(0, expr::Min(part(0), part(2)));
    set(1, expr::Min(part(1), part(3)));
    set(2, expr::Max(part(0), part(2)));
    set(3, expr::Max(part(1), part(3)));
  }
  const auto got = [&](int i) { return to(Expr(i), 0); };
  set(4, (got(2) - got(0)) * (got(3) - got(1)));
}

// Returns true if column 0 of `box` and column i of `others` overlap by more
// than the threshold. Boxes without area do not overlap: the result of a
// division by 0 is unused.
Expr Overlap(const Array& box, const Array& others, const Expr& i,
             float threshold) {
  const Expr zero = expr::Const(box.dtype(), 0);
  const auto length = [&](int from, int to) {
    return expr::Min(box(Expr(to), 0), others(Expr(to), i)) -
           expr::Max(box(Expr(from), 0), others(Expr(from), i));
  };
  const Expr h = length(0, 2), w = length(1, 3);
  const Expr common = h * w;
  const Expr both = box(Expr(4), 0) + others(Expr(4), i) - common;
  return zero < h && zero < w &&
         expr::Const(zero.dtype(), threshold) < common / both;
}

// The boxes that have been selected for one image and class.
class Kept {
 public:
  Kept(Extern& e, int64_t most)
      : e_(e),
        boxes_(e.Scratch(DType::Float32(),
                         {kBoxParts, CeilDiv(most, kGroup) * kGroup}, "kept")),
        count_(e.Local(DType::Int32(), {1}, "count")),
        next_(e.Local(DType::Int32(), {1}, "next")),
        hits_(e.Local(DType::Int32(), {kLanes}, "hits")),
        hit_(e.Local(DType::Int32(), {1}, "hit")) {
    count_.Set({0}, 0);
  }

  Expr count() const { return count_(0); }

  // Returns 1 if `box` overlaps one of the boxes, else 0.
  Expr Suppress(const Array& box, float threshold) {
    hit_.Set({0}, 0);
    next_.Set({0}, 0);
    e_.While(
        boxes_.shape()[1] / kGroup,
        [&] { return next_(0) < count_(0) && expr::Eq(hit_(0), 0); },
        [&] {
          e_.Vectorized("lane", AsInt(kLanes),
                        [&](const Expr& lane) { hits_.Set({lane}, 0); });
          e_.For("vector", 0, AsInt(kGroup / kLanes), [&](const Expr& vector) {
            e_.Vectorized("lane", AsInt(kLanes), [&](const Expr& lane) {
              const Expr i = next_(0) + vector * AsInt(kLanes) + lane;
              const Expr overlaps = Overlap(box, boxes_, i, threshold);
              hits_.Set({lane},
                        expr::Max(hits_(lane), expr::SelectOf(overlaps, 1, 0)));
            });
          });
          e_.Unrolled("lane", AsInt(kLanes), [&](const Expr& lane) {
            hit_.Set({0}, expr::Max(hit_(0), hits_(lane)));
          });
          next_.Set({0}, next_(0) + AsInt(kGroup));
        });
    return hit_(0);
  }

  void Add(const Array& box) {
    // A box at the origin without area overlaps none.
    e_.If(expr::Eq(count_(0) % AsInt(kGroup), 0), [&] {
      e_.For("part", 0, AsInt(kBoxParts), [&](const Expr& part) {
        e_.For("i", 0, AsInt(kGroup), [&](const Expr& i) {
          boxes_.Set({part, count_(0) + i}, expr::Const(box.dtype(), 0));
        });
      });
    });
    for (int part = 0; part < kBoxParts; ++part) {
      boxes_.Set({Expr(part), count_(0)}, box(Expr(part), Expr(0)));
    }
    count_.Set({0}, count_(0) + 1);
  }

 private:
  Extern& e_;
  const Array boxes_, count_;
  // Locals of Suppress().
  const Array next_, hits_, hit_;
};

// Stores the selected boxes of one image and class in row `row` of `selected`.
void Select(Extern& e, const Array& boxes, const Array& scores,
            const graph::NonMaxSuppressionAttrs& attrs, const Expr& row,
            const Array& selected, const Array& counts) {
  const int classes = AsInt(scores.shape()[1]);
  const int64_t n = boxes.shape()[1], most = selected.shape()[1];
  const Expr image = row / classes, cls = row % classes;
  Heap heap(e, scores, image, cls);
  Kept kept(e, most);
  const Array box = e.Local(DType::Float32(), {kBoxParts, 1}, "box");
  const Array index = e.Local(DType::Int32(), {1}, "index");
  heap.Fill(attrs.score_threshold);
  e.While(
      n, [&] { return 0 < heap.size() && kept.count() < AsInt(most); },
      [&] {
        heap.Pop(index);
        LoadBox(boxes, image, index(0), attrs.center, box);
        e.If(expr::Eq(kept.Suppress(box, attrs.iou_threshold), 0), [&] {
          selected.Set({row, kept.count()}, index(0));
          kept.Add(box);
        });
      });
  counts.Set({row}, kept.count());
}

// `boxes` is float32[B,N,4], `scores` is float32[B,C,N]. Returns the first of
// two outputs: int64[bound,3], the image, class and index of each selected box,
// padded with zeros; and int64[], the number of selected boxes.
te::Tensor NonMaxSuppression(const te::Tensor& boxes, const te::Tensor& scores,
                             const graph::NonMaxSuppressionAttrs& attrs) {
  const int64_t classes = scores.shape()[1], n = boxes.shape()[1];
  const int64_t rows = scores.shape()[0] * classes;
  const int64_t most = std::min(attrs.most, n);
  const int64_t bound = std::max<int64_t>(rows * most, 1);
  Extern e("nms");
  const Array b = e.Input(boxes), s = e.Input(scores);
  const Array out = e.Output(DType::Int64(), {bound, 3});
  const Array total = e.Output(DType::Int64(), {});
  const auto wide = [](const Expr& x) {
    return expr::Cast::Make(DType::Int64(), x);
  };
  const Array next = e.Local(DType::Int32(), {1}, "next");
  next.Set({0}, 0);
  if (rows * most > 0) {
    const Array selected = e.Scratch(DType::Int32(), {rows, most}, "selected");
    const Array counts = e.Scratch(DType::Int32(), {rows}, "counts");
    e.Parallel("row", AsInt(rows), [&](const Expr& row) {
      Select(e, b, s, attrs, row, selected, counts);
    });
    e.For("row", 0, AsInt(rows), [&](const Expr& row) {
      e.For("k", 0, counts(row), [&](const Expr& k) {
        out.Set({next(0), 0}, wide(row / AsInt(classes)));
        out.Set({next(0), 1}, wide(row % AsInt(classes)));
        out.Set({next(0), 2}, wide(selected(row, k)));
        next.Set({0}, next(0) + 1);
      });
    });
  }
  total.Set({}, wide(next(0)));
  e.For("rest", next(0), AsInt(bound) - next(0), [&](const Expr& i) {
    for (int part = 0; part < 3; ++part) {
      out.Set({i, Expr(part)}, expr::ConstInt(DType::Int64(), 0));
    }
  });
  return e.Build()[0];
}

te::Tensor ComputeNonMaxSuppression(const OpInstance& op, const Operands& in,
                                    const target::Target&, const Config&) {
  return NonMaxSuppression(in[0], in[1],
                           op.attrs_as<graph::NonMaxSuppressionAttrs>());
}

constexpr Implementation kSuppression[] = {
    {"non_max_suppression.heap", AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<100>, ComputeNonMaxSuppression, ScheduleAsWritten}};

}  // namespace

KernelRule NonMaxSuppressionKernel(graph::OpKind) { return {kSuppression}; }

}  // namespace assay::ops
