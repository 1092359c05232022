#include "compiler/ops/stages.h"

#include "compiler/ops/schedule_generic.h"

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

void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& anchor,
                      const te::Tensor& output, const target::Target& target,
                      const Config& config) {
  const bool writes = config.Knob("inline_pad") == 0;
  const te::Tensor pad = writes ? FindTagged(output, "pad") : te::Tensor();
  InlineOthers(s, output, [&](const te::Tensor& tensor) {
    const bool is_anchor =
        te::OutputsOf(tensor)[0].same_as(te::OutputsOf(anchor)[0]);
    return is_anchor || (pad.defined() && tensor.same_as(pad));
  });
  if (pad.defined()) ParallelizeRows(s, pad, target);
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
