#include "compiler/ops/op_strategy.h"

#include <algorithm>
#include <utility>

#include "compiler/ops/conv/implementations.h"
#include "compiler/ops/irregular/implementations.h"
#include "compiler/ops/matmul/implementations.h"
#include "compiler/ops/reduction/implementations.h"

namespace assay::ops {

using graph::OpKind;

absl::Span<const Implementation> Implementations(OpKind kind) {
  switch (kind) {
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
      return ConvImplementations(kind);
    case OpKind::kDense:
    case OpKind::kPackedDense:
    case OpKind::kMatmul:
      return MatmulImplementations(kind);
    case OpKind::kMaxRoiPool:
    case OpKind::kNonMaxSuppression:
    case OpKind::kScatterElements:
    case OpKind::kScatterNd:
    case OpKind::kArgSort:
    case OpKind::kCumSum:
    case OpKind::kNonZero:
    case OpKind::kRoiAlign:
    case OpKind::kUnique:
      return IrregularImplementations(kind);
    default:
      return ReductionImplementations(kind);
  }
}

std::vector<Candidate> Strategy(const OpInstance& op,
                                const target::Target& target) {
  std::vector<Candidate> result;
  for (const Implementation& row : Implementations(op.kind)) {
    if ((row.targets & Only(target.kind())) == 0) continue;
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
