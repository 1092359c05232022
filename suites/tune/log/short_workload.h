// ShortWorkload: a workload in a few words, for a column of a table.
//
//   conv2d+add+relu float32[1,4,56,56,16] float32[4,4,3,3,16,16] winograd=4
#ifndef ASSAY_SUITES_TUNE_LOG_SHORT_WORKLOAD_H_
#define ASSAY_SUITES_TUNE_LOG_SHORT_WORKLOAD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::suites {

// Returns the operators of the workload (ops/kernel/workload.h) without
// constants, the types of the first two operands, and the tile of Winograd's
// algorithm, if any. If `workload` has another form, returns its first
// characters.
std::string ShortWorkload(absl::string_view workload);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_SHORT_WORKLOAD_H_
