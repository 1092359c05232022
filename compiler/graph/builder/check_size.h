#ifndef ASSAY_COMPILER_GRAPH_BUILDER_CHECK_SIZE_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_CHECK_SIZE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "compiler/graph/op/tensor_type.h"

namespace assay::graph {

// Returns a MemoryError (runtime/base/memory_limit.h) if a tensor of type
// `type` needs more than `max_bytes` bytes.
absl::Status CheckSize(const TensorType& type, int64_t max_bytes);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_CHECK_SIZE_H_
