// MeasuredLayoutTimes: the times by which the compiler chooses the layouts of
// convolutions, from the records of a log.
//
//   options.layout_times =
//       MeasuredLayoutTimes(tasks, best, target).value_or(ops::LayoutTimes());
//
// The time of a convolution in a layout is the median of its accepted point, or
// else of its default point. If several tasks have this convolution, with
// different epilogues, it is the mean of their times.
//
// A time that was not measured is that of the cost model, multiplied by the
// median ratio of measured and modelled times: of the other layouts of the same
// convolution if some were measured, or else of all convolutions. In the first
// case it is also multiplied by kEstimateMargin, because an estimate may be
// wrong, and the smallest of several estimates probably is.
#ifndef ASSAY_SUITES_TUNE_MEASURED_LAYOUTS_H_
#define ASSAY_SUITES_TUNE_MEASURED_LAYOUTS_H_

#include <optional>
#include <vector>

#include "compiler/ops/kernel/layout_policy.h"
#include "compiler/target/target.h"
#include "compiler/tune/task/tasks.h"
#include "suites/tune/log/best_records.h"

namespace assay::suites {

constexpr double kEstimateMargin = 1.1;

// `tasks` are those of a model with all layouts. The result does not refer to
// the arguments. Returns nullopt if no convolution was measured in a layout
// other than that which the cost model chooses: there is nothing to compare
// then.
std::optional<ops::LayoutTimes> MeasuredLayoutTimes(
    const std::vector<tune::Task>& tasks, const BestRecords& best,
    const target::Target& target);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_MEASURED_LAYOUTS_H_
