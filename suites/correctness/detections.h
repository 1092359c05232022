// CheckDetections: did a detector choose the right boxes?
//
// Which boxes remain after suppression depends on comparisons of scores and
// overlaps, and two programs that round differently decide a comparison of
// nearly equal numbers differently. Detections that are equal to the
// reference's are right. Others are right if they are what the rule chooses
// from the reference's boxes and scores once numbers within kTie of each other
// may count as equal:
//   - every chosen box has a score above the threshold, later ones of a class
//     have no higher score, and no two of a class overlap too much;
//   - every box of a class that was not chosen has a score below the
//     threshold, or overlaps too much with a chosen one of no lower score, or
//     the class has as many as it may, of no lower score.
#ifndef ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_
#define ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_

#include <cstdint>
#include <string>

#include "runtime/base/ndarray.h"

namespace assay::suites {

constexpr double kTie = 1e-4;

// The rule by which a detector's third output was chosen from its first two,
// boxes and scores, as ONNX's NonMaxSuppression has it.
struct SuppressionRule {
  int64_t boxes_per_class = 0;
  float overlap = 0;  // of intersection and union
  float score = 0;
};

struct DetectionCheck {
  // One sentence about what is wrong; empty if nothing is.
  std::string problem;
  // Detections that only one side has.
  int64_t different = 0;
};

// Detections [D, 3] of int64: image, class, box. `boxes` [N, P, 4], corners in
// any order, and `scores` [N, C, P], both float32, are the reference's.
DetectionCheck CheckDetections(const NDArray& detections,
                               const NDArray& reference, const NDArray& boxes,
                               const NDArray& scores,
                               const SuppressionRule& rule);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_
