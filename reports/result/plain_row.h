// MakePlain: makes all texts of a row printable (runtime/base/plain_text.h).
//
// The names in a row are names of models and nodes, which are read from files,
// and paths that the user gave. They can have line breaks, control sequences of
// a terminal, and bytes that are not UTF-8. A row is made plain once, when it
// is recorded or read, so that each output format (reports/render) only has to
// escape its own special characters.
#ifndef ASSAY_REPORTS_RESULT_PLAIN_ROW_H_
#define ASSAY_REPORTS_RESULT_PLAIN_ROW_H_

#include "reports/result/run_result.h"

namespace assay::reports {

void MakePlain(Row* row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_PLAIN_ROW_H_
