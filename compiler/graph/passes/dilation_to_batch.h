// dilation_to_batch: turns a dilated convolution into one without dilation on
// several smaller images, for which a faster algorithm may apply.
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
// float32 convolutions with constant weights, no groups and
// strides of 1, if the dilations divide the padding and the extents of the
// image. It must run after crop_filters, which may remove the taps that have a
// dilation, and before pad_channels and assign_encodings.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_DILATION_TO_BATCH_H_
#define ASSAY_COMPILER_GRAPH_PASSES_DILATION_TO_BATCH_H_

#include "compiler/graph/passes/pass.h"
#include "compiler/graph/target_costs.h"

namespace assay::graph {

class DilationToBatch : public Pass {
 public:
  static constexpr char kName[] = "dilation_to_batch";
  // `costs` must outlive the pass.
  explicit DilationToBatch(const TargetCosts* costs) : costs_(*costs) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const TargetCosts& costs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_DILATION_TO_BATCH_H_
