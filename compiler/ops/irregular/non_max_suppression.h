// Non-maximum suppression: of boxes that overlap, the one with the highest
// score (compiler/docs/graph_ir.md has the definition).
//
// Images and classes are shared out over the threads. Each collects the boxes
// whose score is above the threshold in a heap, n steps, and takes the best
// from it until enough are selected, log2(m) steps for each of the m boxes
// above the threshold that is looked at; so a threshold that leaves few boxes,
// or a small `most`, spares the sort. A box is compared with those selected
// before it up to the first one that it overlaps. At the end the selections are
// joined in the order of images and classes.
#ifndef ASSAY_COMPILER_OPS_IRREGULAR_NON_MAX_SUPPRESSION_H_
#define ASSAY_COMPILER_OPS_IRREGULAR_NON_MAX_SUPPRESSION_H_

#include <string>

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// boxes float32[B,N,4], scores float32[B,C,N]. The first of two outputs of one
// operation: int64[bound,3], the image, class and index of each selected box,
// zeros beyond the last; and int64[], how many there are.
te::Tensor NonMaxSuppression(const te::Tensor& boxes, const te::Tensor& scores,
                             const graph::NonMaxSuppressionAttrs& attrs,
                             const std::string& name = "nms");

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IRREGULAR_NON_MAX_SUPPRESSION_H_
