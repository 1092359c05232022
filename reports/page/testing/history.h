// SampleHistory: a synthetic history for tests of the page.
#ifndef ASSAY_REPORTS_PAGE_TESTING_HISTORY_H_
#define ASSAY_REPORTS_PAGE_TESTING_HISTORY_H_

#include <vector>

#include "reports/result/run_result.h"

namespace assay::reports {

// A model name that attempts script injection.
constexpr char kHostileName[] =
    "</script><script>window.hostile=1</script>\"'><img src=x "
    "onerror=window.hostile=1>&amp;";

// Returns `nights` runs, ordered from oldest to newest, with 12 cells. `nights`
// should be at least 20. The cells are
//   resnet18 on host      regressed; in the last third of the nights, the code
//                         of a kernel is another, and it is 4 % slower
//   mobilenet_v1          pass
//   ssd_vgg16             improved
//   resnet50              equivalent
//   gemm_512              inconclusive
//   conv_3x3              environment_changed
//   resnet18 on rpi3b     emulated
//   gemm_1x1              no_baseline; only in the newest three nights
//   gemm_huge             infrastructure; never timed
//   mobilenet_v2          wrong_output on the newest night, else pass
//   ssd_mobilenet_v1      pass; not in the newest run
//   kHostileName          pass
// The version of the Linux kernel changes after half of the nights.
std::vector<RunResult> SampleHistory(int nights);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_TESTING_HISTORY_H_
