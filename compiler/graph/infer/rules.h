// The rules of type inference: one function per rule of op_list.h, which
// returns the result types of an operator. Each function is defined in the file
// of its operator family (conv.cc, scan.cc, …). `inputs` are the types of the
// operands. `kind` distinguishes operators that share a rule.
#ifndef ASSAY_COMPILER_GRAPH_INFER_RULES_H_
#define ASSAY_COMPILER_GRAPH_INFER_RULES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/op_list.h"
#include "compiler/graph/op/tensor_type.h"

namespace assay::graph::infer {

using Types = absl::Span<const TensorType>;
using Result = absl::StatusOr<TensorType>;
using Results = absl::StatusOr<std::vector<TensorType>>;

#define ASSAY_DECLARE_RULE(kind, name, pattern, attrs, rule) \
  Result rule(OpKind kind, const attrs& a, Types inputs);
ASSAY_FOR_EACH_SINGLE_RESULT_OP(ASSAY_DECLARE_RULE)
#undef ASSAY_DECLARE_RULE

#define ASSAY_DECLARE_RULE(kind, name, pattern, attrs, rule) \
  Results rule(OpKind kind, const attrs& a, Types inputs);
ASSAY_FOR_EACH_MULTI_RESULT_OP(ASSAY_DECLARE_RULE)
#undef ASSAY_DECLARE_RULE

}  // namespace assay::graph::infer

#endif  // ASSAY_COMPILER_GRAPH_INFER_RULES_H_
