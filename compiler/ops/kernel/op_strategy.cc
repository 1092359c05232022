#include "compiler/ops/kernel/op_strategy.h"

#include <algorithm>
#include <utility>

namespace assay::ops {

using graph::OpKind;

KernelRule KernelRuleOf(OpKind kind) {
  switch (kind) {
#define ASSAY_APPLY(kind, name, pattern, attrs, rule) \
  case OpKind::kind:                                  \
    return rule##Kernel(OpKind::kind);
    ASSAY_FOR_EACH_SINGLE_RESULT_OP(ASSAY_APPLY)
    ASSAY_FOR_EACH_MULTI_RESULT_OP(ASSAY_APPLY)
#undef ASSAY_APPLY
#define ASSAY_CASE(kind, name, pattern, attrs, rule) case OpKind::kind:
    ASSAY_FOR_EACH_STRUCTURAL_OP(ASSAY_CASE)
#undef ASSAY_CASE
    break;
  }
  return {};
}

absl::Span<const Implementation> Implementations(OpKind kind) {
  return KernelRuleOf(kind).implementations;
}

const graph::Node* AnchorOf(const graph::Graph& body) {
  for (const graph::Node* node : body.Nodes()) {
    if (!Implementations(node->kind()).empty()) return node;
  }
  return nullptr;
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
