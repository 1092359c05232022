// MeasuredEncodingTimes: the times by which the compiler chooses the layouts of
// convolutions, from the records of a log.
//
//   options.encoding_times =
//       MeasuredEncodingTimes(tasks, best,
//       target).value_or(ops::EncodingTimes());
//
// The time of a convolution in a layout is that of its default point,
// multiplied by the ratio of its accepted point if there is one. If several
// tasks have this convolution, with different epilogues, the mean of their
// times is used. 3 % is added to the time of a layout that the cost model does
// not choose, so that noise does not change layouts.
//
// The time of a layout that was not measured depends on whether the convolution
// was measured in the layout that the cost model chooses:
//   - If it was, the layout has no time, so it is not chosen. A modelled time
//     would have to be as accurate as the small differences between layouts,
//     but the ratio of measured to modelled time differs by large factors even
//     within one network on one machine.
//   - If it was not, the time is that of the cost model multiplied by the
//     median of these ratios. So a layout can be chosen that did not exist in
//     the older compiler that wrote the log.
// A layout conversion that was not measured has the time of the cost model
// multiplied by the median ratio of the measured conversions or, if there are
// none, of the convolutions.
#ifndef ASSAY_SUITES_TUNE_MEASURED_ENCODINGS_H_
#define ASSAY_SUITES_TUNE_MEASURED_ENCODINGS_H_

#include <optional>
#include <vector>

#include "compiler/ops/kernel/kernel_costs.h"
#include "compiler/target/target.h"
#include "compiler/tune/task/tasks.h"
#include "suites/tune/log/best_records.h"

namespace assay::suites {

// `tasks` are those of a model with all layouts. The result does not refer to
// the arguments. Returns nullopt if no convolution was measured in a layout
// that the cost model does not choose, because there is nothing to compare
// then.
std::optional<ops::EncodingTimes> MeasuredEncodingTimes(
    const std::vector<tune::Task>& tasks, const BestRecords& best,
    const target::Target& target);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_MEASURED_ENCODINGS_H_
