// ComputeInjective: the te compute of every operator that does not decide how
// its kernel is scheduled: elementwise, broadcasting and data-moving ones, and
// constants. The others have implementations (op_strategy.h).
#ifndef ASSAY_COMPILER_OPS_INJECTIVE_INJECTIVE_H_
#define ASSAY_COMPILER_OPS_INJECTIVE_INJECTIVE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Unimplemented, naming the node, for an operator that no kernel can hold.
absl::StatusOr<te::Tensor> ComputeInjective(const graph::Node& node,
                                            const std::vector<te::Tensor>& in);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INJECTIVE_INJECTIVE_H_
