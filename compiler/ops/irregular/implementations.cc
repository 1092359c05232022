#include "compiler/ops/irregular/implementations.h"

#include "compiler/ops/cost_model.h"
#include "compiler/ops/irregular/cum_sum.h"
#include "compiler/ops/irregular/non_max_suppression.h"
#include "compiler/ops/irregular/roi_pool.h"
#include "compiler/ops/irregular/scatter.h"
#include "compiler/ops/irregular/sort.h"
#include "compiler/ops/irregular/unique.h"

namespace assay::ops {
namespace {

using graph::OpKind;
using schedule::Schedule;
using target::Target;
using te::Tensor;

// The loops are those of the operator's own nest.
void AsWritten(Schedule&, const OpInstance&, const Tensor&, const Tensor&,
               const Target&, const Config&) {}

Tensor ComputeSuppression(const OpInstance& op, const Operands& in,
                          const Target&, const Config&) {
  return NonMaxSuppression(in[0], in[1],
                           op.attrs_as<graph::NonMaxSuppressionAttrs>());
}

Tensor ComputeScatterElements(const OpInstance& op, const Operands& in,
                              const Target&, const Config&) {
  return ScatterElements(op.attrs_as<graph::ScatterElementsAttrs>(), in[0],
                         in[1], in[2]);
}

Tensor ComputeScatterNd(const OpInstance& op, const Operands& in, const Target&,
                        const Config&) {
  return ScatterNd(op.attrs_as<graph::ScatterNdAttrs>(), in[0], in[1], in[2]);
}

Tensor ComputeArgSort(const OpInstance& op, const Operands& in, const Target&,
                      const Config&) {
  const auto& attrs = op.attrs_as<graph::ArgSortAttrs>();
  return ArgSort(
      in[0], static_cast<int>(attrs.axis), attrs.k,
      attrs.descending ? SortOrder::kDescending : SortOrder::kAscending,
      op.output.dtype);
}

Tensor ComputeCumSum(const OpInstance& op, const Operands& in, const Target&,
                     const Config&) {
  return CumSum(op.attrs_as<graph::CumSumAttrs>(), in[0]);
}

constexpr Implementation kSuppression[] = {
    {"non_max_suppression.heap", true, AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<100>, ComputeSuppression, AsWritten}};

// One element at a time.
constexpr auto Seconds = RooflineAt<2>;

constexpr Implementation kScatterElements[] = {
    {"scatter_elements.loops", true, AlwaysApplies, NoSpace, NoConfig, Seconds,
     ComputeScatterElements, AsWritten}};
constexpr Implementation kScatterNd[] = {
    {"scatter_nd.loops", true, AlwaysApplies, NoSpace, NoConfig, Seconds,
     ComputeScatterNd, AsWritten}};
constexpr Implementation kArgSort[] = {{"arg_sort.merge", true, AlwaysApplies,
                                        NoSpace, NoConfig, Seconds,
                                        ComputeArgSort, AsWritten}};
constexpr Implementation kCumSum[] = {{"cum_sum.loops", true, AlwaysApplies,
                                       NoSpace, NoConfig, Seconds,
                                       ComputeCumSum, AsWritten}};
Tensor ComputeNonZero(const OpInstance&, const Operands& in, const Target&,
                      const Config&) {
  return NonZero(in[0]);
}
Tensor ComputeUnique(const OpInstance& op, const Operands& in, const Target&,
                     const Config&) {
  return Unique(in[0], op.attrs_as<graph::UniqueAttrs>());
}
Tensor ComputeRoiAlign(const OpInstance& op, const Operands& in, const Target&,
                       const Config&) {
  return RoiAlign(in[0], in[1], in[2], op.attrs_as<graph::RoiAlignAttrs>());
}
Tensor ComputeMaxRoiPool(const OpInstance& op, const Operands& in,
                         const Target&, const Config&) {
  return MaxRoiPool(in[0], in[1], op.attrs_as<graph::MaxRoiPoolAttrs>());
}

constexpr Implementation kNonZero[] = {{"non_zero.walk", true, AlwaysApplies,
                                        NoSpace, NoConfig, RooflineAt<100>,
                                        ComputeNonZero, AsWritten}};
constexpr Implementation kUnique[] = {{"unique.sort", true, AlwaysApplies,
                                       NoSpace, NoConfig, RooflineAt<100>,
                                       ComputeUnique, AsWritten}};
constexpr Implementation kRoiAlign[] = {
    {"roi_align.points", true, AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<100>, ComputeRoiAlign, AsWritten}};
constexpr Implementation kMaxRoiPool[] = {
    {"max_roi_pool.pixels", true, AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<100>, ComputeMaxRoiPool, AsWritten}};

}  // namespace

absl::Span<const Implementation> IrregularImplementations(OpKind kind) {
  switch (kind) {
    case OpKind::kNonMaxSuppression:
      return kSuppression;
    case OpKind::kScatterElements:
      return kScatterElements;
    case OpKind::kScatterNd:
      return kScatterNd;
    case OpKind::kArgSort:
      return kArgSort;
    case OpKind::kCumSum:
      return kCumSum;
    case OpKind::kNonZero:
      return kNonZero;
    case OpKind::kUnique:
      return kUnique;
    case OpKind::kRoiAlign:
      return kRoiAlign;
    case OpKind::kMaxRoiPool:
      return kMaxRoiPool;
    default:
      return {};
  }
}

}  // namespace assay::ops
