// Evaluates conv2d with Winograd's algorithm as compiler/graph/op/winograd.h
// defines it. Sums are computed in double.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_WINOGRAD_CONV_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_WINOGRAD_CONV_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

// `attrs.winograd` must not be 0. `data` must be blocked, `weights` must be the
// result of winograd_weights, and `type` must be the type of the blocked
// result.
NDArray WinogradConv2d(const Conv2dAttrs& attrs, const NDArray& data,
                       const NDArray& weights, const TensorType& type);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_WINOGRAD_CONV_H_
