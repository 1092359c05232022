#include "compiler/lower/bound_inference.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/dag.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/interval.h"
#include "compiler/tir/simplify/simplify.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::lower {
namespace {

using expr::Expr;
using schedule::Axis;
using schedule::Placement;
using schedule::Stage;
using schedule::StageState;
using tir::Interval;
using tir::IntervalMap;

constexpr int64_t kMaxIndex = std::numeric_limits<int32_t>::max();

// Collects the reads of `tensors` in expressions.
class ReadsOf : public expr::DagVisitor {
 public:
  ReadsOf(const std::vector<te::Tensor>& tensors,
          const std::vector<Expr>& exprs)
      : tensors_(tensors) {
    for (const Expr& e : exprs) Visit(e);
  }
  std::vector<const expr::Read*> reads;

 protected:
  void VisitRead(const expr::Read* read) override {
    for (const te::Tensor& tensor : tensors_) {
      if (read->tensor.get() == tensor.get()) reads.push_back(read);
    }
    DagVisitor::VisitRead(read);
  }

 private:
  const std::vector<te::Tensor>& tensors_;
};

class Inference {
 public:
  explicit Inference(const schedule::Schedule& schedule)
      : schedule_(schedule) {}

  absl::Status Run();
  ScheduleBounds TakeResult() { return std::move(result_); }

 private:
  absl::Status AddStage(const Stage& stage);
  Region WholeTensor(const StageState& stage) const;
  // Extends the region to the whole of each dimension whose loop an intrinsic
  // replaces.
  static void WidenToIntrin(const StageState& stage, Region& region);
  // The region of tensors of one shape that one iteration of this leaf of
  // `host` reads.
  Region NeededAt(const std::vector<te::Tensor>& tensors, const Stage& host,
                  int leaf) const;
  void AddPrefetches(const Stage& host);
  // The ranges of the variables that vary during one iteration of this leaf of
  // `host`: the loops between it and the body of `reader`. Returns false if
  // `reader` is not inside of it.
  bool RunningLoops(const Stage& reader, const Stage& host, int leaf,
                    IntervalMap& ranges) const;
  // Adds the ranges of the variables in the reader's body.
  void AddBodyVars(const Stage& reader, IntervalMap& ranges) const;
  // The same variables as expressions of the reader's loop variables.
  expr::VarMap<Expr> BodyValues(const Stage& reader) const;
  // The smaller of the two intervals, if it can be determined.
  Interval Tighter(const Interval& a, const Interval& b) const;
  Interval ClippedTo(const Interval& range, const Expr& min,
                     int64_t extent) const;
  // Turns the interval that is read into a region of constant size in [0,
  // size).
  std::pair<Expr, int64_t> FitInto(const Interval& read, int64_t size) const;

  const schedule::Schedule& schedule_;
  ScheduleBounds result_;
};

absl::Status Inference::Run() {
  const std::vector<const Stage*> stages = schedule_.stages();
  // Consumers first: regions are derived from the regions of readers.
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if ((*stage)->state().placement == Placement::kInline) continue;
    ASSAY_RETURN_IF_ERROR(AddStage(**stage));
  }
  for (const auto& [stage, bounds] : result_.stages) AddPrefetches(*stage);
  return absl::OkStatus();
}

absl::Status Inference::AddStage(const Stage& stage) {
  const StageState& state = stage.state();
  for (const te::Tensor& tensor : state.tensors) {
    const int64_t elements = NumElements(tensor.shape());
    if (elements <= kMaxIndex) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("stage `", stage.name(), "`: ", elements,
                     " elements are too many for 32-bit indices"));
  }
  if (state.is_extern()) {
    result_.stages[&stage] = StageBounds();
    return absl::OkStatus();
  }
  StageBounds bounds;
  bounds.region = WholeTensor(state);
  if (state.placement == Placement::kAt) {
    const Stage& host = *state.attach_stage;
    bounds.region = NeededAt(state.tensors, host,
                             host.state().LeafIndex(state.attach_axis));
    WidenToIntrin(state, bounds.region);
  }
  const schedule::AxisExtents extents =
      schedule::ExtentsOf(state, bounds.region.extent);
  for (const schedule::Leaf& leaf : state.leaves) {
    const int64_t extent = extents.at(leaf.axis.name);
    if (extent > kMaxIndex) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stage `", stage.name(), "`: axis `", leaf.axis.name, "` has ",
          extent, " iterations, too many for 32-bit indices"));
    }
    bounds.leaf_extents.push_back(extent);
    result_.loop_vars[leaf.axis.var] = {0, std::max<int64_t>(extent - 1, 0)};
  }
  const schedule::AxisValues values(state, extents);
  for (const Axis& axis : state.data_axes) {
    bounds.data_offsets.push_back(values[axis]);
  }
  for (const Axis& axis : state.reduce_axes) {
    bounds.reduce_values.push_back(values[axis]);
  }
  bounds.guards = values.guards();
  result_.stages[&stage] = std::move(bounds);
  return absl::OkStatus();
}

