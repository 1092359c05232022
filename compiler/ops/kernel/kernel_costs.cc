#include "compiler/ops/kernel/kernel_costs.h"

#include <utility>

#include "compiler/graph/infer/infer_types.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/conv/transposed_conv.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using graph::Attrs;
using graph::Conv2dAttrs;
using graph::Conv2dTransposeAttrs;
using graph::EncodingChoice;
using graph::OpKind;
using graph::TensorType;

// Seconds to call a kernel that does nothing.
constexpr double kCallSeconds = 2e-6;
// The margin that modelled times of other blocks need (conv2d_encodings.h).
constexpr double kModelMargin = 1.1;

// Measured times are compared for all algorithms and block sizes.
Conv2dTimes TimesFor(const target::Target& target, const EncodingTimes& times) {
  CHECK_EQ(times.conv2d == nullptr, times.conversion == nullptr);
  if (times.conv2d != nullptr) return {times.conv2d};
  return {ModelledTimes(target).conv2d, /*algorithm_first=*/true, kModelMargin};
}

// Without dot products, no encoding is better than another for integers.
int64_t DepthOf(const target::Target& target) {
  return ChooseDotTile(target, DType::UInt(8), DType::Int(8)).depth;
}

// Combining pays if the convolutions are faster together and each of their
// results consists of whole blocks of one image, so that no copies are needed.
bool BlocksFit(const EncodingChoice& together, const TensorType& data,
               absl::Span<const TensorType> weights) {
  const auto* blocks = std::get_if<graph::ChannelBlocks>(&together.result);
  if (blocks == nullptr || data.shape[0] != 1) return false;
  for (const TensorType& part : weights) {
    if (part.shape[0] % blocks->block != 0) return false;
  }
  return true;
}

}  // namespace

EncodingTimes ModelledTimes(const target::Target& target) {
  EncodingTimes times;
  times.conv2d = [&target](const OpInstance& op) -> std::optional<double> {
    const std::vector<Candidate> candidates = Strategy(op, target);
    if (candidates.empty()) return std::nullopt;
    return candidates.front().seconds;
  };
  times.conversion = [&target](const TensorType& image) {
    // The image is read and written.
    const int64_t bytes = 2 * image.num_bytes();
    return kCallSeconds + static_cast<double>(bytes) / Bandwidth(target, bytes);
  };
  return times;
}

KernelCosts::KernelCosts(const target::Target& target,
                         const KernelCostOptions& options)
    : target_(target),
      options_(options),
      times_(TimesFor(target, options.times)),
      conversion_(options.times.conversion != nullptr
                      ? options.times.conversion
                      : ModelledTimes(target).conversion) {}

std::vector<EncodingChoice> KernelCosts::OfConv2d(
    const Conv2dAttrs& attrs, const TensorType& data,
    const TensorType& weights) const {
  std::vector<EncodingChoice> choices =
      Conv2dChoices(target_, attrs, data, weights, options_.max_error, times_);
  if (choices.empty()) {
    choices.push_back({{graph::Plain(), graph::Plain()}, graph::Plain()});
  }
  return choices;
}

std::vector<EncodingChoice> KernelCosts::OfImplementations(
    OpKind kind, const Attrs& attrs,
    absl::Span<const TensorType> operands) const {
  const auto results = graph::InferTypes(kind, attrs, operands);
  CHECK(results.ok()) << results.status();
  const OpInstance op(kind, attrs, {operands.begin(), operands.end()},
                      results->front());
  for (const Implementation& row : Implementations(kind)) {
    if (row.weights == nullptr || (row.targets & Only(target_.kind())) == 0) {
      continue;
    }
    for (const graph::Encoding& weights : row.weights(op, target_)) {
      EncodingChoice choice{{graph::Plain(), weights}, graph::Plain()};
      const auto encoded = WithEncodings(op, choice);
      if (encoded.has_value() &&
          row.ErrorBound(*encoded) <= options_.max_error) {
        return {std::move(choice)};
      }
    }
  }
  return {};
}

std::vector<EncodingChoice> KernelCosts::Choices(
    OpKind kind, const Attrs& attrs,
    absl::Span<const TensorType> operands) const {
  if (!options_.choose_encodings) return {};
  const TensorType &data = operands[0], &weights = operands[1];
  if (kind == OpKind::kConv2d) {
    return OfConv2d(std::get<Conv2dAttrs>(attrs), data, weights);
  }
  if (kind != OpKind::kConv2dTranspose) {
    return OfImplementations(kind, attrs, operands);
  }
  const auto& transposed = std::get<Conv2dTransposeAttrs>(attrs);
  const auto blocks =
      ChooseTransposedBlocks(target_, transposed, data, weights);
  if (!blocks.has_value()) return {};
  graph::FilterBlocks filters;
  filters.in = blocks->in;
  filters.out = blocks->out;
  filters.transposed_groups = transposed.groups;
  return {{{graph::ChannelBlocks{blocks->in}, filters},
           graph::ChannelBlocks{blocks->out}}};
}

double KernelCosts::ConversionSeconds(const TensorType& image) const {
  return conversion_(image);
}

// A convolution of several images pays only with another algorithm. The data
// and the result are rearranged twice each: between the image and the batch,
// and between encodings.
bool KernelCosts::RunsAsBatch(const Conv2dAttrs& dilated,
                              const TensorType& data, const Conv2dAttrs& batch,
                              const TensorType& images,
                              const TensorType& weights) const {
  if (!options_.choose_encodings) return false;
  const EncodingChoice before = OfConv2d(dilated, data, weights)[0];
  const EncodingChoice after = OfConv2d(batch, images, weights)[0];
  if (after.operands[1] == before.operands[1]) return false;
  TensorType result = data;
  result.shape[1] = weights.shape[0];
  const double moves = 2 * (conversion_(data) + conversion_(result));
  return after.seconds + moves < before.seconds;
}

bool KernelCosts::Combines(OpKind kind, const Attrs& attrs,
                           const TensorType& data,
                           absl::Span<const TensorType> weights) const {
  // A single row is read once, and its parts need no copies.
  if (kind == OpKind::kDense) return data.shape[0] == 1;
  if (kind != OpKind::kConv2d || !options_.choose_encodings) return false;
  const auto& conv = std::get<Conv2dAttrs>(attrs);
  TensorType all = weights[0];
  all.shape[0] = 0;
  double apart = 0;
  for (const TensorType& part : weights) {
    all.shape[0] += part.shape[0];
    apart += OfConv2d(conv, data, part)[0].seconds;
  }
  const EncodingChoice together = OfConv2d(conv, data, all)[0];
  return BlocksFit(together, data, weights) && together.seconds < apart;
}

int64_t KernelCosts::PaddedChannels(DType dtype, int64_t channels) const {
  if (!options_.choose_encodings) return channels;
  if (dtype.is_float()) return ops::PaddedChannels(target_, channels);
  const int64_t depth = DepthOf(target_);
  return CeilDiv(channels, depth) * depth;
}

int64_t KernelCosts::PaddedFilters(DType dtype, int64_t filters,
                                   bool sliced) const {
  if (!options_.choose_encodings) return filters;
  if (dtype.is_float()) return ops::PaddedFilters(target_, filters, sliced);
  return DepthOf(target_) > 1 ? PaddedIntegerFilters(target_, filters, sliced)
                              : filters;
}

bool KernelCosts::MultipliesUnsignedOnly() const {
  return ops::MultipliesUnsignedOnly(target_);
}

}  // namespace assay::ops
