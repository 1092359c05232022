// RenderTuningPage: renders the log of a tuning run as one self-contained HTML
// file. The file needs no server, no network and no other file.
//
//   ASSAY_ASSIGN_OR_RETURN(Log log, ReadLog("tuning.jsonl"));
//   TuningPageInputs inputs = {std::move(log.records)};
//   inputs.title = "resnet18";
//   ASSAY_RETURN_IF_ERROR(
//       WriteFileAtomic("tuning.html", RenderTuningPage(inputs)));
//
// The page shows the command, the number of trials and failures and the time
// span, and for each place (device, target, number of threads) the estimated
// time of the network before and after tuning, a table of the tasks, and a card
// for each task with its curve (task_html.h). page_model.h
// defines these terms.
//
// The page is complete without JavaScript. A script sorts a table when a column
// title is clicked. The page supports screens that are at least 360 pixels
// wide, light and dark colour schemes, and keyboard navigation.
//
// Logs may come from other people, so their text is not trusted. All text is
// escaped, long texts are cut, and the page has the content security policy of
// reports/page/document.h. Records may have any content that ReadLog() accepts.
//
// The size of the page is at most kTuningPageBytes, plus kTaskBytes per task,
// plus kTrialBytes per trial, unless texts of the log are long.
#ifndef ASSAY_SUITES_TUNE_PAGE_TUNING_PAGE_H_
#define ASSAY_SUITES_TUNE_PAGE_TUNING_PAGE_H_

#include <cstdint>
#include <string>

#include "suites/tune/page/page_model.h"

namespace assay::suites {

constexpr int64_t kTuningPageBytes = 25'000;
constexpr int64_t kTaskBytes = 15'000;
constexpr int64_t kTrialBytes = 12;

// Returns the HTML text, which depends on nothing but `inputs`.
std::string RenderTuningPage(const TuningPageInputs& inputs);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_TUNING_PAGE_H_
