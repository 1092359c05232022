// LayoutPolicy: the decisions that graph passes leave to the operators: layouts
// and algorithms of convolutions, numbers of filters, panels of constant
// matrices, and whether operators with the same data are combined.
//
// The times that layouts are compared by come from the cost model unless
// measured ones are given:
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

// Seconds on the target. Modelled seconds are those of a nominal machine
// (cost_model.h) and cannot be mixed with measured ones: set both functions or
// none.
struct LayoutTimes {
  // Time of a convolution in one layout, by its fastest implementation.
  Conv2dTime conv2d;
  // Time to convert an image, given its plain type, between any two layouts.
  std::function<double(const graph::TensorType& image)> transform;
};

struct LayoutPolicy {
  // The default of the largest Winograd tile: its error relative to the largest
  // output stays below 1e-4.
  static constexpr int64_t kMaxWinograd = 4;

  // If false, convolutions stay NCHW and matrices are not packed.
  bool choose_layout = true;
  // The largest Winograd tile: 0 (never), 2, 4 or 6.
  int64_t max_winograd = kMaxWinograd;
  // Measured times; null functions stand for the times of the cost model.
  LayoutTimes times;
};

// The options of graph passes that depend on the operators. `target` must
// outlive the result.
graph::PipelineOptions PassOptions(const target::Target& target,
                                   const LayoutPolicy& policy);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_LAYOUT_POLICY_H_
