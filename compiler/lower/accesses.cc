#include "compiler/lower/accesses.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"
#include "compiler/lower/intrin_operand.h"
#include "compiler/schedule/match_intrin.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/status_macros.h"

namespace assay::lower {

using expr::Buffer;
using expr::Expr;
using expr::VarMap;
using schedule::AxisKind;
using schedule::Leaf;
using schedule::Stage;
using schedule::StageState;
using tir::Stmt;

namespace {

// Cache line size in bytes of all supported processors.
constexpr int kCacheLine = 64;
// The largest number of prefetches of an iteration that are unrolled.
constexpr int64_t kMostUnrolled = 64;

// The distance in each dimension between two elements of the region so that
// there is one in each cache line. A line contains several rows if the region
// contains whole rows and they are short.
std::vector<int64_t> LineSteps(const te::Tensor& tensor, const Region& region) {
  std::vector<int64_t> steps(tensor.ndim(), 1);
  int64_t line = std::max(kCacheLine / tensor.dtype().bytes(), 1);
  for (int d = tensor.ndim() - 1; d >= 0 && line > 1; --d) {
    steps[d] = line;
    const int64_t extent = tensor.shape()[d];
    const bool whole = region.extent[d] == extent && line % extent == 0;
    line = whole ? line / extent : 1;
  }
  return steps;
}

}  // namespace

// Replaces reads of a body by loads, and its variables by values of the loops.
class ReadLowerer : public expr::ExprMutator {
 public:
  ReadLowerer(const Accesses& accesses, VarMap<Expr> values)
      : accesses_(accesses), values_(std::move(values)) {}

 protected:
  Expr MutateVar(const Expr& e, const expr::Var*) override {
    const auto found = values_.find(e);
    return found == values_.end() ? e : found->second;
  }

  Expr MutateRead(const Expr&, const expr::Read* read) override {
    bool changed = false;
    std::vector<Expr> indices = MutateAll(read->indices, &changed);
    const te::Tensor tensor = te::TensorOf(*read);
    if (!tensor.is_placeholder() && !tensor.is_extern()) {
      const Stage& producer = accesses_.schedule_[tensor];
      const Region& region = accesses_.bounds_.stages.at(&producer).region;
      for (size_t i = 0; i < indices.size(); ++i) {
        indices[i] = indices[i] - region.min[i];
      }
    }
    return expr::Load::Make(accesses_.BufferOf(tensor),
                            accesses_.IndicesOf(tensor, std::move(indices)));
  }

 private:
  const Accesses& accesses_;
  VarMap<Expr> values_;
};

// Redirects the statements of an extern to the storage of its tensors.
class ExternLowerer : public tir::StmtMutator {
 public:
  ExternLowerer(const Accesses& accesses, const StageState& state)
      : accesses_(accesses) {
    const te::ExternBody& body = *state.tensor()->nest;
    for (size_t i = 0; i < body.inputs.size(); ++i) {
      tensors_[body.input_buffers[i].get()] = te::TensorOf(body.inputs[i]);
    }
    for (size_t i = 0; i < body.output_buffers.size(); ++i) {
      tensors_[body.output_buffers[i].get()] = state.tensors[i];
    }
  }

 protected:
  Expr MutateLoad(const Expr& e, const expr::Load* load) override {
    const auto found = tensors_.find(load->buffer.get());
    if (found == tensors_.end()) return StmtMutator::MutateLoad(e, load);
    bool changed = false;
    return expr::Load::Make(
        accesses_.BufferOf(found->second),
        accesses_.IndicesOf(found->second, MutateAll(load->indices, &changed)));
  }
  Stmt MutateStore(const Stmt& s, const tir::Store* store) override {
    const auto found = tensors_.find(store->buffer.get());
    if (found == tensors_.end()) return StmtMutator::MutateStore(s, store);
    bool changed = false;
    return tir::Store::Make(
        accesses_.BufferOf(found->second),
        accesses_.IndicesOf(found->second, MutateAll(store->indices, &changed)),
        Mutate(store->value));
  }

