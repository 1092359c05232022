#include "compiler/ops/conv/conv2d_encodings.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/functional/function_ref.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using graph::ChannelBlocks;
using graph::Conv2dAttrs;
using graph::Encoding;
using graph::EncodingChoice;
using graph::FilterBlocks;
using graph::OpKind;
using graph::TensorType;

FilterBlocks FiltersIn(const BlockSizes& blocks) {
  FilterBlocks filters;
  filters.in = blocks.in;
  filters.out = blocks.out;
  return filters;
}

// A choice with these blocks of data and result. Weights in blocks follow them.
EncodingChoice InBlocks(const BlockSizes& blocks, Encoding weights) {
  if (auto* filters = std::get_if<FilterBlocks>(&weights)) {
    filters->in = blocks.in;
    filters->out = blocks.out;
  }
  return {{ChannelBlocks{blocks.in}, std::move(weights)},
          ChannelBlocks{blocks.out}};
}

// An implementation with the encoding of the weights that it wants.
struct Algorithm {
  const Implementation* row;
  Encoding weights;
};

// Returns the algorithms for these blocks, the direct one first.
std::vector<Algorithm> Algorithms(const target::Target& target,
                                  const OpInstance& plain,
                                  const BlockSizes& blocks, double max_error) {
  std::vector<Algorithm> algorithms;
  const auto blocked = WithEncodings(plain, InBlocks(blocks, graph::Plain()));
  if (!blocked.has_value()) return algorithms;
  for (const Implementation& row : Conv2dKernel(plain.kind).implementations) {
    if (row.weights == nullptr || (row.targets & Only(target.kind())) == 0) {
      continue;
    }
    for (const Encoding& weights : row.weights(*blocked, target)) {
      const auto op = WithEncodings(plain, InBlocks(blocks, weights));
      if (op.has_value() && row.ErrorBound(*op) <= max_error) {
        algorithms.push_back({&row, weights});
      }
    }
  }
  return algorithms;
}

// Block sizes that suit the target's vectors.
std::set<int64_t> BlocksOf(const target::Target& target, int64_t channels,
                           int64_t preferred) {
  std::set<int64_t> blocks = {preferred};
  const int64_t lanes = FloatLanes(target);
  for (const int64_t block : {lanes, 2 * lanes, int64_t{8}, int64_t{16}}) {
    if (block >= 4 && channels % block == 0) blocks.insert(block);
  }
  return blocks;
}

// Returns the time of an algorithm with these blocks according to `time`;
// nullopt if the algorithm does not apply.
std::optional<double> SecondsOf(const target::Target& target,
                                const OpInstance& plain,
                                const BlockSizes& blocks,
                                const Algorithm& algorithm,
                                const Conv2dTime& time) {
  const auto op = WithEncodings(plain, InBlocks(blocks, algorithm.weights));
  if (!op.has_value() || !algorithm.row->applies(*op, target)) {
    return std::nullopt;
  }
  return time(*op);
}

// Returns the first of `algorithms` if none has a time.
Algorithm Fastest(
    const std::vector<Algorithm>& algorithms,
    absl::FunctionRef<std::optional<double>(const Algorithm&)> time) {
  const Algorithm* fastest = &algorithms.front();
  std::optional<double> least;
  for (const Algorithm& algorithm : algorithms) {
    const std::optional<double> seconds = time(algorithm);
    if (!seconds.has_value() || (least.has_value() && *seconds >= *least)) {
      continue;
    }
    fastest = &algorithm;
    least = seconds;
  }
  return *fastest;
}

// Appends the choices for this algorithm with other block sizes.
void AppendOtherBlocks(const target::Target& target, const OpInstance& plain,
                       const BlockSizes& blocks, const Algorithm& algorithm,
                       const Conv2dTimes& times,
                       std::vector<EncodingChoice>* choices) {
  for (const int64_t in :
       BlocksOf(target, plain.inputs[0].shape[1], blocks.in)) {
    for (const int64_t out :
         BlocksOf(target, plain.inputs[1].shape[0], blocks.out)) {
      if (in == blocks.in && out == blocks.out) continue;
      const auto seconds =
          SecondsOf(target, plain, {in, out}, algorithm, times.fastest);
      if (!seconds.has_value()) continue;
      choices->push_back(InBlocks({in, out}, algorithm.weights));
      choices->back().seconds = *seconds * times.margin;
    }
  }
}

