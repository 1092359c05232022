// Helpers of schedule templates for the stages around the tiled one.
//
//   Tensor sums = AccumulateLocally(s, conv, output);
//   InlineOthers(s, output, [&](const Tensor& t) { return t.same_as(conv); });
#ifndef ASSAY_COMPILER_OPS_STAGES_H_
#define ASSAY_COMPILER_OPS_STAGES_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "compiler/ops/config.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The first stage with this tag among `output` and the stages that it reads;
// undefined if there is none.
te::Tensor FindTagged(const te::Tensor& output, absl::string_view tag);

// Inlines every stage that `output` depends on, except placeholders, `output`
// itself and those for which `stays` returns true.
void InlineOthers(schedule::Schedule& s, const te::Tensor& output,
                  const std::function<bool(const te::Tensor&)>& stays);

// InlineOthers, which also inlines the padding of the data, tagged "pad", if
// the knob `inline_pad` is 1; otherwise padded data is written first, row by
// row.
void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& output,
                      const std::function<bool(const te::Tensor&)>& stays,
                      const target::Target& target, const Config& config);

// The same, where only the stage of `anchor` stays.
void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& anchor,
                      const te::Tensor& output, const target::Target& target,
                      const Config& config);

// Makes the reduction `anchor` accumulate in registers: its own stage if
// `output` is a function of it, or a local copy of it if it is the output.
// Returns the tensor of the accumulating stage.
te::Tensor AccumulateLocally(schedule::Schedule& s, const te::Tensor& anchor,
                             const te::Tensor& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_STAGES_H_
