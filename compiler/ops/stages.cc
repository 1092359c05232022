#include "compiler/ops/stages.h"

namespace assay::ops {

te::Tensor FindTagged(const te::Tensor& output, absl::string_view tag) {
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor->tag == tag) return tensor;
  }
  return te::Tensor();
}

void InlineOthers(schedule::Schedule& s, const te::Tensor& output,
                  const std::function<bool(const te::Tensor&)>& stays) {
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor.is_placeholder() || tensor.same_as(output)) continue;
    if (!stays(tensor)) s[tensor].ComputeInline();
  }
}

te::Tensor AccumulateLocally(schedule::Schedule& s, const te::Tensor& anchor,
                             const te::Tensor& output) {
  if (anchor.same_as(output)) {
    return s.CacheWrite(anchor, expr::Scope::kLocal);
  }
  s[anchor].SetScope(expr::Scope::kLocal);
  return anchor;
}

}  // namespace assay::ops
