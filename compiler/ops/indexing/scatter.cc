// Writes to computed indices: scatter_elements and scatter_nd.
//
// The result is a copy of the data to which the updates are applied in order.
// An update either overwrites the element, so that the last one wins, or is
// combined with it (ScatterReduction). Indices are int64; a negative index
// counts from the end, and an out-of-range index is clamped.
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "compiler/ops/index_loops.h"
#include "compiler/ops/indexing/gather.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/te/extern.h"
#include "compiler/te/reducers.h"

namespace assay::ops {
namespace {

using expr::Expr;
using graph::ScatterReduction;
using te::Array;
using te::Extern;

Expr Combined(ScatterReduction reduction, const Expr& old, const Expr& update) {
  if (reduction == ScatterReduction::kNone) return update;
  const DType type = old.dtype();
  const DType wide = ArithmeticType(type);
  const Expr a = expr::CastTo(wide, old), b = expr::CastTo(wide, update);
  switch (reduction) {
    case ScatterReduction::kAdd:
      return expr::CastTo(type, a + b);
    case ScatterReduction::kMultiply:
      return expr::CastTo(type, a * b);
    case ScatterReduction::kMaximum:
      return expr::CastTo(type, te::Maximum(a, b));
    default:
      return expr::CastTo(type, te::Minimum(a, b));
  }
}

// The common part of both scatters: copies the data, then applies each element
// of `updates`. `place` stores the computed indices of its destination to `at`
// and returns all indices of the destination.
class Scatter {
 public:
  Scatter(const char* name, const te::Tensor& data, const te::Tensor& indices,
          const te::Tensor& updates)
      : e_(name),
        data_(e_.Input(data)),
        indices_(e_.Input(indices)),
        updates_(e_.Input(updates)),
        result_(e_.Output(data.dtype(), data.shape())) {}

  const Array& indices() const { return indices_; }
  const Shape& shape() const { return data_.shape(); }

  using Place = std::function<std::vector<Expr>(const std::vector<Expr>& i,
                                                const Array& at)>;
  te::Tensor Build(ScatterReduction reduction, int64_t computed,
                   const Place& place) {
    ForEachIndexInParallel(e_, shape(), [&](const std::vector<Expr>& i) {
      result_.Set(i, data_(i));
    });
    const Array at = e_.Local(DType::Int32(), {computed}, "at");
    ForEachIndex(e_, updates_.shape(), [&](const std::vector<Expr>& i) {
      const std::vector<Expr> to = place(i, at);
      result_.Set(to, Combined(reduction, result_(to), updates_(i)));
    });
    return e_.Build()[0];
  }

 private:
  Extern e_;
  const Array data_, indices_, updates_, result_;
};

// Update i is written to i with index `axis` replaced by indices[i].
te::Tensor ScatterElements(const graph::ScatterElementsAttrs& attrs,
                           const te::Tensor& data, const te::Tensor& indices,
                           const te::Tensor& updates) {
  Scatter scatter("scatter_elements", data, indices, updates);
  return scatter.Build(
      attrs.reduction, 1, [&](const std::vector<Expr>& i, const Array& at) {
        at.Set({0}, IndexInto(data.shape()[attrs.axis], scatter.indices()(i)));
        std::vector<Expr> to = i;
        to[attrs.axis] = at(0);
        return to;
      });
}

// Update [b…, c…] is written to [indices[b…]…, c…].
te::Tensor ScatterNd(const graph::ScatterNdAttrs& attrs, const te::Tensor& data,
                     const te::Tensor& indices, const te::Tensor& updates) {
  const int64_t tuple = indices.shape().back();
  Scatter scatter("scatter_nd", data, indices, updates);
  return scatter.Build(
      attrs.reduction, tuple, [&](const std::vector<Expr>& i, const Array& at) {
        const auto rest = i.begin() + indices.ndim() - 1;
        std::vector<Expr> to;
        for (int64_t k = 0; k < tuple; ++k) {
          std::vector<Expr> from(i.begin(), rest);
          from.push_back(AsInt(k));
          at.Set({AsInt(k)},
                 IndexInto(data.shape()[k], scatter.indices()(from)));
          to.push_back(at(AsInt(k)));
        }
        to.insert(to.end(), rest, i.end());
        return to;
      });
}

te::Tensor ComputeScatterElements(const OpInstance& op, const Operands& in,
                                  const target::Target&, const Config&) {
  return ScatterElements(op.attrs_as<graph::ScatterElementsAttrs>(), in[0],
                         in[1], in[2]);
}

constexpr Implementation kScatterElements[] = {
    {"scatter_elements.loops", AlwaysApplies, NoSpace, NoConfig, RooflineAt<2>,
     ComputeScatterElements, ScheduleAsWritten}};

te::Tensor ComputeScatterNd(const OpInstance& op, const Operands& in,
                            const target::Target&, const Config&) {
  return ScatterNd(op.attrs_as<graph::ScatterNdAttrs>(), in[0], in[1], in[2]);
}

constexpr Implementation kScatterNd[] = {{"scatter_nd.loops", AlwaysApplies,
                                          NoSpace, NoConfig, RooflineAt<2>,
                                          ComputeScatterNd, ScheduleAsWritten}};

}  // namespace

KernelRule ScatterElementsKernel(graph::OpKind) { return {kScatterElements}; }

KernelRule ScatterNdKernel(graph::OpKind) { return {kScatterNd}; }

}  // namespace assay::ops
