// unique: the distinct slices along an axis (compiler/docs/graph_ir.md).
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/sorting/sort.h"
#include "compiler/te/extern.h"

namespace assay::ops {
namespace {

using expr::Expr;
using te::Array;
using te::Extern;

Expr Wide(const Expr& x) { return expr::Cast::Make(DType::Int64(), x); }

// The elements of row `row` along `axis`, as expressions.
std::vector<Expr> RowOf(const Array& x, int64_t axis, const Expr& row) {
  Shape others = x.shape();
  others[axis] = 1;
  const int64_t count = NumElements(others);
  std::vector<Expr> elements;
  for (int64_t flat = 0; flat < count; ++flat) {
    std::vector<Expr> indices(others.size());
    int64_t rest = flat;
    for (size_t d = others.size(); d-- > 0;) {
      indices[d] = AsInt(rest % others[d]);
      rest /= others[d];
    }
    indices[axis] = row;
    elements.push_back(x(indices));
  }
  return elements;
}

// Returns true if row a is lexicographically less than row b.
Expr RowComesBefore(const Array& x, int64_t axis, const Expr& a,
                    const Expr& b) {
  const std::vector<Expr> left = RowOf(x, axis, a), right = RowOf(x, axis, b);
  Expr result;
  for (size_t i = left.size(); i-- > 0;) {
    const Expr less = ComesBefore(left[i], right[i], SortOrder::kAscending);
    if (!result.defined()) {
      result = less;
      continue;
    }
    const Expr greater = ComesBefore(right[i], left[i], SortOrder::kAscending);
    result = less || (!greater && result);
  }
  return result;
}

// Renumbers groups from the order of their rows to the order of their first
// occurrences.
void OrderByFirst(Extern& e, int64_t n, const Array& total, const Array& first,
                  const Array& inverse, const Array& counts) {
  const Array number = e.Scratch(DType::Int64(), {n}, "number");
  const Array old_first = e.Scratch(DType::Int64(), {n}, "old_first");
  const Array old_counts = e.Scratch(DType::Int64(), {n}, "old_counts");
  const Array next = e.Local(DType::Int32(), {1}, "next");
  e.For("i", 0, AsInt(n), [&](const Expr& i) {
    old_first.Set({i}, first(i));
    old_counts.Set({i}, counts(i));
  });
  const auto narrow = [](const Expr& x) {
    return expr::Cast::Make(DType::Int32(), x);
  };
  next.Set({0}, 0);
  e.For("i", 0, AsInt(n), [&](const Expr& i) {
    const Expr group = narrow(inverse(i));
    e.If(expr::Eq(old_first(group), Wide(i)), [&] {
      number.Set({group}, Wide(next(0)));
      first.Set({next(0)}, old_first(group));
      counts.Set({next(0)}, old_counts(group));
      next.Set({0}, next(0) + 1);
    });
    inverse.Set({i}, number(group));
  });
  total.Set({}, Wide(next(0)));
}

// Returns the first of four int64 outputs: the first occurrence of each
// distinct row, [n]; the group of each row, [n]; the size of each group, [n];
// and the number of groups, []. Rows are the slices along the axis; sorting
// makes equal rows adjacent.
te::Tensor Unique(const te::Tensor& x, const graph::UniqueAttrs& attrs) {
  const int64_t n = x.shape()[attrs.axis];
  Extern e("unique");
  const Array in = e.Input(x);
  const Array first = e.Output(DType::Int64(), {n});
  const Array inverse = e.Output(DType::Int64(), {n});
  const Array counts = e.Output(DType::Int64(), {n});
  const Array total = e.Output(DType::Int64(), {});
  const Array order = e.Scratch(DType::Int32(), {n}, "order");
  const auto before = [&](const Expr& a, const Expr& b) {
    return RowComesBefore(in, attrs.axis, a, b);
  };
  SortIndices(e, order, n, before);
  const Expr zero = expr::ConstInt(DType::Int64(), 0);
  e.For("i", 0, AsInt(n), [&](const Expr& i) {
    first.Set({i}, zero);
    counts.Set({i}, zero);
  });
  // The number of the current group.
  const Array group = e.Local(DType::Int32(), {1}, "group");
  group.Set({0}, -1);
  e.For("rank", 0, AsInt(n), [&](const Expr& rank) {
    // The sort is stable, so a group begins with its lowest index.
    const Expr previous = order(expr::Max(rank - 1, 0));
    e.If(expr::Eq(rank, 0) || before(previous, order(rank)), [&] {
      group.Set({0}, group(0) + 1);
      first.Set({group(0)}, Wide(order(rank)));
    });
    inverse.Set({order(rank)}, Wide(group(0)));
    counts.Set({group(0)},
               counts(group(0)) + expr::ConstInt(DType::Int64(), 1));
  });
  total.Set({}, Wide(group(0) + 1));
  if (!attrs.sorted) OrderByFirst(e, n, total, first, inverse, counts);
  return e.Build()[0];
}

te::Tensor ComputeUnique(const OpInstance& op, const Operands& in,
                         const target::Target&, const Config&) {
  return Unique(in[0], op.attrs_as<graph::UniqueAttrs>());
}

constexpr Implementation kUnique[] = {{"unique.sort", AlwaysApplies, NoSpace,
                                       NoConfig, RooflineAt<100>, ComputeUnique,
                                       ScheduleAsWritten}};

}  // namespace

KernelRule UniqueKernel(graph::OpKind) { return {kUnique}; }

}  // namespace assay::ops
