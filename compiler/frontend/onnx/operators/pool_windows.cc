#include "compiler/frontend/onnx/operators/pool_windows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;
using Ints = std::vector<int64_t>;

// The lowest value of a type; for integers a power of two, which a float can
// represent.
float LowestOf(DType type) {
  if (type.is_float()) return -std::numeric_limits<float>::infinity();
  return type.is_int() ? -std::ldexp(1.0f, type.bits() - 1) : 0;
}

// The offsets of element `k` of the window along each axis, the last counting
// fastest.
Ints Offsets(const Window& w, int64_t k) {
  Ints offsets(w.axes());
  for (size_t d = w.axes(); d-- > 0; k /= w.kernel[d]) {
    offsets[d] = k % w.kernel[d] * w.dilations[d];
  }
  return offsets;
}

// The position on an axis of `extent` elements of the first tap of a window
// that is on the data. If there is none, returns the element next to the
// window.
int64_t FirstOnData(int64_t start, int64_t dilation, int64_t extent) {
  const int64_t skipped = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
  return std::min(start + skipped * dilation, extent - 1);
}

// For all k: element k of every window, of data without padding.
std::vector<Value> Elements(Compose& c, Value x, const Window& w,
                            const Ints& extents) {
  std::vector<Value> elements;
  for (int64_t k = 0; k < NumElements(w.kernel); ++k) {
    const Ints offsets = Offsets(w, k);
    Value element = x;
    for (size_t d = 0; d < w.axes(); ++d) {
      element = c.Slice(element, static_cast<int64_t>(d) + 2, offsets[d],
                        extents[d], w.strides[d]);
    }
    elements.push_back(element);
  }
  return elements;
}

}  // namespace

Value PadForWindows(Compose& c, Value x, Window* w, float value) {
  if (!c.status().ok()) return x;
  const Shape shape = x.type().shape;
  const Ints extents = w->Extents(shape);
  Ints before(2, 0), after(2, 0);
  for (size_t d = 0; d < w->axes(); ++d) {
    const int64_t needed = (extents[d] - 1) * w->strides[d] + w->reach(d);
    before.push_back(w->before[d]);
    after.push_back(std::max<int64_t>(needed - shape[d + 2] - w->before[d], 0));
    w->before[d] = w->after[d] = 0;
  }
  w->ceil = false;
  return c.Pad(x, before, after, value);
}

Value MaxOfWindows(Compose& c, Value x, const Window& w) {
  Window padded = w;
  const Ints extents = w.Extents(x.type().shape);
  x = PadForWindows(c, x, &padded, LowestOf(x.type().dtype));
  std::vector<Value> elements = Elements(c, x, padded, extents);
  Value max = elements[0];
  for (size_t k = 1; k < elements.size(); ++k) {
    max = c.Binary(OpKind::kMaximum, max, elements[k]);
  }
  return max;
}

Value MaxIndices(Compose& c, Value x, Value max, const Window& w,
                 bool columns_first) {
  const Shape shape = x.type().shape;
  const Ints extents = w.Extents(shape);
  // The stride of each spatial axis.
  Ints apart(w.axes(), 1);
  for (size_t d = 1; d < w.axes(); ++d) {
    if (columns_first) {
      apart[d] = apart[d - 1] * shape[d + 1];
    } else {
      const size_t e = w.axes() - d;
      apart[e - 1] = apart[e] * shape[e + 2];
    }
  }
  // The positions of the first tap of a window, which may be on the padding,
  // and of its first element on the data: sums over the axes.
  const auto axes = static_cast<int64_t>(w.axes());
  const int64_t image = NumElements(absl::MakeConstSpan(shape).subspan(2));
  Shape images(axes + 2, 1);
  images[0] = shape[0];
  images[1] = shape[1];
  Ints starts;
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i) starts.push_back(i * image);
  Value place = c.Ints64(images, starts), first = place;
  for (size_t d = 0; d < w.axes(); ++d) {
    Shape along(axes + 2, 1);
    along[d + 2] = extents[d];
    Ints steps, first_steps;
    for (int64_t i = 0; i < extents[d]; ++i) {
      const int64_t start = i * w.strides[d] - w.before[d];
      steps.push_back(start * apart[d]);
      first_steps.push_back(FirstOnData(start, w.dilations[d], shape[d + 2]) *
                            apart[d]);
    }
    place = c.Add(place, c.Ints64(along, steps));
    first = c.Add(first, c.Ints64(along, first_steps));
  }
  // The index of the largest element in the window, and its position.
  Ints table;
  for (int64_t k = 0; k < NumElements(w.kernel); ++k) {
    const Ints offsets = Offsets(w, k);
    int64_t offset = 0;
    for (size_t d = 0; d < w.axes(); ++d) offset += offsets[d] * apart[d];
    table.push_back(offset);
  }
  const DType dtype = x.type().dtype;
  Window padded = w;
  x = PadForWindows(c, x, &padded, LowestOf(dtype));
  Shape stacked = {1, shape[0], shape[1]};
  stacked.insert(stacked.end(), extents.begin(), extents.end());
  std::vector<Value> elements = Elements(c, x, padded, extents);
  for (Value& element : elements) element = c.Reshape(element, stacked);
  const Value largest =
      c.Node(OpKind::kArgMax, graph::ArgReduceAttrs(), {c.Concat(elements, 0)});
  const auto count = static_cast<int64_t>(table.size());
  const Value offset = c.Node(OpKind::kGather, graph::GatherAttrs{0},
                              {c.Ints64({count}, table), largest});
  // The padding is not larger than any element, but it may be as large: then
  // all elements of the window are, and the first of them is the largest.
  const Value is_lowest =
      c.Binary(OpKind::kEqual, max, c.Scalar(dtype, LowestOf(dtype)));
  return c.Node(OpKind::kSelect, {}, {is_lowest, first, c.Add(place, offset)});
}

}  // namespace assay::frontend
