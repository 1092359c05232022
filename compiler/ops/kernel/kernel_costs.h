// KernelCosts: what graph passes ask about a target (graph/target_costs.h),
// answered from the implementations of the operators: the encodings and the
// algorithm of each convolution, whether a dilated convolution becomes one of
// several images, to how many channels an image is padded, how the constant
// factor of a product is stored, and whether operators that read the same data
// are combined.
//
// Encodings are compared by their times. By default the cost model estimates
// the times; measured times can be given instead:
//
//   KernelCostOptions options;
//   options.times.conv2d = [&](const OpInstance& op) { return log.Find(op); };
//   options.times.conversion = [&](const TensorType& image) { … };
//   const KernelCosts costs(target, options);
#ifndef ASSAY_COMPILER_OPS_KERNEL_KERNEL_COSTS_H_
#define ASSAY_COMPILER_OPS_KERNEL_KERNEL_COSTS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/graph/target_costs.h"
#include "compiler/ops/conv/conv2d_encodings.h"
#include "compiler/ops/implementation.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Measured times on the target, in seconds. Either both functions or none must
// be set, because measured times cannot be compared with times of the cost
// model, which describes a nominal machine (cost_model.h).
struct EncodingTimes {
  // Returns the time of the fastest implementation of a convolution whose
  // operands have given encodings (conv2d_encodings.h). Encodings without a
  // time are not chosen if others of the convolution have one.
  Conv2dTime conv2d;
  // Returns the time to store an image of this plain type in another way.
  std::function<double(const graph::TensorType& image)> conversion;
};

// Returns the times of the cost model. `target` must outlive the result.
EncodingTimes ModelledTimes(const target::Target& target);

struct KernelCostOptions {
  // If false, all tensors stay plain, no channels are added, dilated
  // convolutions are kept, and convolutions of the same data are not combined.
  bool choose_encodings = true;
  // The largest error bound (Implementation::inexact) of the algorithms that
  // are chosen; 0 if they must be exact.
  double max_error = kDefaultMaxError;
  // Measured times. If the functions are null, the cost model is used.
  EncodingTimes times;
};

class KernelCosts : public graph::TargetCosts {
 public:
  // `target` must outlive the object.
  KernelCosts(const target::Target& target, const KernelCostOptions& options);

  std::vector<graph::EncodingChoice> Choices(
      graph::OpKind kind, const graph::Attrs& attrs,
      absl::Span<const graph::TensorType> operands) const override;
  double ConversionSeconds(const graph::TensorType& image) const override;
  bool RunsAsBatch(const graph::Conv2dAttrs& dilated,
                   const graph::TensorType& data,
                   const graph::Conv2dAttrs& batch,
                   const graph::TensorType& images,
                   const graph::TensorType& weights) const override;
  bool Combines(graph::OpKind kind, const graph::Attrs& attrs,
                const graph::TensorType& data,
                absl::Span<const graph::TensorType> weights) const override;
  int64_t PaddedChannels(DType dtype, int64_t channels) const override;
  int64_t PaddedFilters(DType dtype, int64_t filters,
                        bool sliced) const override;
  bool MultipliesUnsignedOnly() const override;

 private:
  // The choices for a conv2d; a single plain one if there is none.
  std::vector<graph::EncodingChoice> OfConv2d(
      const graph::Conv2dAttrs& attrs, const graph::TensorType& data,
      const graph::TensorType& weights) const;
  // The choice for another operator: that of the first implementation that
  // wants its weights in an encoding.
  std::vector<graph::EncodingChoice> OfImplementations(
      graph::OpKind kind, const graph::Attrs& attrs,
      absl::Span<const graph::TensorType> operands) const;

  const target::Target& target_;
  const KernelCostOptions options_;
  const Conv2dTimes times_;
  const std::function<double(const graph::TensorType& image)> conversion_;
};

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_KERNEL_COSTS_H_
