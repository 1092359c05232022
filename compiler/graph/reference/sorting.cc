#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "compiler/graph/reference/lines.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// Returns true if element a sorts before element b. NaN ranks above all
// numbers.
bool IsBefore(const NDArray& x, bool descending, int64_t a, int64_t b) {
  if (descending) std::swap(a, b);
  if (x.dtype().is_float()) {
    const double u = LoadFloat(x, a), v = LoadFloat(x, b);
    return u < v || (std::isnan(v) && !std::isnan(u));
  }
  if (!x.dtype().is_uint()) return LoadInt(x, a) < LoadInt(x, b);
  return static_cast<uint64_t>(LoadInt(x, a)) <
         static_cast<uint64_t>(LoadInt(x, b));
}

}  // namespace

Result ArgSort(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<ArgSortAttrs>();
  const NDArray& x = in[0];
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const Lines from(x.shape(), attrs.axis), to(type.shape, attrs.axis);
  std::vector<int64_t> order(from.extent);
  for (int64_t line = 0; line < from.count; ++line) {
    std::iota(order.begin(), order.end(), 0);
    const int64_t begin = from.Begin(line);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const int64_t u = begin + a * from.stride, v = begin + b * from.stride;
      if (IsBefore(x, attrs.descending, u, v)) return true;
      return !IsBefore(x, attrs.descending, v, u) && a < b;
    });
    for (int64_t k = 0; k < to.extent; ++k) {
      StoreInt(result, to.Begin(line) + k * to.stride, order[k]);
    }
  }
  return result;
}

Results Unique(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<UniqueAttrs>();
  const NDArray& x = in[0];
  const int64_t n = x.shape()[attrs.axis];
  const int64_t stride = RowMajorStrides(x.shape())[attrs.axis];
  // Rows as the positions of their elements.
  std::vector<std::vector<int64_t>> rows(n);
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    rows[i / stride % n].push_back(i);
  }
  const auto less = [&x](const std::vector<int64_t>& a,
                         const std::vector<int64_t>& b) {
    for (size_t i = 0; i < a.size(); ++i) {
      if (IsBefore(x, /*descending=*/false, a[i], b[i])) return true;
      if (IsBefore(x, /*descending=*/false, b[i], a[i])) return false;
    }
    return false;
  };
  std::map<std::vector<int64_t>, int64_t, decltype(less)> first(less);
  for (int64_t i = 0; i < n; ++i) first.try_emplace(rows[i], i);
  std::vector<int64_t> order;
  for (const auto& [row, index] : first) order.push_back(index);
  if (!attrs.sorted) std::sort(order.begin(), order.end());
  std::vector<NDArray> results;
  for (const TensorType& type : node.types()) {
    results.emplace_back(type.dtype, type.shape);
  }
  for (size_t group = 0; group < order.size(); ++group) {
    results[0].data<int64_t>()[group] = order[group];
  }
  for (int64_t i = 0; i < n; ++i) {
    const auto group =
        std::find(order.begin(), order.end(), first.at(rows[i])) -
        order.begin();
    results[1].data<int64_t>()[i] = group;
    ++results[2].data<int64_t>()[group];
  }
  results[3].data<int64_t>()[0] = static_cast<int64_t>(order.size());
  return results;
}

}  // namespace assay::graph::reference