Region Inference::WholeTensor(const StageState& stage) const {
  Region region;
  for (int64_t extent : stage.tensor().shape()) {
    region.min.push_back(0);
    region.extent.push_back(extent);
  }
  return region;
}

void Inference::WidenToIntrin(const StageState& stage, Region& region) {
  for (size_t i = stage.IntrinPosition(); i < stage.leaves.size(); ++i) {
    for (size_t d = 0; d < stage.data_axes.size(); ++d) {
      if (stage.data_axes[d].name != stage.leaves[i].axis.name) continue;
      region.min[d] = 0;
      region.extent[d] = stage.tensor().shape()[d];
    }
  }
}

bool Inference::RunningLoops(const Stage& reader, const Stage& host, int leaf,
                             IntervalMap& ranges) const {
  auto add_from = [&](const Stage& stage, int position) {
    const StageBounds& bounds = result_.stages.at(&stage);
    const auto& leaves = stage.state().leaves;
    for (size_t i = position; i < leaves.size(); ++i) {
      const int last = static_cast<int>(bounds.leaf_extents[i]) - 1;
      ranges[leaves[i].axis.var] = {Expr(0), Expr(std::max(last, 0))};
    }
  };
  const Stage* stage = &reader;
  int attached_at = static_cast<int>(reader.state().leaves.size());
  while (stage != &host) {
    const StageState& state = stage->state();
    if (state.placement != Placement::kAt) return false;
    add_from(*stage, 0);
    stage = state.attach_stage;
    attached_at = stage->state().LeafIndex(state.attach_axis);
  }
  if (attached_at < leaf) return false;
  add_from(host, leaf + 1);
  return true;
}

void Inference::AddPrefetches(const Stage& host) {
  const std::vector<schedule::Leaf>& leaves = host.state().leaves;
  for (size_t i = 0; i < leaves.size(); ++i) {
    for (const schedule::LoopPrefetch& prefetch : leaves[i].prefetches) {
      const int leaf = static_cast<int>(i);
      result_.prefetches.push_back(
          {&host, leaf, prefetch, NeededAt({prefetch.tensor}, host, leaf)});
    }
  }
}

Interval Inference::ClippedTo(const Interval& range, const Expr& min,
                              int64_t extent) const {
  if (!range.IsKnown()) return range;
  const Expr last = min + static_cast<int>(extent - 1);
  // Clip only if the whole axis is covered: a tile in the middle must keep its
  // shape, or its extent would not be constant.
  if (tir::CanProve(range.min <= min, result_.loop_vars) &&
      tir::CanProve(last <= range.max, result_.loop_vars)) {
    return {min, last};
  }
  // Guards exclude iterations beyond the last one, so the region is contained
  // in the tile of the same shape that ends at the last iteration.
  const Expr length = tir::Simplify(range.max - range.min, result_.loop_vars);
  if (!expr::AsConstInt(length).has_value() ||
      tir::CanProve(range.max <= last, result_.loop_vars)) {
    return range;
  }
  const Expr first = expr::Min(range.min, last - length);
  return {first, first + length};
}

void Inference::AddBodyVars(const Stage& reader, IntervalMap& ranges) const {
  const StageState& state = reader.state();
  const StageBounds& bounds = result_.stages.at(&reader);
  IntervalMap body_vars;
  for (size_t i = 0; i < state.data_axes.size(); ++i) {
    const Expr& min = bounds.region.min[i];
    const Interval whole = tir::EvalInterval(min + bounds.data_offsets[i],
                                             ranges, result_.loop_vars);
    const bool region_stays =
        tir::EvalInterval(min, ranges, result_.loop_vars).IsPoint();
    body_vars[state.tensor()->axes[i]] =
        region_stays ? ClippedTo(whole, min, bounds.region.extent[i]) : whole;
  }
  if (const auto* reduce = state.reduce()) {
    for (size_t i = 0; i < reduce->axes.size(); ++i) {
      body_vars[reduce->axes[i].var] = ClippedTo(
          tir::EvalInterval(bounds.reduce_values[i], ranges, result_.loop_vars),
          0, reduce->axes[i].extent);
    }
  }
  ranges.insert(body_vars.begin(), body_vars.end());
}

