#include "compiler/ops/conv/conv2d_encodings.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/graph/encoding/winograd.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matrix_tile.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using graph::ChannelBlocks;
using graph::Conv2dAttrs;
using graph::Encoding;
using graph::EncodingChoice;
using graph::FilterBlocks;
using graph::OpKind;
using graph::SplitFilters;
using graph::TensorType;
using graph::WinogradFilters;

// Number of channels in a tile of split weights.
constexpr int64_t kSplitChannels = 2 * expr::kTileRows;

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

// The encodings of the weights: for the direct algorithm first, then for that
// with split numbers and for Winograd's with each tile, where they apply.
std::vector<Encoding> Algorithms(const target::Target& target,
                                 const Conv2dAttrs& attrs,
                                 const TensorType& weights,
                                 const BlockSizes& blocks,
                                 const InexactConv2d& inexact) {
  const Shape& w = weights.shape;
  std::vector<Encoding> encodings = {FiltersIn(blocks)};
  if (inexact.split && blocks.out == expr::kTileRows &&
      FindMatrixTile(target, weights.dtype, weights.dtype).has_value()) {
    // Few channels leave most of a tile empty.
    const bool few = w[3] > 1 && w[1] * w[3] <= kSplitChannels;
    encodings.push_back(SplitFilters{few ? w[3] : 0});
  }
  if (w[2] != 3 || w[3] != 3 || attrs.strides != graph::Pair{1, 1} ||
      attrs.dilations != graph::Pair{1, 1}) {
    return encodings;
  }
  for (const int64_t m : graph::kWinogradTiles) {
    if (m > inexact.max_winograd) continue;
    // Two vectors of output channels use each broadcast pixel twice.
    const int64_t wide = std::max(2 * FloatLanes(target), blocks.out);
    encodings.push_back(
        WinogradFilters{m, w[0] % wide == 0 ? wide : blocks.out});
  }
  return encodings;
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

std::optional<double> SecondsOf(const OpInstance& plain,
                                const EncodingChoice& choice,
                                const Conv2dTime& time) {
  const auto op = WithEncodings(plain, choice);
  return op.has_value() ? time(*op) : std::nullopt;
}

// Returns the first of `weights` if none has a time.
Encoding Fastest(const OpInstance& plain, const BlockSizes& blocks,
                 const std::vector<Encoding>& weights, const Conv2dTime& time) {
  Encoding fastest = weights.front();
  std::optional<double> least;
  for (const Encoding& encoding : weights) {
    const auto seconds = SecondsOf(plain, InBlocks(blocks, encoding), time);
    if (!seconds.has_value() || (least.has_value() && *seconds >= *least)) {
      continue;
    }
    fastest = encoding;
    least = seconds;
  }
  return fastest;
}

// Appends the choices for these weights with other block sizes.
void AppendOtherBlocks(const target::Target& target, const OpInstance& plain,
                       const BlockSizes& blocks, const Encoding& weights,
                       const Conv2dTimes& times,
                       std::vector<EncodingChoice>* choices) {
  const bool split = std::holds_alternative<SplitFilters>(weights);
  for (const int64_t in :
       BlocksOf(target, plain.inputs[0].shape[1], blocks.in)) {
    for (const int64_t out :
         BlocksOf(target, plain.inputs[1].shape[0], blocks.out)) {
      if (in == blocks.in && out == blocks.out) continue;
      if (split && out != blocks.out) continue;
      EncodingChoice other = InBlocks({in, out}, weights);
      const auto seconds = SecondsOf(plain, other, times.fastest);
      if (!seconds.has_value()) continue;
      other.seconds = *seconds * times.margin;
      choices->push_back(std::move(other));
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
                                          const InexactConv2d& inexact,
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
  std::vector<Encoding> algorithms =
      Algorithms(target, attrs, weights, *blocks, inexact);
  if (times.algorithm != nullptr) {
    algorithms = {Fastest(plain, *blocks, algorithms, times.algorithm)};
  }
  const Encoding preferred = Fastest(plain, *blocks, algorithms, times.fastest);
  std::vector<EncodingChoice> choices;
  for (const Encoding& algorithm : algorithms) {
    EncodingChoice choice = InBlocks(*blocks, algorithm);
    const auto seconds = SecondsOf(plain, choice, times.fastest);
    if (!seconds.has_value()) continue;
    choice.seconds = *seconds;
    choices.insert(algorithm == preferred ? choices.begin() : choices.end(),
                   std::move(choice));
  }
  for (const Encoding& algorithm : algorithms) {
    AppendOtherBlocks(target, plain, *blocks, algorithm, times, &choices);
  }
  if (choices.empty()) choices.push_back(InBlocks(*blocks, preferred));
  return choices;
}

}  // namespace assay::ops
