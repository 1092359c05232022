// pad_integer_channels: adds channels to images of integers until their number
// suits the vectors and dot products of the target.
//
//   %2: [1,24,…] = conv2d(%x, %w)           filters of 24 channels become 32
//   %3: [1,24,…] = relu(%2)
//   %4: [1,96,…] = conv2d(%3, %v)           reads 32 channels
//   ->
//   %5: [1,32,…] = conv2d(%x, pad(%w))
//   %6: [1,32,…] = relu(%5)
//   %4: [1,96,…] = conv2d(%6, pad(%v))
//
// The weights of added channels are zero, so what the added channels hold is
// irrelevant. Elementwise operators, depthwise convolutions and pooling keep
// them. An operator that cannot read them gets a slice, and filters are only
// added if no such operator follows. Channels of a convolution's data that no
// convolution computes, such as the three colours of an image, are padded
// before the convolution.
//
// The pass applies to convolutions of int8 and uint8 with the plain layout and
// constant weights. It must run before alter_conv_layout, whose blocks must
// divide the numbers of channels. In contrast, pad_filters is for floats and
// drops added filters at once.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PAD_INTEGER_CHANNELS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PAD_INTEGER_CHANNELS_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

struct IntegerChannels {
  // Return the number of channels to which the data of a convolution, or its
  // filters, are padded: at least the argument. Both or none are null.
  std::function<int64_t(int64_t channels)> data;
  std::function<int64_t(int64_t filters)> filters;
};

class PadIntegerChannels : public Pass {
 public:
  static constexpr char kName[] = "pad_integer_channels";
  // If the functions are null, the pass changes nothing.
  explicit PadIntegerChannels(IntegerChannels choose)
      : choose_(std::move(choose)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const IntegerChannels choose_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PAD_INTEGER_CHANNELS_H_