// Returns the only choice for a convolution of integers; none if they stay
// plain.
std::vector<EncodingChoice> IntegerChoices(const target::Target& target,
                                           const Conv2dAttrs& attrs,
                                           const TensorType& data,
                                           const TensorType& weights,
                                           const BlockSizes& blocks) {
  FilterBlocks filters = FiltersIn(blocks);
  const bool depthwise =
      attrs.groups == data.shape[1] && attrs.groups == weights.shape[0];
  if (depthwise && attrs.groups > 1) return {InBlocks(blocks, filters)};
  const DotTile tile = ChooseDotTile(target, data.dtype, weights.dtype);
  const bool whole_blocks = data.shape[1] / attrs.groups % blocks.in == 0 &&
                            weights.shape[0] / attrs.groups % blocks.out == 0;
  if (!whole_blocks || tile.depth == 1 || blocks.in % tile.depth != 0) {
    return {};
  }
  filters.depth = tile.depth;
  if (tile.b != weights.dtype) filters.dtype = tile.b;
  return {InBlocks(blocks, filters)};
}

}  // namespace

std::optional<OpInstance> WithEncodings(const OpInstance& op,
                                        const EncodingChoice& choice) {
  std::vector<TensorType> inputs = op.inputs;
  TensorType output = op.output;
  output.encoding = choice.result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].encoding = choice.operands[i];
    const auto stored =
        StoredType(inputs[i].encoding, {inputs[i].dtype, inputs[i].shape});
    if (!stored.ok()) return std::nullopt;
  }
  if (!StoredType(output.encoding, {output.dtype, output.shape}).ok()) {
    return std::nullopt;
  }
  return OpInstance(op.kind, op.attrs, std::move(inputs), std::move(output));
}

std::vector<EncodingChoice> Conv2dChoices(const target::Target& target,
                                          const Conv2dAttrs& attrs,
                                          const TensorType& data,
                                          const TensorType& weights,
                                          double max_error,
                                          const Conv2dTimes& times) {
  const auto blocks = ChooseChannelBlocks(target, data.shape[1],
                                          weights.shape[0], attrs.groups);
  if (!blocks.has_value()) return {};
  if (!data.dtype.is_float()) {
    return IntegerChoices(target, attrs, data, weights, *blocks);
  }
  if (data.dtype != DType::Float32()) return {};
  if (attrs.groups != 1) return {InBlocks(*blocks, FiltersIn(*blocks))};
  const auto types = graph::InferTypes(OpKind::kConv2d, attrs, {data, weights});
  if (!types.ok()) return {};
  const OpInstance plain(OpKind::kConv2d, attrs, {data, weights},
                         types->front());
  // All with the preferred block sizes.
  std::vector<Algorithm> algorithms =
      Algorithms(target, plain, *blocks, max_error);
  if (algorithms.empty()) return {};
  if (times.algorithm_first) {
    algorithms = {Fastest(algorithms, [&](const Algorithm& algorithm) {
      const Implementation& row = *algorithm.row;
      return SecondsOf(
          target, plain, *blocks, algorithm, [&](const OpInstance& op) {
            return row.seconds(op, target, row.default_config(op, target));
          });
    })};
  }
  const auto seconds_of = [&](const Algorithm& algorithm) {
    return SecondsOf(target, plain, *blocks, algorithm, times.fastest);
  };
  const Encoding preferred = Fastest(algorithms, seconds_of).weights;
  std::vector<EncodingChoice> choices;
  for (const Algorithm& algorithm : algorithms) {
    const std::optional<double> seconds = seconds_of(algorithm);
    if (!seconds.has_value()) continue;
    EncodingChoice choice = InBlocks(*blocks, algorithm.weights);
    choice.seconds = *seconds;
    choices.insert(
        algorithm.weights == preferred ? choices.begin() : choices.end(),
        std::move(choice));
  }
  for (const Algorithm& algorithm : algorithms) {
    AppendOtherBlocks(target, plain, *blocks, algorithm, times, &choices);
  }
  if (choices.empty()) choices.push_back(InBlocks(*blocks, preferred));
  return choices;
}

}  // namespace assay::ops
