#include "compiler/ops/irregular/implementations.h"

#include "compiler/ops/cost_model.h"
#include "compiler/ops/irregular/non_max_suppression.h"

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

constexpr Implementation kSuppression[] = {
    {"non_max_suppression.heap", true, AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<100>, ComputeSuppression, AsWritten}};

}  // namespace

absl::Span<const Implementation> IrregularImplementations(OpKind kind) {
  switch (kind) {
    case OpKind::kNonMaxSuppression:
      return kSuppression;
    default:
      return {};
  }
}

}  // namespace assay::ops
