#include "compiler/ops/op_strategy.h"

#include <algorithm>
#include <utility>

#include "compiler/ops/conv2d.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/dense.h"
#include "compiler/ops/depthwise.h"
#include "compiler/ops/matmul.h"
#include "compiler/ops/pointwise.h"
#include "compiler/ops/reduction/implementations.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/winograd.h"

namespace assay::ops {
namespace {

using graph::Conv2dAttrs;
using graph::OpKind;
using schedule::Schedule;
using target::Target;
using te::Tensor;
using Operands = std::vector<Tensor>;

bool Always(const OpInstance&, const Target&) { return true; }

// Of a template that leaves nothing to choose.
ConfigSpace NoSpace(const OpInstance&, const Target&) { return {}; }
Config NoConfig(const OpInstance&, const Target&) { return {}; }

// What the model expects of a schedule: percent of the peak.
template <int kPercent>
double Efficiency(const OpInstance& op, const Target& target, const Config&) {
  return RooflineSeconds(op, target, kPercent / 100.0);
}

absl::Status GenericReduction(Schedule& s, const Tensor&, const Tensor& output,
                              const Target& target, const Config&) {
  ScheduleReduction(s, output, target);
  return absl::OkStatus();
}

bool IsBlocked(const OpInstance& op, const Target&) {
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  return attrs.out_block > 0 && attrs.winograd == 0 && attrs.groups == 1;
}
bool IsWinograd(const OpInstance& op, const Target&) {
  return op.attrs_as<Conv2dAttrs>().winograd > 0;
}
bool IsPlain(const OpInstance& op, const Target&) {
  return op.attrs_as<Conv2dAttrs>().out_block == 0;
}
Tensor ComputeConv2d(const OpInstance& op, const Operands& in, const Target&,
                     const Config&) {
  return Conv2d(in[0], in[1], op.attrs_as<Conv2dAttrs>(), op.output.shape);
}
absl::Status ScheduleBlocked(Schedule& s, const Tensor& anchor,
                             const Tensor& output, const Target& target,
                             const Config& config) {
  ScheduleConv2d(s, anchor, output, target, config);
  return absl::OkStatus();
}

Tensor ComputeWinograd(const OpInstance& op, const Operands& in, const Target&,
                       const Config&) {
  return WinogradConv2d(in[0], in[1], op.attrs_as<Conv2dAttrs>(),
                        op.output.shape);
}
absl::Status ScheduleWinogradTiles(Schedule& s, const Tensor& anchor,
                                   const Tensor& output, const Target& target,
                                   const Config& config) {
  ScheduleWinograd(s, anchor, output, target, config);
  return absl::OkStatus();
}

Tensor ComputePointwise(const OpInstance& op, const Operands& in, const Target&,
                        const Config&) {
  return PointwiseConv2d(in[0], in[1], op.attrs_as<Conv2dAttrs>(),
                         op.output.shape);
}
absl::Status SchedulePointwiseTiles(Schedule& s, const Tensor& anchor,
                                    const Tensor& output, const Target& target,
                                    const Config& config) {
  SchedulePointwise(s, anchor, output, target, config);
  return absl::OkStatus();
}

Tensor ComputeDepthwise(const OpInstance& op, const Operands& in, const Target&,
                        const Config&) {
  return DepthwiseConv2d(in[0], in[1], op.attrs_as<Conv2dAttrs>(),
                         op.output.shape);
}
absl::Status ScheduleDepthwiseTiles(Schedule& s, const Tensor& anchor,
                                    const Tensor& output, const Target& target,
                                    const Config& config) {
  ScheduleDepthwise(s, anchor, output, target, config);
  return absl::OkStatus();
}

constexpr Implementation kConv2d[] = {
    {"conv2d.depthwise_nchwc", true, DepthwiseApplies, DepthwiseSpace,
     DefaultDepthwiseConfig, Efficiency<50>, ComputeDepthwise,
     ScheduleDepthwiseTiles},
    {"conv2d.pointwise_nchwc", true, PointwiseApplies, PointwiseSpace,
     DefaultPointwiseConfig, PointwiseSeconds, ComputePointwise,
     SchedulePointwiseTiles},
    {"conv2d.winograd_nchwc", false, IsWinograd, WinogradSpace,
     DefaultWinogradConfig, WinogradSeconds, ComputeWinograd,
     ScheduleWinogradTiles},
    {"conv2d.direct_nchwc", true, IsBlocked, Conv2dSpace, DefaultConv2dConfig,
     Conv2dSeconds, ComputeConv2d, ScheduleBlocked},
    {"conv2d.plain", true, IsPlain, NoSpace, NoConfig, Efficiency<10>,
     ComputeConv2d, GenericReduction},
};

Tensor ComputeDense(const OpInstance& op, const Operands& in, const Target&,
                    const Config&) {
  return Dense(in[0], in[1], op.output.shape);
}
absl::Status DenseRows(Schedule& s, const Tensor& anchor, const Tensor& output,
                       const Target& target, const Config&) {
  ScheduleDense(s, anchor, output, target);
  return absl::OkStatus();
}

constexpr Implementation kDense[] = {
    {"dense.partial_sums", true, Always, NoSpace, NoConfig, Efficiency<20>,
     ComputeDense, DenseRows},
};

Tensor ComputeMatmul(const OpInstance& op, const Operands& in, const Target&,
                     const Config&) {
  return Matmul(in[0], in[1], op.output.shape);
}
absl::Status MatmulRows(Schedule& s, const Tensor& anchor, const Tensor& output,
                        const Target& target, const Config&) {
  ScheduleMatmul(s, anchor, output, target);
  return absl::OkStatus();
}

Tensor ComputeBlockedMatmul(const OpInstance& op, const Operands& in,
                            const Target&, const Config& config) {
  return BlockedMatmul(in[0], in[1], op.output.shape, config);
}
absl::Status MatmulBlocks(Schedule& s, const Tensor& anchor,
                          const Tensor& output, const Target& target,
                          const Config& config) {
  ScheduleBlockedMatmul(s, anchor, output, target, config);
  return absl::OkStatus();
}

constexpr Implementation kMatmul[] = {
    {"matmul.blocked", true, BlockedMatmulApplies, BlockedMatmulSpace,
     DefaultBlockedMatmulConfig, Efficiency<85>, ComputeBlockedMatmul,
     MatmulBlocks},
    {"matmul.rows", true, Always, NoSpace, NoConfig, Efficiency<20>,
     ComputeMatmul, MatmulRows},
};

}  // namespace

absl::Span<const Implementation> Implementations(OpKind kind) {
  switch (kind) {
    case OpKind::kConv2d:
      return kConv2d;
    case OpKind::kDense:
      return kDense;
    case OpKind::kMatmul:
      return kMatmul;
    default:
      return ReductionImplementations(kind);
  }
}

std::vector<Candidate> Strategy(const OpInstance& op, const Target& target,
                                bool exact) {
  std::vector<Candidate> result;
  for (const Implementation& row : Implementations(op.kind)) {
    if (exact && !row.exact) continue;
    if (!row.applies(op, target)) continue;
    Candidate candidate;
    candidate.implementation = &row;
    candidate.space = row.space(op, target);
    candidate.config = row.default_config(op, target);
    candidate.seconds = row.seconds(op, target, candidate.config);
    result.push_back(std::move(candidate));
  }
  std::sort(result.begin(), result.end(),
            [](const Candidate& a, const Candidate& b) {
              if (a.seconds != b.seconds) return a.seconds < b.seconds;
              return a.implementation < b.implementation;
            });
  return result;
}

}  // namespace assay::ops
