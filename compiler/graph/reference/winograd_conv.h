// conv2d by the definition of Winograd's algorithm in
// compiler/graph/op/winograd.h, computed in double.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_WINOGRAD_CONV_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_WINOGRAD_CONV_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

// `weights` are the result of winograd_weights.
NDArray WinogradConv2d(const Conv2dAttrs& attrs, const NDArray& data,
                       const NDArray& weights, const TensorType& type);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_WINOGRAD_CONV_H_
