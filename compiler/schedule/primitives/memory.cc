// Primitives that say what memory a stage is kept in.
#include "absl/strings/str_cat.h"
#include "compiler/schedule/primitives/primitive.h"

namespace assay::schedule {

absl::Status Primitive::Apply(const SetScope& s) {
  if (state_.is_output) return Error("an output is in global scope");
  for (const Leaf& leaf : state_.leaves) {
    if (s.scope == expr::Scope::kLocal && leaf.kind == LoopKind::kParallel) {
      return Error(absl::StrCat("axis `", leaf.axis.name,
                                "` is parallel, and local memory belongs to "
                                "one thread"));
    }
  }
  state_.scope = s.scope;
  return absl::OkStatus();
}

}  // namespace assay::schedule
