#include "compiler/graph/builder/check_size.h"

#include "runtime/base/memory_limit.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {

absl::Status CheckSize(const TensorType& type, int64_t max_bytes) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t elements,
                         CheckedNumElements(type.shape));
  const int64_t bytes = elements * type.dtype.bytes();
  if (bytes <= max_bytes) return absl::OkStatus();
  return MemoryError(type.ToString(), bytes, max_bytes);
}

}  // namespace assay::graph
