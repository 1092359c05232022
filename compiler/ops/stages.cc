#include "compiler/ops/stages.h"

#include "compiler/ops/inlining/inline_stages.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

// Blocks of few channels, as in input images, fill no vector; rows of pixels
// do.
void WritePad(schedule::Schedule& s, const te::Tensor& pad,
              const target::Target& target) {
  const int64_t lanes = FloatLanes(target);
  if (pad.ndim() != 5 || pad.shape()[4] >= lanes) {
    ParallelizeRows(s, pad, target);
    return;
  }
  schedule::Stage& stage = s[pad];
  const schedule::Axis row = stage.Fuse(stage.axis(3), stage.axis(4));
  stage.Vectorize(
      stage.Split(row, lanes, schedule::Tail::kShiftInwards).second);
  stage.Parallel(stage.Fuse({stage.axis(0), stage.axis(1), stage.axis(2)}));
}

}  // namespace

te::Tensor FindTagged(const te::Tensor& output, absl::string_view tag) {
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor->tag == tag) return tensor;
  }
  return te::Tensor();
}

void InlineOthers(schedule::Schedule& s, const te::Tensor& output,
                  const target::Target& target,
                  const std::function<bool(const te::Tensor&)>& stays) {
  for (const te::Tensor& stored : InlineStages(s, output, stays)) {
    ParallelizeRows(s, stored, target);
  }
}

void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& output,
                      const std::function<bool(const te::Tensor&)>& stays,
                      const target::Target& target, const Config& config) {
  const bool writes = config.Knob("inline_pad") == 0;
  const te::Tensor pad = writes ? FindTagged(output, "pad") : te::Tensor();
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return stays(tensor) || (pad.defined() && tensor.same_as(pad));
  });
  if (pad.defined()) WritePad(s, pad, target);
}

void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& anchor,
                      const te::Tensor& output, const target::Target& target,
                      const Config& config) {
  const te::Tensor first = te::OutputsOf(anchor)[0];
  const auto is_anchor = [&](const te::Tensor& tensor) {
    return te::OutputsOf(tensor)[0].same_as(first);
  };
  InlineOrWritePad(s, output, is_anchor, target, config);
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