expr::VarMap<Expr> Inference::BodyValues(const Stage& reader) const {
  const StageState& state = reader.state();
  const StageBounds& bounds = result_.stages.at(&reader);
  expr::VarMap<Expr> values;
  for (size_t i = 0; i < state.data_axes.size(); ++i) {
    values[state.tensor()->axes[i]] =
        bounds.region.min[i] + bounds.data_offsets[i];
  }
  if (const auto* reduce = state.reduce()) {
    for (size_t i = 0; i < reduce->axes.size(); ++i) {
      values[reduce->axes[i].var] = bounds.reduce_values[i];
    }
  }
  return values;
}

Interval Inference::Tighter(const Interval& a, const Interval& b) const {
  if (!a.IsKnown()) return b;
  if (!b.IsKnown()) return a;
  const auto extent = [&](const Interval& i) {
    const tir::VarBounds& vars = result_.loop_vars;
    return tir::ConstBounds(tir::Simplify(i.max - i.min, vars), vars).max;
  };
  return extent(b) < extent(a) ? b : a;
}

std::pair<Expr, int64_t> Inference::FitInto(const Interval& read,
                                            int64_t size) const {
  if (!read.IsKnown()) return {0, size};
  const tir::VarBounds& vars = result_.loop_vars;
  const Expr difference = tir::Simplify(read.max - read.min, vars);
  const int64_t extent = tir::ConstBounds(difference, vars).max + 1;
  if (extent >= size || extent <= 0) return {0, size};
  Expr min = read.min;
  const Expr last_min = static_cast<int>(size - extent);
  if (!tir::CanProve(min <= last_min, vars)) min = expr::Min(min, last_min);
  if (!tir::CanProve(Expr(0) <= min, vars)) min = expr::Max(min, 0);
  return {tir::Simplify(min, vars), extent};
}

Region Inference::NeededAt(const std::vector<te::Tensor>& tensors,
                           const Stage& host, int leaf) const {
  const int ndim = tensors[0].ndim();
  std::vector<Interval> needed(ndim);
  bool first = true;
  // In schedule order, so that equal schedules give equal programs.
  for (const Stage* reader : schedule_.stages()) {
    if (result_.stages.count(reader) == 0) continue;
    const ReadsOf reads(tensors, reader->state().bodies);
    IntervalMap loops;
    if (reads.reads.empty() || !RunningLoops(*reader, host, leaf, loops)) {
      continue;
    }
    IntervalMap ranges = loops;
    AddBodyVars(*reader, ranges);
    const expr::VarMap<Expr> values = BodyValues(*reader);
    for (const expr::Read* read : reads.reads) {
      for (int d = 0; d < ndim; ++d) {
        // Evaluate the index in two ways: from the ranges of the body's
        // variables, taken as independent and clipped to the axes; and as an
        // expression of the loops, in which quotient and remainder of one loop
        // variable may recombine.
        const Expr of_loops = tir::Simplify(
            expr::Substitute(read->indices[d], values), result_.loop_vars);
        const Interval range = Tighter(
            tir::EvalInterval(read->indices[d], ranges, result_.loop_vars),
            tir::EvalInterval(of_loops, loops, result_.loop_vars));
        needed[d] =
            first ? range : tir::UnionOf(needed[d], range, result_.loop_vars);
      }
      first = false;
    }
  }
  Region region;
  for (int d = 0; d < ndim; ++d) {
    const auto [min, extent] = FitInto(needed[d], tensors[0].shape()[d]);
    region.min.push_back(min);
    region.extent.push_back(extent);
  }
  return region;
}

}  // namespace

absl::StatusOr<ScheduleBounds> InferBounds(const schedule::Schedule& schedule) {
  Inference inference(schedule);
  ASSAY_RETURN_IF_ERROR(inference.Run());
  return inference.TakeResult();
}

}  // namespace assay::lower
