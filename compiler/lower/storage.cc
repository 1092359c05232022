#include "compiler/lower/storage.h"

#include <functional>
#include <numeric>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/tir/simplify/simplify.h"

namespace assay::lower {
namespace {

using expr::Expr;
using schedule::Buffering;
using schedule::LayoutDim;
using schedule::StageState;

int64_t Product(Shape::const_iterator begin, Shape::const_iterator end) {
  return std::accumulate(begin, end, int64_t{1}, std::multiplies<int64_t>());
}

int64_t ExtentOf(const LayoutDim& dim, int64_t extent) {
  switch (dim.part) {
    case LayoutDim::Part::kWhole:
      return extent;
    case LayoutDim::Part::kOuter:
      return (extent + dim.factor - 1) / dim.factor;
    case LayoutDim::Part::kInner:
      return std::min(dim.factor, extent);
  }
  return extent;
}

Expr IndexOf(const LayoutDim& dim, const Expr& offset) {
  switch (dim.part) {
    case LayoutDim::Part::kWhole:
      return offset;
    case LayoutDim::Part::kOuter:
      return offset / static_cast<int>(dim.factor);
    case LayoutDim::Part::kInner:
      return offset % static_cast<int>(dim.factor);
  }
  return offset;
}

}  // namespace

Storage::Storage(const schedule::Stage& stage, int tensor,
                 const ScheduleBounds& bounds) {
  const StageState& state = stage.state();
  Region region = bounds.stages.at(&stage).region;
  if (state.is_extern()) region.extent = state.tensors[tensor].shape();
  rolling_.resize(region.extent.size());
  if (state.buffering != Buffering::kPlain) {
    const StageState& host = state.attach_stage->state();
    const int leaf = host.LeafIndex(state.attach_axis);
    if (bounds.stages.at(state.attach_stage).leaf_extents[leaf] > 1) {
      buffering_ = state.buffering;
      loop_var_ = host.leaves[leaf].axis.var;
    }
  }
  for (size_t d = 0; d < region.extent.size(); ++d) {
    layout_.push_back({static_cast<int>(d)});
  }
  if (!state.layout.empty()) layout_ = state.layout;
  for (const LayoutDim& dim : layout_) {
    terms_.push_back({{static_cast<int>(terms_.size()), 1}});
    shape_.push_back(ExtentOf(dim, region.extent[dim.dimension]));
  }
  Align(state);
  if (buffering_ == Buffering::kRolling) Roll(stage, bounds);
  if (buffering_ == Buffering::kDouble) shape_.insert(shape_.begin(), 2);
  buffer_ =
      expr::MakeBuffer(state.TensorName(tensor), state.tensors[tensor].dtype(),
                       shape_, state.scope);
}

// From the innermost dimension outwards, because outer strides depend on inner
// ones.
void Storage::Align(const StageState& state) {
  for (int d = static_cast<int>(shape_.size()) - 2; d >= 0; --d) {
    for (const schedule::Alignment& a : state.alignments) {
      if (a.dimension != d) continue;
      const int64_t dense = Product(shape_.begin() + d + 1, shape_.end());
      const int64_t step = Product(shape_.begin() + d + 2, shape_.end());
      const int64_t beyond = ((a.offset - dense) % a.factor + a.factor);
      const int64_t stride = dense + beyond % a.factor;
      if (stride % step != 0) {
        Terms all;
        for (size_t i = d + 1; i < terms_.size(); ++i) {
          const int64_t scale = Product(shape_.begin() + i + 1, shape_.end());
          for (const auto& [dim, s] : terms_[i]) {
            all.emplace_back(dim, s * scale);
          }
        }
        terms_.resize(d + 1);
        terms_.push_back(std::move(all));
        shape_.resize(d + 1);
        shape_.push_back(stride);
      } else {
        shape_[d + 1] = stride / step;
      }
    }
  }
}

void Storage::Roll(const schedule::Stage& stage, const ScheduleBounds& bounds) {
  const StageBounds& own = bounds.stages.at(&stage);
  Expr outside;
  for (size_t d = 0; d < own.region.min.size(); ++d) {
    const Expr& min = own.region.min[d];
    if (!expr::UsesVar(min, loop_var_)) continue;
    const int64_t extent = own.region.extent[d];
    rolling_[d] = {min, extent};
    const Expr index = min + own.data_offsets[d];
    const Expr last_min = expr::Substitute(min, {{loop_var_, loop_var_ - 1}});
    Expr here = index >= last_min + static_cast<int>(extent);
    if (!tir::CanProve(last_min <= min, bounds.loop_vars)) {
      here = here || index < last_min;
    }
    outside = outside.defined() ? outside || here : here;
  }
  const Expr first = expr::Eq(loop_var_, 0);
  const Expr is_new = outside.defined() ? first || outside : first;
  if (own.data_offsets.empty()) return;
  is_new_ = schedule::Guard{is_new, schedule::AxisKind::kData,
                            schedule::InnermostLeaf(stage.state(), is_new)};
}

std::vector<Expr> Storage::At(const std::vector<Expr>& offsets) const {
  std::vector<Expr> rolled = offsets;
  for (size_t d = 0; d < rolled.size(); ++d) {
    if (!rolling_[d].has_value()) continue;
    const auto& [min, extent] = *rolling_[d];
    rolled[d] = (min + rolled[d]) % static_cast<int>(extent);
  }
  std::vector<Expr> dims;
  for (const LayoutDim& dim : layout_) {
    dims.push_back(IndexOf(dim, rolled[dim.dimension]));
  }
  std::vector<Expr> indices;
  if (buffering_ == Buffering::kDouble) indices.push_back(loop_var_ % 2);
  for (const Terms& terms : terms_) {
    Expr index = 0;
    for (const auto& [dim, stride] : terms) {
      index = index + dims[dim] * static_cast<int>(stride);
    }
    indices.push_back(index);
  }
  return indices;
}

}  // namespace assay::lower
