// CurveHtml: the chart of a task as inline SVG.
//
// The horizontal axis is the number of the trial, the vertical axis the rate of
// the trial, from zero. Each successful trial is a dot with the colour of its
// implementation, and each failed trial is a tick below the axis. The step line
// is the best rate so far, the dashed line the rate of the default point, and
// the ring the accepted point. If there are several runs of tuners, vertical
// lines separate them.
//
// The chart has no script. The only texts of the log in it are the name of the
// task and the names of tuners and implementations, which are escaped. It is as
// wide as its container; text and dots have the same size at every width. A
// trial takes about ten bytes.
#ifndef ASSAY_SUITES_TUNE_PAGE_CURVE_H_
#define ASSAY_SUITES_TUNE_PAGE_CURVE_H_

#include <map>
#include <string>
#include <vector>

#include "suites/tune/page/page_model.h"

namespace assay::suites {

// The number of classes `c0`, `c1`, … of implementations (tuning.css).
constexpr int kImplementationClasses = 8;

// The class of each implementation. Implementations of one operator, whose
// names have the same prefix before the dot, have different classes as long as
// there are enough.
using ImplementationClasses = std::map<std::string, std::string>;
ImplementationClasses ClassifyImplementations(
    const std::vector<std::string>& names);

// Returns a `figure` element with the chart and its legend; nothing if the task
// has no trials.
std::string CurveHtml(const PageTask& task,
                      const ImplementationClasses& classes);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_CURVE_H_
