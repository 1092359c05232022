// Regions of images of a fixed number of bins: roi_align and max_roi_pool
// (compiler/docs/graph_ir.md has the definitions).
//
// Where a region lies is known only when the model runs, and with it how many
// pixels a bin has, so these are loop nests of their own: regions and channels
// are shared out over the threads, and each bin walks over its points.
#ifndef ASSAY_COMPILER_OPS_IRREGULAR_ROI_POOL_H_
#define ASSAY_COMPILER_OPS_IRREGULAR_ROI_POOL_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// x [N,C,H,W], rois [R,4] as x1, y1, x2, y2, images int64[R].
te::Tensor RoiAlign(const te::Tensor& x, const te::Tensor& rois,
                    const te::Tensor& images,
                    const graph::RoiAlignAttrs& attrs);

// rois [R,5] as image, x1, y1, x2, y2.
te::Tensor MaxRoiPool(const te::Tensor& x, const te::Tensor& rois,
                      const graph::MaxRoiPoolAttrs& attrs);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IRREGULAR_ROI_POOL_H_
