// Primitives that say where a stage is computed.
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"
#include "compiler/schedule/primitives/primitive.h"

namespace assay::schedule {
namespace {

using expr::Expr;
using expr::VarMap;

// Puts `body`, a function of `axes`, in place of every read of `tensor`.
class Inliner : public expr::ExprMutator {
 public:
  explicit Inliner(const StageState& producer) : producer_(producer) {}

 protected:
  Expr MutateRead(const Expr& e, const expr::Read* read) override {
    if (read->tensor.get() != producer_.tensor.get()) {
      return ExprMutator::MutateRead(e, read);
    }
    bool changed = false;
    const std::vector<Expr> indices = MutateAll(read->indices, &changed);
    VarMap<Expr> values;
    for (size_t i = 0; i < indices.size(); ++i) {
      values[producer_.tensor->axes[i]] = indices[i];
    }
    return expr::Substitute(producer_.body, values);
  }

 private:
  const StageState& producer_;
};

}  // namespace

absl::Status Primitive::Apply(const ComputeAt& s) {
  const Stage* consumer = schedule_.Find(s.consumer);
  if (consumer == nullptr ||
      consumer->state().placement == Placement::kInline) {
    return Error(absl::StrCat("there is no stage `", s.consumer, "`",
                              consumer == nullptr ? "" : " any more"));
  }
  if (consumer == &stage_) return Error("a stage cannot contain itself");
  if (state_.is_output) return Error("an output is computed at the root");
  const int index = consumer->state().LeafIndex(s.axis);
  if (index < 0) {
    return Error(
        absl::StrCat("`", s.axis, "` is no leaf axis of `", s.consumer, "`"));
  }
  if (index >= consumer->state().IntrinPosition()) {
    return Error(absl::StrCat("`", s.axis, "` is part of what `",
                              consumer->state().intrin->name, "` computes"));
  }
  if (consumer->state().leaves[index].kind == LoopKind::kVectorized) {
    return Error(absl::StrCat("`", s.axis, "` is vectorized"));
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
  if (const Stage* other = StageAttachedAt(schedule_, stage_, "")) {
    return Error(
        absl::StrCat("`", other->name(), "` is computed inside of it"));
  }
  for (const Stage* reader : ReadersOf(schedule_, state_.tensor)) {
    Stage* into = schedule_.Find(reader->name());
    Expr& body = into->mutable_state().body;
    const Expr before = body;
    body = Inliner(state_).Mutate(before);
    state_.inlined_into.push_back({into, before, body});
  }
  const Placement placement =
      std::exchange(state_.placement, Placement::kInline);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_.placement = placement;
    for (const InlinedInto& into : state_.inlined_into) {
      into.reader->mutable_state().body = into.before;
    }
    state_.inlined_into.clear();
  }
  return status;
}

absl::Status Primitive::Apply(const ComputeRoot&) {
  for (const InlinedInto& into : state_.inlined_into) {
    if (!into.reader->state().body.same_as(into.after)) {
      return Error(absl::StrCat("`", into.reader->name(),
                                "` has changed since it was inlined there"));
    }
  }
  for (const InlinedInto& into : state_.inlined_into) {
    into.reader->mutable_state().body = into.before;
  }
  const Placement placement = std::exchange(state_.placement, Placement::kRoot);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_.placement = placement;
    for (const InlinedInto& into : state_.inlined_into) {
      into.reader->mutable_state().body = into.after;
    }
    return status;
  }
  state_.inlined_into.clear();
  return status;
}

}  // namespace assay::schedule
