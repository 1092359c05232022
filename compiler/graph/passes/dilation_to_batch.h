// dilation_to_batch: turns a dilated convolution into one without dilation on
// several smaller images, for which Winograd's algorithm may be faster.
//
// A filter with dilation d reads every d-th row and column. The pixels whose
// row and column have the same remainders modulo d therefore form an image that
// is independent of the others. These d x d images become a batch:
//
//   %2: [1,64,28,28] = conv2d(%x, %w) {padding=[2,2,2,2], dilations=[2,2]}
//   ->
//   %3: [4,64,14,14] = reshape(transpose(reshape(%x)))
//   %4: [4,64,14,14] = conv2d(%3, %w) {padding=[1,1,1,1], dilations=[1,1]}
//   %2: [1,64,28,28] = reshape(transpose(reshape(%4)))
//
// Such convolutions occur in networks for segmentation. The pass applies to
// float32 convolutions with the plain layout, constant weights, no groups and
// strides of 1, if the dilations divide the padding and the extents of the
// image. It must run after crop_filters, which may remove the taps that have a
// dilation, and before pad_channels and alter_conv_layout.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_DILATION_TO_BATCH_H_
#define ASSAY_COMPILER_GRAPH_PASSES_DILATION_TO_BATCH_H_

#include <functional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// Returns true if the convolution `batch` of images of type `images` is so much
// faster than the convolution `dilated` of `data` that it makes up for two
// conversions of the data and two of the result. The weights are the same.
using BatchPays =
    std::function<bool(const Conv2dAttrs& dilated, const TensorType& data,
                       const Conv2dAttrs& batch, const TensorType& images,
                       const TensorType& weights)>;

class DilationToBatch : public Pass {
 public:
  static constexpr char kName[] = "dilation_to_batch";
  // If `pays` is null, the pass changes nothing.
  explicit DilationToBatch(BatchPays pays) : pays_(std::move(pays)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  BatchPays pays_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_DILATION_TO_BATCH_H_
