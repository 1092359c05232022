#include "compiler/ops/sorting/sort.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "compiler/ops/index_loops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;
using te::Array;
using te::Extern;

// One merge pass: merges pairs of sorted runs of `width` indices.
void MergeRuns(Extern& e, const Array& from, const Array& to, int64_t n,
               int64_t width,
               const std::function<Expr(const Expr&, const Expr&)>& before) {
  const int last = AsInt(n) - 1, run = AsInt(width);
  const int pairs = AsInt((n + 2 * width - 1) / (2 * width));
  e.For("pair", 0, pairs, [&](const Expr& pair) {
    const Expr start = pair * (2 * run);
    const Expr middle = expr::Min(start + run, AsInt(n));
    const Expr end = expr::Min(start + 2 * run, AsInt(n));
    // Next positions in the left and the right run.
    const Array left = e.Local(DType::Int32(), {1}, "left");
    const Array right = e.Local(DType::Int32(), {1}, "right");
    left.Set({0}, start);
    right.Set({0}, middle);
    e.For("i", start, end - start, [&](const Expr& i) {
      // Clamped because both are loaded even if one run is exhausted.
      const Expr a = from(expr::Min(left(0), last));
      const Expr b = from(expr::Min(right(0), last));
      e.If(
          middle <= left(0) || (right(0) < end && before(b, a)),
          [&] {
            to.Set({i}, b);
            right.Set({0}, right(0) + 1);
          },
          [&] {
            to.Set({i}, a);
            left.Set({0}, left(0) + 1);
          });
    });
  });
}

// SelectIndices() keeps the indices that may be among the first k, and sorts
// them when there are more than 2 * k after a step of this many elements.
constexpr int64_t kSelectionStep = 256;
int64_t SelectionCapacity(int64_t k) { return 2 * k + kSelectionStep; }

// Emits statements that fill `first`, an array int32[k], with the first k
// indices of SortIndices(). SelectionCapacity(k) must be at most n.
void SelectIndices(
    Extern& e, const Array& first, int64_t n, int64_t k,
    const std::function<Expr(const Expr& a, const Expr& b)>& before) {
  const int64_t capacity = SelectionCapacity(k);
  const int steps = AsInt(CeilDiv(n, kSelectionStep));
  const int step = AsInt(kSelectionStep), num_first = AsInt(k);
  // The first `count` elements of `kept` are indices. Equal elements are in
  // ascending order, because later indices are added at the end.
  const Array kept = e.Scratch(DType::Int32(), {capacity}, "kept");
  const Array order = e.Scratch(DType::Int32(), {capacity}, "order");
  const Array count = e.Local(DType::Int32(), {1}, "count");
  // 1 if the first k elements of `kept` are sorted.
  const Array sorted = e.Local(DType::Int32(), {1}, "is_sorted");
  count.Set({0}, 0);
  sorted.Set({0}, 0);
  // The others are compared, too, so they must be indices.
  e.For("i", 0, AsInt(capacity), [&](const Expr& i) { kept.Set({i}, 0); });
  e.For("step", 0, steps, [&](const Expr& s) {
    const Expr start = s * step;
    e.For("i", start, expr::Min(Expr(step), AsInt(n) - start),
          [&](const Expr& i) {
            e.If(expr::Eq(sorted(0), 0) || before(i, kept(num_first - 1)), [&] {
              kept.Set({count(0)}, i);
              count.Set({0}, count(0) + 1);
            });
          });
    e.If(2 * num_first < count(0) || expr::Eq(s, steps - 1), [&] {
      SortIndices(e, order, capacity, [&](const Expr& a, const Expr& b) {
        return a < count(0) && b < count(0) && before(kept(a), kept(b));
      });
      e.For("i", 0, num_first,
            [&](const Expr& i) { first.Set({i}, kept(order(i))); });
      e.For("i", 0, num_first, [&](const Expr& i) { kept.Set({i}, first(i)); });
      count.Set({0}, num_first);
      sorted.Set({0}, 1);
    });
  });
}

// Calls `use` with the number of each row and the first `k` of its sorted
// indices.
void SortRows(Extern& e, const Array& x, int axis, int64_t k, SortOrder order,
              const std::function<void(const Expr& row, const Array&)>& use) {
  const Shape& shape = x.shape();
  const int64_t n = shape[axis];
  e.Parallel("row", AsInt(NumElements(shape) / n), [&](const Expr& row) {
    const auto before = [&](const Expr& a, const Expr& b) {
      return ComesBefore(x(IndicesInRow(shape, axis, row, a)),
                         x(IndicesInRow(shape, axis, row, b)), order);
    };
    if (2 * SelectionCapacity(k) <= n) {
      const Array first = e.Scratch(DType::Int32(), {k}, "first");
      SelectIndices(e, first, n, k, before);
      use(row, first);
    } else {
      const Array sorted = e.Scratch(DType::Int32(), {n}, "sorted");
      SortIndices(e, sorted, n, before);
      use(row, sorted);
    }
  });
}

