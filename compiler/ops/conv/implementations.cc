#include "compiler/ops/conv/conv2d.h"
#include "compiler/ops/conv/conv2d_nchw.h"
#include "compiler/ops/conv/depthwise.h"
#include "compiler/ops/conv/im2col.h"
#include "compiler/ops/conv/integer_conv.h"
#include "compiler/ops/conv/split_conv.h"
#include "compiler/ops/conv/transposed_conv.h"
#include "compiler/ops/conv/winograd.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/matrix_tile.h"
#include "compiler/ops/reduction/tiled_reduction.h"

namespace assay::ops {
namespace {

using graph::OpKind;
using schedule::Schedule;
using target::Target;
using te::Tensor;

constexpr Implementation kConv2d[] = {
    {"conv2d.depthwise_nchwc", DepthwiseApplies, DepthwiseSpace,
     DefaultDepthwiseConfig, RooflineAt<50>, DepthwiseConv2d,
     ScheduleDepthwise},
    {"conv2d.im2col_nchwc", Im2colApplies, Im2colSpace, DefaultIm2colConfig,
     Im2colSeconds, Im2colConv2d, ScheduleIm2col},
    {"conv2d.direct_nchwc", Conv2dApplies, Conv2dSpace, DefaultConv2dConfig,
     Conv2dSeconds, Conv2d, ScheduleConv2d, nullptr, kAllTargetKinds,
     Conv2dWeights},
    {"conv2d.bf16x3_nchwc", SplitConvApplies, SplitConvSpace,
     DefaultSplitConvConfig, SplitConvSeconds, SplitConv2d, ScheduleSplitConv,
     &kSplitNumbers, kAllTargetKinds, SplitConvWeights},
    {"conv2d.winograd_nchwc", WinogradApplies, WinogradSpace,
     DefaultWinogradConfig, WinogradSeconds, WinogradConv2d, ScheduleWinograd,
     &kWinograd, kAllTargetKinds, WinogradWeights},
    {"conv2d.integer_nchwc", IntegerConvApplies, IntegerConvSpace,
     DefaultIntegerConvConfig, Conv2dSeconds, IntegerConv2d,
     ScheduleIntegerConv},
    {"conv2d.direct_nchw", Conv2dNchwApplies, Conv2dNchwSpace,
     DefaultConv2dNchwConfig, Conv2dNchwSeconds, Conv2dNchw,
     ScheduleConv2dNchw},
};

ConfigSpace TilesSpace(const OpInstance& op, const Target& target) {
  return TileSpace(op.stored_output.shape, target);
}
Config TilesConfig(const OpInstance& op, const Target& target) {
  return DefaultTileConfig(op.stored_output.shape, target);
}
void ScheduleSpread(Schedule& s, const OpInstance&, const Tensor& anchor,
                    const Tensor& output, const Target& target,
                    const Config& config) {
  ScheduleTiledReduction(s, anchor, output, target, config);
}

constexpr Implementation kConv2dTranspose[] = {
    {"conv2d_transpose.phases_nchwc", TransposedPhasesApply,
     TransposedPhasesSpace, DefaultTransposedPhasesConfig,
     TransposedPhasesSeconds, TransposedPhases, ScheduleTransposedPhases},
    {"conv2d_transpose.spread", SpreadConv2dTransposeApplies, TilesSpace,
     TilesConfig, RooflineAt<10>, SpreadConv2dTranspose, ScheduleSpread},
};

}  // namespace

KernelRule Conv2dKernel(OpKind) { return {kConv2d}; }

KernelRule Conv2dTransposeKernel(OpKind) { return {kConv2dTranspose}; }

}  // namespace assay::ops
