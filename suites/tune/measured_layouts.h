// MeasuredLayoutTimes: the times by which the compiler chooses the layouts of
// convolutions, from the records of a log.
//
//   options.layout_times =
//       MeasuredLayoutTimes(tasks, best, target).value_or(ops::LayoutTimes());
//
// The time of a convolution in a layout is that of its default point,
// multiplied by the ratio of its accepted point if there is one. If several
// tasks have this convolution, with different epilogues, it is the mean of
// their times. A layout that the cost model does not choose counts 3 % more, so
// that noise does not change layouts.
//
// If the layout of a convolution that the cost model chooses was measured,
// other layouts that were not measured have no time, so they are not chosen.
// Modelled times would have to be right within the small differences between
// layouts, but the ratios of measured and modelled times of one network on one
// machine differ by factors.
//
// The times of other layouts that were not measured are those of the cost
// model, multiplied by the median of these ratios. So a layout that a log does
// not know, because it was made by an older compiler, can be chosen. The same
// holds for layout conversions that were not measured.
#ifndef ASSAY_SUITES_TUNE_MEASURED_LAYOUTS_H_
#define ASSAY_SUITES_TUNE_MEASURED_LAYOUTS_H_

#include <optional>
#include <vector>

#include "compiler/ops/kernel/layout_policy.h"
#include "compiler/target/target.h"
#include "compiler/tune/task/tasks.h"
#include "suites/tune/log/best_records.h"

namespace assay::suites {

// `tasks` are those of a model with all layouts. The result does not refer to
// the arguments. Returns nullopt if no convolution was measured in a layout
// other than that which the cost model chooses: there is nothing to compare
// then.
std::optional<ops::LayoutTimes> MeasuredLayoutTimes(
    const std::vector<tune::Task>& tasks, const BestRecords& best,
    const target::Target& target);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_MEASURED_LAYOUTS_H_
