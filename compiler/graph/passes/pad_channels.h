// pad_channels: adds channels to images until their number suits the vectors
// and dot products of the target.
//
//   %2: [1,24,…] = conv2d(%x, %w)           filters of 24 channels become 32
//   %3: [1,24,…] = relu(%2)
//   %4: [1,96,…] = conv2d(%3, %v)           reads 32 channels
//   ->
//   %5: [1,32,…] = conv2d(%x, pad(%w))
//   %6: [1,32,…] = relu(%5)
//   %4: [1,96,…] = conv2d(%6, pad(%v))
//
// Elementwise operators, depthwise convolutions and pooling keep added
// channels, and other convolutions read them. An operator that cannot read them
// gets a slice, which copies the image unless it has a single pixel. Numbers of
// filters that suit no vector are frequent in detection heads, where the number
// is that of anchor boxes times that of classes, and in networks that divide
// their channels, such as ShuffleNet. Channels that no convolution computes are
// padded before the convolution that reads them, for example the three colours
// of an image of bytes.
//
// The weights of added channels are zero, so their values do not contribute to
// any result as long as they are finite. The pass evaluates the operators on
// the added channels of float32 images and does not add channels beyond an
// operator whose result is not finite. An infinity or NaN in the data makes the
// added channels NaN, too, and thereby all channels of the next convolution.
//
// The pass applies to convolutions and transposed convolutions of float32, int8
// and uint8 that are plain, with constant weights and no groups. Depthwise
// convolutions keep added channels, but get none of their own. The pass must
// run before assign_encodings, whose blocks must divide the numbers of
// channels.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PAD_CHANNELS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PAD_CHANNELS_H_

#include "compiler/graph/passes/pass.h"
#include "compiler/graph/target_costs.h"

namespace assay::graph {

class PadChannels : public Pass {
 public:
  static constexpr char kName[] = "pad_channels";
  // `costs` must outlive the pass.
  explicit PadChannels(const TargetCosts* costs) : costs_(*costs) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const TargetCosts& costs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PAD_CHANNELS_H_
