// Primitives that determine where a stage is computed.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "compiler/expr/dag.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/substitute.h"
#include "compiler/schedule/primitives/primitive.h"

namespace assay::schedule {
namespace {

using expr::Expr;
using expr::VarMap;

// An output of a stage and the indices of an element.
struct Element {
  int output = 0;
  std::vector<Expr> indices;

  bool operator<(const Element& other) const {
    if (output != other.output) return output < other.output;
    return std::lexicographical_compare(
        indices.begin(), indices.end(), other.indices.begin(),
        other.indices.end(), expr::StructuralLess());
  }
};

// Replaces every read of a stage's tensors by the corresponding body. All reads
// of one element become the same node, so that the size of the bodies does not
// grow with the number of reads.
class Inliner : public expr::DagMutator {
 public:
  explicit Inliner(const StageState& producer) : producer_(producer) {}

  std::vector<Expr> MutateBodies(const std::vector<Expr>& bodies) {
    bool changed = false;
    return MutateAll(bodies, &changed);
  }

 protected:
  Expr MutateRead(const Expr& e, const expr::Read* read) override {
    const te::Tensor tensor = te::TensorOf(*read);
    const auto found = std::find_if(
        producer_.tensors.begin(), producer_.tensors.end(),
        [&](const te::Tensor& output) { return output.same_as(tensor); });
    if (found == producer_.tensors.end()) {
      return DagMutator::MutateRead(e, read);
    }
    bool changed = false;
    Element element = {tensor->output, MutateAll(read->indices, &changed)};
    const auto [value, is_new] = values_.try_emplace(std::move(element));
    if (!is_new) return value->second;
    VarMap<Expr> axes;
    for (size_t i = 0; i < value->first.indices.size(); ++i) {
      axes[producer_.tensor()->axes[i]] = value->first.indices[i];
    }
    value->second =
        expr::SubstituteInDag(producer_.bodies[tensor->output], axes);
    return value->second;
  }

 private:
  const StageState& producer_;
  std::map<Element, Expr> values_;
};

}  // namespace

absl::Status Primitive::Apply(const ComputeAt& s) {
  const Stage* consumer = schedule_.Find(s.consumer);
  if (consumer == nullptr ||
      consumer->state().placement == Placement::kInline) {
    return Error("there is no stage `", s.consumer, "`",
                 consumer == nullptr ? "" : " any more");
  }
  if (consumer == &stage_) return Error("a stage cannot contain itself");
  if (state_.is_output) return Error("an output is computed at the root");
  if (state_.is_extern()) return Error("an extern is computed at the root");
  const int index = consumer->state().LeafIndex(s.axis);
  if (index < 0) {
    return Error("`", s.axis, "` is not a leaf axis of `", s.consumer, "`");
  }
  if (index >= consumer->state().IntrinPosition()) {
    return Error("`", s.axis, "` is part of what `",
                 consumer->state().intrin->name, "` computes");
  }
  if (consumer->state().leaves[index].kind == LoopKind::kVectorized) {
    return Error("`", s.axis, "` is vectorized");
  }
  const Placement placement = std::exchange(state_.placement, Placement::kAt);
  const Stage* host = std::exchange(state_.attach_stage, consumer);
  const std::string axis = std::exchange(state_.attach_axis, s.axis);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_.placement = placement;
    state_.attach_stage = host;
    state_.attach_axis = axis;
  }
  return status;
}

absl::Status Primitive::Apply(const ComputeInline&) {
  if (state_.is_output) return Error("an output cannot be inlined");
  if (state_.is_reduction()) return Error("a reduction cannot be inlined");
  if (state_.is_extern()) return Error("an extern cannot be inlined");
  for (const Stage* reader : ReadersOf(schedule_, state_.tensors)) {
    if (!reader->state().is_extern()) continue;
    return Error("`", reader->name(),
                 "`, an extern, reads it and needs a tensor");
  }
  if (const Stage* other = StageAttachedAt(schedule_, stage_, "")) {
    return Error("`", other->name(), "` is computed inside of it");
  }
  std::vector<std::pair<Stage*, std::vector<Expr>>> before;
  for (const Stage* reader : ReadersOf(schedule_, state_.tensors)) {
    Stage* into = schedule_.Find(reader->name());
    std::vector<Expr>& bodies = into->mutable_state().bodies;
    before.emplace_back(into, bodies);
    bodies = Inliner(state_).MutateBodies(bodies);
  }
  const Placement placement =
      std::exchange(state_.placement, Placement::kInline);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_.placement = placement;
    for (auto& [reader, bodies] : before) {
      reader->mutable_state().bodies = std::move(bodies);
    }
  }
  return status;
}

}  // namespace assay::schedule
