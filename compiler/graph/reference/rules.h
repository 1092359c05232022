// The operators of the reference interpreter: one function per rule of
// op_list.h, which returns the value of an operator. Each function is defined
// in the file of its operator family (conv.cc, scan.cc, …). `in` are the values
// of the operands of `node`. Type inference has accepted their types.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_RULES_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_RULES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

using Operands = absl::Span<const NDArray>;
using Result = absl::StatusOr<NDArray>;
using Results = absl::StatusOr<std::vector<NDArray>>;

#define ASSAY_DECLARE_RULE(kind, name, pattern, attrs, rule) \
  Result rule(const Node& node, Operands in);
ASSAY_FOR_EACH_SINGLE_RESULT_OP(ASSAY_DECLARE_RULE)
#undef ASSAY_DECLARE_RULE

#define ASSAY_DECLARE_RULE(kind, name, pattern, attrs, rule) \
  Results rule(const Node& node, Operands in);
ASSAY_FOR_EACH_MULTI_RESULT_OP(ASSAY_DECLARE_RULE)
#undef ASSAY_DECLARE_RULE

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_RULES_H_
