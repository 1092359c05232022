// Primitives that determine the memory of a stage.
#include <utility>

#include "compiler/schedule/primitives/primitive.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

// Far beyond the page size; ensures that buffer sizes fit 64 bits.
constexpr int64_t kMaxAlignment = 1 << 20;

}  // namespace

absl::Status Primitive::Apply(const SetScope& s) {
  if (state_.is_output) return Error("an output is in global scope");
  for (const Leaf& leaf : state_.leaves) {
    if (s.scope == expr::Scope::kLocal && leaf.kind == LoopKind::kParallel) {
      return Error("axis `", leaf.axis.name,
                   "` is parallel, and local memory belongs to one thread");
    }
  }
  state_.scope = s.scope;
  return absl::OkStatus();
}

absl::StatusOr<int> Primitive::DimensionOf(const std::string& axis) const {
  for (size_t i = 0; i < state_.data_axes.size(); ++i) {
    if (state_.data_axes[i].name == axis) return static_cast<int>(i);
  }
  return Error("`", axis, "` is not a dimension of the tensor");
}

absl::Status Primitive::Apply(const StorageAlign& s) {
  if (state_.is_output) return Error("the layout of an output is fixed");
  if (!state_.layout.empty()) return Error("the layout was transformed before");
  ASSAY_ASSIGN_OR_RETURN(const int dimension, DimensionOf(s.axis));
  if (dimension + 1 == state_.tensor().ndim()) {
    return Error("`", s.axis, "` is the last dimension, whose stride is 1");
  }
  if (s.factor <= 0 || s.factor > kMaxAlignment) {
    return Error("the factor must be from 1 to ", kMaxAlignment);
  }
  if (s.offset < 0 || s.offset >= s.factor) {
    return Error("the offset must be less than the factor and not negative");
  }
  for (const Alignment& other : state_.alignments) {
    if (other.dimension == dimension) {
      return Error("`", s.axis, "` is aligned already");
    }
  }
  state_.alignments.push_back({dimension, s.factor, s.offset});
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const DoubleBuffer&) {
  if (state_.has_double_buffer) {
    return Error("the stage has a double buffer already");
  }
  state_.has_double_buffer = true;
  const absl::Status status = ValidateDoubleBuffer(schedule_, stage_);
  if (status.ok()) return status;
  state_.has_double_buffer = false;
  return Error(status.message());
}

absl::Status Primitive::Apply(const TransformLayout& s) {
  if (state_.is_output) return Error("the layout of an output is fixed");
  if (!state_.alignments.empty()) {
    return Error("the storage was aligned before");
  }
  if (!state_.layout.empty()) return Error("the layout was transformed before");
  std::vector<LayoutDim> layout;
  // The parts of each dimension seen so far.
  std::vector<std::vector<LayoutDim>> seen(state_.tensor().ndim());
  for (const LayoutPart& part : s.parts) {
    ASSAY_ASSIGN_OR_RETURN(const int dimension, DimensionOf(part.axis));
    LayoutDim dim;
    dim.dimension = dimension;
    dim.factor = part.factor;
    if (part.factor < 0) return Error("a factor must be positive");
    if (part.factor > 0) {
      dim.part =
          part.remainder ? LayoutDim::Part::kInner : LayoutDim::Part::kOuter;
    }
    seen[dimension].push_back(dim);
    layout.push_back(dim);
  }
  for (size_t i = 0; i < seen.size(); ++i) {
    const std::vector<LayoutDim>& parts = seen[i];
    const bool whole =
        parts.size() == 1 && parts[0].part == LayoutDim::Part::kWhole;
    const bool halves = parts.size() == 2 && parts[0].part != parts[1].part &&
                        parts[0].factor == parts[1].factor;
    if (!whole && !halves) {
      return Error(
          "`", state_.data_axes[i].name,
          "` must occur once, or as quotient and remainder by one factor");
    }
  }
  state_.layout = std::move(layout);
  return absl::OkStatus();
}

}  // namespace assay::schedule
