// CheckDetections: checks the boxes that a detector selected.
//
// Non-maximum suppression compares scores and overlaps, and programs that round
// differently may decide comparisons of nearly equal numbers differently.
// Detections that equal those of the reference are correct. Others are correct
// if the rule can select them from the boxes and scores of the reference when
// numbers within kTie of each other may count as equal:
//   - every selected box has a score above the threshold, scores do not
//     increase within a class, and no two boxes of a class overlap too much;
//   - every box of a class that was not selected has a score below the
//     threshold, or overlaps too much with a selected box of no lower score, or
//     the class has the maximum number of boxes, all of no lower score.
#ifndef ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_
#define ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_

#include <cstdint>
#include <string>

#include "runtime/base/ndarray.h"

namespace assay::suites {

constexpr double kTie = 1e-4;

// The attributes of ONNX's NonMaxSuppression, which selects the third output of
// a detector, the detections, from the first two, boxes and scores.
struct SuppressionRule {
  int64_t boxes_per_class = 0;
  float overlap = 0;  // threshold of intersection over union
  float score = 0;    // threshold of the score
};

struct DetectionCheck {
  // One sentence that describes the error; empty if there is none.
  std::string problem;
  // Number of detections that only the output or only the reference has.
  int64_t different = 0;
};

// `detections` and `reference` are int64[D, 3]: image, class, box. `boxes`,
// float32[N, P, 4] with corners in any order, and `scores`, float32[N, C, P],
// are those of the reference.
DetectionCheck CheckDetections(const NDArray& detections,
                               const NDArray& reference, const NDArray& boxes,
                               const NDArray& scores,
                               const SuppressionRule& rule);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_
