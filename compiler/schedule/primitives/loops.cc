// Primitives that replace, reorder and annotate the loops of one stage.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compiler/schedule/primitives/primitive.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

Axis MakeAxis(std::string name, int64_t extent, AxisKind kind) {
  Axis axis;
  axis.var = expr::Var::Make(name);
  axis.name = std::move(name);
  axis.extent = extent;
  axis.kind = kind;
  return axis;
}

Leaf MakeLeaf(const Axis& axis) {
  Leaf leaf;
  leaf.axis = axis;
  return leaf;
}

std::vector<std::string> ReduceLeaves(const std::vector<Leaf>& leaves) {
  std::vector<std::string> names;
  for (const Leaf& leaf : leaves) {
    if (leaf.axis.kind == AxisKind::kReduce) names.push_back(leaf.axis.name);
  }
  return names;
}

}  // namespace

template <typename Step>
absl::Status Primitive::SplitLeaf(Step& s, int64_t factor, int64_t parts) {
  ASSAY_ASSIGN_OR_RETURN(const int index, PlainLeafAt(s.axis));
  const Axis parent = state_.leaves[index].axis;
  if (s.tail == Tail::kShiftInwards && state_.is_reduction()) {
    return Error(
        "a reduction cannot compute elements twice, so its tail cannot shift");
  }
  ASSAY_RETURN_IF_ERROR(NameAxis(absl::StrCat(parent.name, ".o"), &s.outer));
  ASSAY_RETURN_IF_ERROR(NameAxis(absl::StrCat(parent.name, ".i"), &s.inner));
  if (s.outer == s.inner) return Error("both results have the same name");
  SplitRelation relation;
  relation.parent = parent;
  const int64_t tile = parts > 0 ? (parent.extent + parts - 1) / parts : factor;
  relation.outer =
      MakeAxis(s.outer, (parent.extent + tile - 1) / tile, parent.kind);
  relation.inner =
      MakeAxis(s.inner, std::min(tile, parent.extent), parent.kind);
  relation.factor = factor;
  relation.parts = parts;
  relation.tail = s.tail;
  state_.leaves[index] = MakeLeaf(relation.outer);
  state_.leaves.insert(state_.leaves.begin() + index + 1,
                       MakeLeaf(relation.inner));
  state_.relations.push_back(std::move(relation));
  return absl::OkStatus();
}

absl::Status Primitive::Apply(Split& s) {
  if (s.factor <= 0) return Error("the factor must be positive");
  return SplitLeaf(s, s.factor, 0);
}

absl::Status Primitive::Apply(SplitParts& s) {
  if (s.parts <= 0) return Error("the number of parts must be positive");
  return SplitLeaf(s, 0, s.parts);
}

absl::Status Primitive::Apply(Fuse& s) {
  ASSAY_ASSIGN_OR_RETURN(const int outer, PlainLeafAt(s.outer));
  ASSAY_ASSIGN_OR_RETURN(const int inner, PlainLeafAt(s.inner));
  if (inner != outer + 1) {
    return Error("`", s.inner, "` must be directly inside of `", s.outer,
                 "`; reorder first");
  }
  FuseRelation relation;
  relation.outer = state_.leaves[outer].axis;
  relation.inner = state_.leaves[inner].axis;
  if (relation.outer.kind != relation.inner.kind) {
    return Error("a data axis and a reduce axis cannot be fused");
  }
  // Repeated fusion does not accumulate suffixes: `n.c.f` and `h` give
  // `n.c.h.f`.
  absl::string_view outer_name = s.outer;
  absl::ConsumeSuffix(&outer_name, ".f");
  ASSAY_RETURN_IF_ERROR(
      NameAxis(absl::StrCat(outer_name, ".", s.inner, ".f"), &s.fused));
  relation.fused =
      MakeAxis(s.fused, relation.outer.extent * relation.inner.extent,
               relation.outer.kind);
  state_.leaves[outer] = MakeLeaf(relation.fused);
  state_.leaves.erase(state_.leaves.begin() + inner);
  state_.relations.push_back(std::move(relation));
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const Reorder& s) {
  std::vector<int> places;
  std::vector<Leaf> chosen;
  for (const std::string& axis : s.axes) {
    ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(axis));
    if (std::find(places.begin(), places.end(), index) != places.end()) {
      return Error("`", axis, "` is listed twice");
    }
    places.push_back(index);
    chosen.push_back(state_.leaves[index]);
  }
  std::sort(places.begin(), places.end());
  std::vector<Leaf> reordered = state_.leaves;
  for (size_t i = 0; i < places.size(); ++i) reordered[places[i]] = chosen[i];
  for (size_t i = 0; i + 1 < reordered.size(); ++i) {
    if (reordered[i].kind == LoopKind::kVectorized) {
      return Error("vectorized axis `", reordered[i].axis.name,
                   "` must stay innermost");
    }
  }
  if (state_.is_reduction() && !state_.reduce()->reducer->reorderable) {
    const std::vector<std::string> before = ReduceLeaves(state_.leaves);
    const std::vector<std::string> after = ReduceLeaves(reordered);
    const auto moved =
        std::mismatch(before.begin(), before.end(), after.begin()).first;
    if (moved != before.end()) return Error(OrderMatters(*moved));
  }
  std::swap(state_.leaves, reordered);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) std::swap(state_.leaves, reordered);
  return status;
}

