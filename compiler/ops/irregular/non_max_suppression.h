// Non-maximum suppression: of boxes that overlap, the one with the highest
// score.
//
// For every image and class on its own, boxes are taken in the order of falling
// scores, of equal scores the one with the smaller index first. A box is
// selected unless it overlaps one that is selected already by more than
// `iou_threshold` (intersection over union), until `most` are selected. Boxes
// whose score is not greater than `score_threshold`, or NaN, are never
// selected. The overlap of boxes without area is 0, and so is that of boxes
// with a NaN.
//
//   boxes    float32[images, n, 4], in one of two encodings
//   scores   float32[images, classes, n]
//   selected int32[images, classes, most]: indices of boxes in the order they
//            were selected, -1 beyond the last
//   counts   int32[images, classes]: how many were
//
// The number of results is bounded by the shapes, as everything here is:
// whoever needs a list without gaps cuts it by the counts. Images and classes
// are shared out over the threads; each costs a sort of n and at most n * most
// overlaps.
#ifndef ASSAY_COMPILER_OPS_IRREGULAR_NON_MAX_SUPPRESSION_H_
#define ASSAY_COMPILER_OPS_IRREGULAR_NON_MAX_SUPPRESSION_H_

#include <cstdint>
#include <limits>
#include <string>

#include "compiler/te/tensor.h"

namespace assay::ops {

// [y1, x1, y2, x2], two opposite corners in any order, or
// [x, y, width, height] with the centre.
enum class BoxEncoding : uint8_t { kCorners, kCentre };

struct NonMaxSuppressionAttrs {
  int64_t most = 1;
  float iou_threshold = 0;
  float score_threshold = -std::numeric_limits<float>::infinity();
  BoxEncoding encoding = BoxEncoding::kCorners;
};

struct SelectedBoxes {
  te::Tensor selected, counts;
};

SelectedBoxes NonMaxSuppression(const te::Tensor& boxes,
                                const te::Tensor& scores,
                                const NonMaxSuppressionAttrs& attrs,
                                const std::string& name = "nms");

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IRREGULAR_NON_MAX_SUPPRESSION_H_
