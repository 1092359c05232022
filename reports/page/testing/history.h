// SampleHistory: nights for the tests of the page.
#ifndef ASSAY_REPORTS_PAGE_TESTING_HISTORY_H_
#define ASSAY_REPORTS_PAGE_TESTING_HISTORY_H_

#include <vector>

#include "reports/render/run_result.h"

namespace assay::reports {

// A name that ends attributes, elements and scripts, where it is not escaped.
constexpr char kHostileName[] =
    "</script><script>window.hostile=1</script>\"'><img src=x "
    "onerror=window.hostile=1>&amp;";

// So many nights, oldest first, at least 20, of 12 cells:
//   resnet18 host 2 threads   measured side by side; 4 % slower since two
//                             thirds of the nights
//   mobilenet_v1, ssd_vgg16, resnet50, gemm_512, conv_3x3  pass, improved,
//                             equivalent, inconclusive, environment_changed
//   resnet18 rpi3b            emulated
//   gemm_1x1                  no baseline; the newest three nights only
//   gemm_huge                 infrastructure, never timed
//   mobilenet_v2              wrong output on the newest night
//   ssd_mobilenet_v1          not in the newest run
//   kHostileName              pass
// The kernel is another since half of the nights.
std::vector<RunResult> SampleHistory(int nights);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_TESTING_HISTORY_H_
