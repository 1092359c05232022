// CheckDetections: checks the boxes that a detector selected.
//
// Non-maximum suppression compares scores and overlaps. Programs that round
// differently can therefore select different boxes if two numbers are nearly
// equal. Detections that equal the detections of the reference are correct.
// Other detections are correct if the following conditions hold for each image
// and class, with the boxes and scores of the reference. A comparison of two
// numbers that differ by at most `tie` may have either result.
//   - At most SuppressionRule::boxes_per_class boxes are selected. Their
//     indices are valid, and no box is selected twice.
//   - The score of every selected box is above the threshold, and the scores do
//     not increase from one selected box to the next.
//   - No two selected boxes have an overlap above the threshold.
//   - For every box that is not selected, at least one of these is true:
//       - its score is not above the threshold;
//       - its overlap with a selected box of equal or higher score is above the
//         threshold;
//       - the maximum number of boxes is selected, and all of them have an
//         equal or higher score.
#ifndef ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_
#define ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_

#include <cstdint>
#include <string>

#include "runtime/base/ndarray.h"

namespace assay::suites {

// The least `tie`.
constexpr double kTie = 1e-4;

// The parameters of the ONNX operator NonMaxSuppression. A detector has three
// outputs: boxes, scores and detections. NonMaxSuppression computes the
// detections, which are the selected boxes, from the boxes and the scores.
struct SuppressionRule {
  int64_t boxes_per_class = 0;  // maximum number of boxes per image and class
  float overlap = 0;            // threshold of intersection over union
  float score = 0;              // threshold of the score
};

struct DetectionCheck {
  // One sentence that describes the error; empty if there is none.
  std::string problem;
  // Number of detections that are only in the output or only in the reference.
  int64_t different = 0;
};

// Checks `detections` against the detections `reference`. Both must have the
// type int64[D, 3]; a row consists of the indices of an image, a class and a
// box. `boxes` and `scores` are outputs of the reference. `boxes` must be
// float32[N, P, 4] and contain two opposite corners of each box, in any order.
// `scores` must be float32[N, C, P]. If boxes and scores may have errors, `tie`
// should be twice the largest one, by which two numbers can change their order.
DetectionCheck CheckDetections(const NDArray& detections,
                               const NDArray& reference, const NDArray& boxes,
                               const NDArray& scores,
                               const SuppressionRule& rule, double tie = kTie);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_DETECTIONS_H_