absl::Status Primitive::Annotate(const std::string& axis, LoopKind kind) {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(axis));
  Leaf& leaf = state_.leaves[index];
  if (leaf.kind != LoopKind::kSerial || !leaf.bind_tag.empty()) {
    return Error("`", axis, "` is ",
                 leaf.bind_tag.empty() ? KindName(leaf.kind) : "bound",
                 " already");
  }
  if (kind != LoopKind::kUnrolled && leaf.axis.kind == AxisKind::kReduce) {
    return Error("`", axis,
                 "` is a reduce axis, whose iterations depend on one another");
  }
  leaf.kind = kind;
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const Vectorize& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(s.axis));
  if (index + 1 != static_cast<int>(state_.leaves.size())) {
    return Error("`", s.axis, "` is not innermost");
  }
  if (const Stage* other = StageAttachedAt(schedule_, stage_, s.axis)) {
    return Error("`", other->name(), "` is computed at `", s.axis, "`");
  }
  if (!state_.leaves[index].prefetches.empty()) {
    return Error("`", s.axis, "` has a prefetch");
  }
  return Annotate(s.axis, LoopKind::kVectorized);
}

absl::Status Primitive::Apply(const Unroll& s) {
  return Annotate(s.axis, LoopKind::kUnrolled);
}

absl::Status Primitive::Apply(const Parallel& s) {
  for (const Leaf& leaf : state_.leaves) {
    if (leaf.kind == LoopKind::kParallel && leaf.axis.name != s.axis) {
      return Error("`", leaf.axis.name,
                   "` of the stage is parallel already; fuse the two axes");
    }
  }
  if (state_.scope == expr::Scope::kLocal) {
    return Error("the stage is in local scope, which belongs to one thread");
  }
  return Annotate(s.axis, LoopKind::kParallel);
}

bool IsThreadTag(absl::string_view tag) {
  if (!absl::ConsumePrefix(&tag, "threadIdx.") &&
      !absl::ConsumePrefix(&tag, "blockIdx.")) {
    return false;
  }
  return tag == "x" || tag == "y" || tag == "z";
}

absl::Status Primitive::Apply(const Bind& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, PlainLeafAt(s.axis));
  if (s.tag != kVirtualThread && !IsThreadTag(s.tag)) {
    return Error(
        "`", s.tag,
        "` is not a thread tag, use `vthread`, `threadIdx.x` or `blockIdx.x`");
  }
  if (state_.leaves[index].axis.kind == AxisKind::kReduce) {
    return Error("`", s.axis, "` is a reduce axis");
  }
  state_.leaves[index].bind_tag = s.tag;
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const EnvThreads& s) {
  if (!state_.env_threads.empty()) {
    return Error("the stage has threads already");
  }
  if (s.tags.empty()) return Error("no threads are listed");
  for (const std::string& tag : s.tags) {
    if (!IsThreadTag(tag)) {
      return Error("`", tag,
                   "` is not a thread tag, use `threadIdx.x` or `blockIdx.x`");
    }
    if (std::count(s.tags.begin(), s.tags.end(), tag) > 1) {
      return Error("`", tag, "` is listed twice");
    }
  }
  state_.env_threads = s.tags;
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const StorePredicate& s) {
  if (!IsThreadTag(s.thread)) {
    return Error(
        "`", s.thread,
        "` is not a thread tag; only threads store an element several times");
  }
  if (s.value < 0) return Error("a thread's index is not negative");
  for (const ThreadValue& other : state_.store_predicates) {
    if (other.thread == s.thread) {
      return Error("`", s.thread, "` is predicated already");
    }
  }
  state_.store_predicates.push_back({s.thread, s.value});
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const Prefetch& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(s.axis));
  Leaf& leaf = state_.leaves[index];
  const te::Tensor* tensor = schedule_.FindTensor(s.tensor);
  if (tensor == nullptr) {
    return Error("there is no stage or placeholder `", s.tensor, "`");
  }
  if (leaf.kind == LoopKind::kVectorized) {
    return Error("`", s.axis, "` is vectorized");
  }
  if (s.offset < 0) return Error("the offset must not be negative");
  leaf.prefetches.push_back({*tensor, s.offset});
  const absl::Status status = ValidatePrefetches(schedule_, stage_);
  if (status.ok()) return status;
  leaf.prefetches.pop_back();
  return Error(status.message());
}

absl::Status Primitive::Apply(const Pragma& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(s.axis));
  if (!IsValidName(s.key)) {
    return Error("`", s.key, "` is not a valid key");
  }
  state_.leaves[index].pragmas.push_back({s.key, s.value});
  return absl::OkStatus();
}

}  // namespace assay::schedule