 private:
  const Accesses& accesses_;
  std::map<const expr::BufferNode*, te::Tensor> tensors_;
};

int FirstReduceLeaf(const StageState& stage) {
  int position = 0;
  while (stage.leaves[position].axis.kind != AxisKind::kReduce) ++position;
  return position;
}

Accesses::Accesses(const schedule::Schedule& schedule,
                   const ScheduleBounds& bounds, const BufferMap& parameters)
    : schedule_(schedule), bounds_(bounds), parameters_(parameters) {
  for (const auto& [stage, stage_bounds] : bounds_.stages) {
    for (const te::Tensor& tensor : stage->state().tensors) {
      if (parameters_.count(tensor.get()) > 0) continue;
      storage_.emplace(tensor.get(), Storage(*stage, tensor->output, bounds));
    }
  }
}

const Storage* Accesses::StorageOf(const te::Tensor& tensor) const {
  const auto found = storage_.find(tensor.get());
  return found == storage_.end() ? nullptr : &found->second;
}

std::vector<Buffer> Accesses::BuffersOf(const Stage& stage) const {
  std::vector<Buffer> buffers;
  for (const te::Tensor& tensor : stage.state().tensors) {
    const Storage* storage = StorageOf(tensor);
    if (storage != nullptr) buffers.push_back(storage->buffer());
  }
  return buffers;
}

bool Accesses::HasDoubleBuffer(const Stage& stage) const {
  const Storage* storage = StorageOf(stage.state().tensor());
  return storage != nullptr && storage->is_double();
}

const Buffer& Accesses::BufferOf(const te::Tensor& tensor) const {
  const Storage* storage = StorageOf(tensor);
  return storage != nullptr ? storage->buffer() : parameters_.at(tensor.get());
}

std::vector<Expr> Accesses::IndicesOf(const te::Tensor& tensor,
                                      std::vector<Expr> offsets) const {
  const Storage* storage = StorageOf(tensor);
  return storage != nullptr ? storage->At(offsets) : offsets;
}

Expr Accesses::BodyOf(const Stage& stage, const Expr& body) const {
  const StageState& state = stage.state();
  const StageBounds& bounds = bounds_.stages.at(&stage);
  VarMap<Expr> values;
  for (size_t i = 0; i < bounds.data_offsets.size(); ++i) {
    values[state.tensor()->axes[i]] =
        bounds.region.min[i] + bounds.data_offsets[i];
  }
  if (const auto* reduce = state.reduce()) {
    for (size_t i = 0; i < bounds.reduce_values.size(); ++i) {
      values[reduce->axes[i].var] = bounds.reduce_values[i];
    }
  }
  return ReadLowerer(*this, std::move(values)).Mutate(body);
}

Stmt Accesses::ExternOf(const Stage& stage) const {
  return ExternLowerer(*this, stage.state())
      .Mutate(stage.state().tensor()->nest->stmt);
}

Stmt Accesses::PrefetchOf(const PrefetchBounds& prefetch,
                          const Expr& iteration) const {
  const te::Tensor& tensor = prefetch.prefetch.tensor;
  const Stage* producer =
      tensor.is_placeholder() ? nullptr : &schedule_[tensor];
  const Leaf& leaf = prefetch.host->state().leaves[prefetch.leaf];
  const Region& region = prefetch.region;
  const int ndim = tensor.ndim();
  std::vector<Expr> vars, offsets;
  std::vector<int64_t> extents;
  const std::vector<int64_t> steps = LineSteps(tensor, region);
  for (int d = 0; d < ndim; ++d) {
    const int64_t step = steps[d];
    vars.push_back(expr::Var::Make("p"));
    extents.push_back((region.extent[d] + step - 1) / step);
    Expr offset = expr::Substitute(region.min[d], {{leaf.axis.var, iteration}});
    offset = offset + expr::Min(vars[d] * static_cast<int>(step),
                                static_cast<int>(region.extent[d] - 1));
    if (producer != nullptr && !tensor.is_extern()) {
      offset = offset - bounds_.stages.at(producer).region.min[d];
    }
    offsets.push_back(offset);
  }
  Stmt stmt = tir::Prefetch::Make(
      expr::Load::Make(BufferOf(tensor), IndicesOf(tensor, offsets)));
  // A loop would take longer than the prefetches.
  const bool few = std::accumulate(extents.begin(), extents.end(), int64_t{1},
                                   std::multiplies<>()) <= kMostUnrolled;
  for (int d = ndim - 1; d >= 0; --d) {
    stmt = tir::For::Make(vars[d], 0, static_cast<int>(extents[d]),
                          few ? tir::ForKind::kUnrolled : tir::ForKind::kSerial,
                          std::move(stmt));
  }
  return stmt;
}

absl::StatusOr<PlacedIntrin> Accesses::PlaceIntrin(const Stage& stage) const {
  const StageState& state = stage.state();
  const StageBounds& bounds = bounds_.stages.at(&stage);
  const te::TensorIntrin& intrin = *state.intrin;
  const int position = state.IntrinPosition();
  const schedule::AxisExtents extents =
      schedule::ExtentsOf(state, bounds.region.extent);
  ASSAY_ASSIGN_OR_RETURN(
      const schedule::IntrinMatch match,
      schedule::MatchIntrin(state, position, extents, intrin));
  if (state.is_reduction() && intrin.update == nullptr &&
      FirstReduceLeaf(state) < position) {
    return absl::InvalidArgumentError(
        "a reduce loop remains outside, and the intrinsic has no update");
  }
  const auto strides = [&](size_t i) {
    return intrin.strides.empty() ? std::vector<int64_t>() : intrin.strides[i];
  };
  PlacedIntrin placed;
  for (size_t i = 0; i < match.inputs.size(); ++i) {
    const expr::Read& read = *match.inputs[i];
    const Expr load =
        BodyOf(stage, expr::Read::Make(read.tensor, read.indices));
    ASSAY_ASSIGN_OR_RETURN(
        te::IntrinOperand operand,
        IntrinOperandOf(*load.As<expr::Load>(), match.declared[i]->indices,
                        match.loops, strides(i), bounds_.loop_vars));
    placed.inputs.push_back(std::move(operand));
  }
  const Expr output = expr::Load::Make(
      BufferOf(state.tensor()), IndicesOf(state.tensor(), bounds.data_offsets));
  ASSAY_ASSIGN_OR_RETURN(
      placed.output,
      IntrinOperandOf(*output.As<expr::Load>(), intrin.compute->axes,
                      match.loops, strides(match.inputs.size()),
                      bounds_.loop_vars));
  return placed;
}

}  // namespace assay::lower
