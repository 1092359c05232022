#include "compiler/lower/storage.h"

#include <functional>
#include <numeric>

#include "compiler/expr/expr_ops.h"

namespace assay::lower {
namespace {

using expr::Expr;
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
  if (state.has_double_buffer) {
    const StageState& host = state.attach_stage->state();
    const int leaf = host.LeafIndex(state.attach_axis);
    if (bounds.stages.at(state.attach_stage).leaf_extents[leaf] > 1) {
      is_double_ = true;
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
  if (is_double_) shape_.insert(shape_.begin(), 2);
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

std::vector<Expr> Storage::At(const std::vector<Expr>& offsets) const {
  std::vector<Expr> dims;
  for (const LayoutDim& dim : layout_) {
    dims.push_back(IndexOf(dim, offsets[dim.dimension]));
  }
  std::vector<Expr> indices;
  if (is_double_) indices.push_back(loop_var_ % 2);
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
