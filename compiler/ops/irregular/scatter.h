// Writing at computed indices: scatter_elements and scatter_nd.
//
// The result is the data with updates written into it, one after the other, so
// that the last one counts where two meet; or each is combined with what is
// there (ScatterReduction). Indices are int64; a negative one counts from the
// end, and one that is out of range means the nearest element.
#ifndef ASSAY_COMPILER_OPS_IRREGULAR_SCATTER_H_
#define ASSAY_COMPILER_OPS_IRREGULAR_SCATTER_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Update i goes to i with indices[i] in place of index `axis`.
te::Tensor ScatterElements(const graph::ScatterElementsAttrs& attrs,
                           const te::Tensor& data, const te::Tensor& indices,
                           const te::Tensor& updates);

// Update [b…, c…] goes to [indices[b…]…, c…].
te::Tensor ScatterNd(const graph::ScatterNdAttrs& attrs, const te::Tensor& data,
                     const te::Tensor& indices, const te::Tensor& updates);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IRREGULAR_SCATTER_H_
