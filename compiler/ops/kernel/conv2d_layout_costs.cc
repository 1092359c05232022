#include "compiler/ops/kernel/conv2d_layout_costs.h"

#include <optional>
#include <set>

#include "compiler/graph/infer/infer_types.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/op_instance.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using graph::Conv2dAttrs;
using graph::OpKind;
using graph::TensorType;

// A call of a kernel that does nothing.
constexpr double kCallSeconds = 2e-6;

// The convolution, of float32 and without groups, as the layout makes it.
OpInstance Instance(const Conv2dAttrs& plain, const TensorType& data,
                    const TensorType& weights, const Conv2dLayout& layout) {
  OpInstance op;
  op.kind = OpKind::kConv2d;
  op.inputs = {data, weights};
  Conv2dAttrs attrs = plain;
  if (layout.in_block > 0) {
    attrs.in_block = layout.in_block;
    attrs.out_block = layout.out_block;
    attrs.winograd = layout.winograd;
    const Shape &d = data.shape, &w = weights.shape;
    op.inputs[0].shape = {d[0], d[1] / layout.in_block, d[2], d[3],
                          layout.in_block};
    if (layout.winograd > 0) {
      const int64_t alpha = layout.winograd + 2;
      op.inputs[1].shape = {alpha, alpha, w[0] / layout.weight_block, w[1],
                            layout.weight_block};
    } else {
      op.inputs[1].shape = {
          w[0] / layout.out_block, w[1] / layout.in_block, w[2], w[3],
          layout.in_block,         layout.out_block};
    }
  }
  op.attrs = attrs;
  return op;
}

// Nothing where type inference or every implementation refuses.
std::optional<double> SecondsOf(OpInstance op, const target::Target& target) {
  const auto types = graph::InferTypes(op.kind, op.attrs, op.inputs);
  if (!types.ok()) return std::nullopt;
  op.output = types->front();
  const std::vector<Candidate> candidates = Strategy(op, target);
  if (candidates.empty()) return std::nullopt;
  return candidates.front().seconds;
}

// Blocks that vectors make sense in.
std::set<int64_t> BlocksOf(const target::Target& target, int64_t channels,
                           int64_t preferred) {
  std::set<int64_t> blocks = {preferred};
  const int64_t lanes = FloatLanes(target);
  for (const int64_t block : {lanes, 2 * lanes, int64_t{8}, int64_t{16}}) {
    if (block >= 4 && channels % block == 0) blocks.insert(block);
  }
  return blocks;
}

}  // namespace

std::vector<Conv2dLayoutCost> Conv2dLayoutCosts(const target::Target& target,
                                                const Conv2dAttrs& attrs,
                                                const TensorType& data,
                                                const TensorType& weights,
                                                int64_t max_winograd) {
  constexpr double kOtherBlocks = 1.1;
  const auto preferred =
      ChooseConv2dLayout(target, attrs, data, weights, max_winograd);
  if (!preferred.has_value()) return {{}};
  std::vector<Conv2dLayoutCost> costs = {{*preferred, 0}};
  if (attrs.groups != 1 || data.dtype != DType::Float32()) return costs;
  const auto add = [&](const Conv2dLayout& layout, double factor) {
    const auto seconds =
        SecondsOf(Instance(attrs, data, weights, layout), target);
    if (seconds.has_value()) costs.push_back({layout, *seconds * factor});
  };
  add(*preferred, 1);
  // Without a model for what is preferred there is nothing to compare with.
  if (costs.size() == 1) return costs;
  costs.erase(costs.begin());
  for (const int64_t in :
       BlocksOf(target, data.shape[1], preferred->in_block)) {
    for (const int64_t out :
         BlocksOf(target, weights.shape[0], preferred->out_block)) {
      Conv2dLayout layout = *preferred;
      layout.in_block = in;
      layout.out_block = out;
      if (in == preferred->in_block && out == preferred->out_block) continue;
      add(layout, kOtherBlocks);
    }
  }
  return costs;
}

double LayoutTransformSeconds(const target::Target& target,
                              const TensorType& image) {
  // Read and written.
  const int64_t bytes = 2 * image.num_bytes();
  return kCallSeconds + static_cast<double>(bytes) / Bandwidth(target, bytes);
}

}  // namespace assay::ops