void CheckAxis(const te::Tensor& x, int axis, const std::string& name) {
  CHECK(axis >= 0 && axis < x.ndim() && NumElements(x.shape()) > 0)
      << "axis " << axis << " of `" << x.name() << "` in `" << name << "`";
}

}  // namespace

Expr ComesBefore(const Expr& x, const Expr& y, SortOrder order) {
  const DType wide = ArithmeticType(x.dtype());
  const Expr a = expr::CastTo(wide, x), b = expr::CastTo(wide, y);
  const bool ascending = order == SortOrder::kAscending;
  const Expr comes = ascending ? a < b : b < a;
  if (!a.dtype().is_float()) return comes;
  const Expr a_is_nan = expr::Ne(a, a), b_is_nan = expr::Ne(b, b);
  return comes || (ascending ? b_is_nan && !a_is_nan : a_is_nan && !b_is_nan);
}

void SortIndices(Extern& e, const Array& order, int64_t n,
                 const std::function<Expr(const Expr&, const Expr&)>& before) {
  e.For("i", 0, AsInt(n), [&](const Expr& i) { order.Set({i}, i); });
  if (n == 1) return;
  const Array other = e.Scratch(DType::Int32(), {n}, "merged");
  bool in_order = true;
  for (int64_t width = 1; width < n; width *= 2) {
    MergeRuns(e, in_order ? order : other, in_order ? other : order, n, width,
              before);
    in_order = !in_order;
  }
  if (in_order) return;
  e.For("i", 0, AsInt(n), [&](const Expr& i) { order.Set({i}, other(i)); });
}

te::Tensor ArgSort(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                   DType index_type, const std::string& name) {
  CheckAxis(x, axis, name);
  CHECK(k >= 1 && k <= x.shape()[axis]) << "k of `" << name << "`";
  Shape shape = x.shape();
  shape[axis] = k;
  Extern e(name);
  const Array in = e.Input(x);
  const Array indices = e.Output(index_type, shape);
  SortRows(e, in, axis, k, order, [&](const Expr& row, const Array& sorted) {
    e.For("k", 0, AsInt(k), [&](const Expr& i) {
      const Expr index = sorted(i);
      indices.Set(IndicesInRow(shape, axis, row, i),
                  expr::CastTo(index_type, index));
    });
  });
  return e.Build()[0];
}

SortedElements Sort(const te::Tensor& x, int axis, SortOrder order,
                    const std::string& name) {
  CheckAxis(x, axis, name);
  return TopK(x, axis, x.shape()[axis], order, name);
}

SortedElements TopK(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                    const std::string& name) {
  CheckAxis(x, axis, name);
  CHECK(k >= 1 && k <= x.shape()[axis]) << "k of `" << name << "`";
  Shape shape = x.shape();
  shape[axis] = k;
  Extern e(name);
  const Array in = e.Input(x);
  const Array values = e.Output(x.dtype(), shape);
  const Array indices = e.Output(DType::Int32(), shape);
  SortRows(e, in, axis, k, order, [&](const Expr& row, const Array& sorted) {
    e.For("k", 0, AsInt(k), [&](const Expr& i) {
      values.Set(IndicesInRow(shape, axis, row, i),
                 in(IndicesInRow(x.shape(), axis, row, sorted(i))));
      indices.Set(IndicesInRow(shape, axis, row, i), sorted(i));
    });
  });
  const std::vector<te::Tensor> outputs = e.Build();
  return {outputs[0], outputs[1]};
}

namespace {

te::Tensor ComputeArgSort(const OpInstance& op, const Operands& in,
                          const target::Target&, const Config&) {
  const auto& attrs = op.attrs_as<graph::ArgSortAttrs>();
  return ArgSort(
      in[0], static_cast<int>(attrs.axis), attrs.k,
      attrs.descending ? SortOrder::kDescending : SortOrder::kAscending,
      op.output.dtype);
}

constexpr Implementation kArgSort[] = {{"arg_sort.merge", AlwaysApplies,
                                        NoSpace, NoConfig, RooflineAt<2>,
                                        ComputeArgSort, ScheduleAsWritten}};

}  // namespace

KernelRule ArgSortKernel(graph::OpKind) { return {kArgSort}; }

}  // namespace assay::ops
