// Helper functions of schedule templates for the stages before and after the
// stage that is tiled.
//
//   Tensor sums = AccumulateLocally(s, conv, output);
//   InlineOthers(s, output, target,
//                [&](const Tensor& t) { return t.same_as(conv); });
#ifndef ASSAY_COMPILER_OPS_STAGES_H_
#define ASSAY_COMPILER_OPS_STAGES_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "compiler/ops/config.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns the first stage with tag `tag`, in topological order, among `output`
// and all stages on which it depends. Returns an undefined tensor if there is
// no such stage.
te::Tensor FindTagged(const te::Tensor& output, absl::string_view tag);

// Inlines every stage on which `output` depends, except placeholders, stages
// for which `stays` returns true, and stages that are stored
// (inlining/inline_stages.h), which are scheduled by ParallelizeRows.
void InlineOthers(schedule::Schedule& s, const te::Tensor& output,
                  const target::Target& target,
                  const std::function<bool(const te::Tensor&)>& stays);

// Like InlineOthers, with one exception: if the knob `inline_pad` of `config`
// is 0, the padding of the data (the stage with tag "pad") is not inlined.
// Instead, a separate loop nest writes the padded data to memory.
void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& output,
                      const std::function<bool(const te::Tensor&)>& stays,
                      const target::Target& target, const Config& config);

// Calls the function above with a function `stays` that returns true only for
// the stage of `anchor`.
void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& anchor,
                      const te::Tensor& output, const target::Target& target,
                      const Config& config);

// Makes the reduction `anchor` accumulate in local memory, that is, in
// registers. If `anchor` is `output`, a local stage that computes the sums is
// added before it. Otherwise the stage of `anchor` itself becomes local.
// Returns the tensor of the local stage.
te::Tensor AccumulateLocally(schedule::Schedule& s, const te::Tensor& anchor,
                             const te::Tensor& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_STAGES_H_
