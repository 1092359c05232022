// LayoutPolicy: controls the decisions for which graph passes must know the
// implementations of the operators. These decisions are
//   - the layout and the algorithm of each convolution;
//   - whether a dilated convolution becomes one of several images;
//   - to how many channels an image is padded;
//   - whether a constant matrix is packed into panels;
//   - whether operators that read the same data are combined.
//
// Layouts are compared by their times. By default the cost model estimates the
// times; measured times can be given instead:
//
//   LayoutPolicy policy;
//   policy.times.conv2d = [&](const OpInstance& op) { return log.Find(op); };
//   policy.times.transform = [&](const TensorType& image) { … };
//   graph::PipelineOptions options = PassOptions(target, policy);
#ifndef ASSAY_COMPILER_OPS_KERNEL_LAYOUT_POLICY_H_
#define ASSAY_COMPILER_OPS_KERNEL_LAYOUT_POLICY_H_

#include <cstdint>
#include <functional>

#include "compiler/graph/passes/pipeline.h"
#include "compiler/ops/conv/conv2d_layout.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Measured times on the target, in seconds. Either both functions or none must
// be set, because measured times cannot be compared with times of the cost
// model, which describes a nominal machine (cost_model.h).
struct LayoutTimes {
  // Returns the time of the fastest implementation of a convolution whose
  // operands have a given layout (conv2d_layout.h). A layout without a time is
  // not chosen if another layout of the convolution has one.
  Conv2dTime conv2d;
  // Returns the time to convert an image from one layout to another. The
  // argument is the type of the image in the plain layout.
  std::function<double(const graph::TensorType& image)> transform;
};

// Returns the times of the cost model. `target` must outlive the result.
LayoutTimes ModelledLayoutTimes(const target::Target& target);

struct LayoutPolicy {
  // The default of `max_winograd`. With output tiles of this size (4 x 4), the
  // error of Winograd's algorithm, relative to the largest output, is below
  // 1e-4.
  static constexpr int64_t kMaxWinograd = 4;

  // If false, convolutions keep the layout NCHW, no channels are added, dilated
  // convolutions are kept, convolutions of the same data are not combined, and
  // matrices are not packed.
  bool choose_layout = true;
  // The largest output tile of Winograd's algorithm. The value must be 2, 4 or
  // 6; the value 0 disables the algorithm.
  int64_t max_winograd = kMaxWinograd;
  // If true, float32 numbers may be split in bfloat16 parts on targets with a
  // matrix unit (matrix_tile.h).
  bool split_floats = true;
  // Measured times. If the functions are null, the cost model is used.
  LayoutTimes times;
};

// Returns the options of the graph passes that implement `policy`. `target`
// must outlive the result.
graph::PipelineOptions PassOptions(const target::Target& target,
                                   const LayoutPolicy& policy);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_LAYOUT_POLICY_H_
