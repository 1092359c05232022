#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {

NDArray Dense(const NDArray& x, const NDArray& weights,
              const TensorType& type) {
  return Matmul(x, Transpose(weights, {1, 0}), type);
}

}  // namespace assay::graph::reference
