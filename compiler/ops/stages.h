// What schedule templates do to the stages of a kernel around the one that
// they tile.
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

// The first stage behind `output`, or output itself, that is tagged so;
// undefined where there is none.
te::Tensor FindTagged(const te::Tensor& output, absl::string_view tag);

// Inlines every stage behind `output`, placeholders and output apart, for which
// `stays` does not hold.
void InlineOthers(schedule::Schedule& s, const te::Tensor& output,
                  const std::function<bool(const te::Tensor&)>& stays);

// InlineOthers, and the padding of the data, tagged "pad", too where the knob
// `inline_pad` is 1; otherwise that is written first, row by row.
void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& output,
                      const std::function<bool(const te::Tensor&)>& stays,
                      const target::Target& target, const Config& config);

// The same where only the stage of `anchor` stays.
void InlineOrWritePad(schedule::Schedule& s, const te::Tensor& anchor,
                      const te::Tensor& output, const target::Target& target,
                      const Config& config);

// Gives the reduction `anchor` a place in the registers: itself where `output`
// is a function of it, and a local copy of it where it is the output. Returns
// the tensor of the stage that accumulates.
te::Tensor AccumulateLocally(schedule::Schedule& s, const te::Tensor& anchor,
                             const te::Tensor& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_STAGES_H_
