#include "compiler/ops/matmul/blocked_matmul.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/matmul/blocked_products.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {

bool BlockedMatmulApplies(const OpInstance& op, const target::Target& target) {
  const auto* panels = op.encoding<graph::Panels>(1);
  if (!op.output.dtype.is_float() || !HasColumns(op) ||
      (panels != nullptr && panels->split)) {
    return false;
  }
  const int64_t lanes = FloatLanes(target);
  const MatmulSizes s = SizesOf(op);
  const bool packs =
      HasPanels(op) ? s.panel % lanes == 0 &&
                          absl::c_linear_search(kPanelVectors, s.panel / lanes)
                    : s.m >= kMinRows && s.n >= lanes && s.k >= kMinSteps;
  return packs && TilesFitIndices(s, DefaultBlockedMatmulConfig(op, target));
}

ConfigSpace BlockedMatmulSpace(const OpInstance& op,
                               const target::Target& target) {
  return BlockSpace(SizesOf(op), target, DefaultBlockedMatmulConfig(op, target),
                    /*depth=*/1);
}

Config DefaultBlockedMatmulConfig(const OpInstance& op,
                                  const target::Target& target) {
  return DefaultBlocks(SizesOf(op), target, op.output.dtype.bytes(),
                       /*depth=*/1);
}

te::Tensor BlockedMatmul(const OpInstance& op, const Operands& in,
                         const target::Target&, const Config& config) {
  const Shape& shape = op.stored_output.shape;
  const MatrixStack a = MatricesOf(in[0], shape);
  if (HasPanels(op)) {
    return BlockedProduct(shape, op.output.dtype, a, in[1], config, "matmul");
  }
  return BlockedProducts(shape, op.output.dtype, a, MatricesOf(in[1], shape),
                         config, "matmul");
}

void ScheduleBlockedMatmul(schedule::Schedule& s, const OpInstance&,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config) {
  const bool sums = s[matmul].state().is_reduction();
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    if (tensor.same_as(matmul)) return sums;
    return absl::StartsWith(tensor->tag, "matmul.");
  });
  if (!sums) return ScheduleBlockedProducts(s, output, target, config);
  if (!matmul.same_as(output)) ParallelizeRows(s, output, target);
  ScheduleBlockedProducts(s, matmul, target, config);
}

}  // namespace assay::ops
