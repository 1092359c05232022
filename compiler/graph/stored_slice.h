// StoredSlice: a slice of an image, as a slice of its array in memory.
#ifndef ASSAY_COMPILER_GRAPH_STORED_SLICE_H_
#define ASSAY_COMPILER_GRAPH_STORED_SLICE_H_

#include "compiler/graph/encoding/encoding.h"
#include "compiler/graph/op/attrs.h"

namespace assay::graph {

// Returns the attributes of the slice of the stored array that is the stored
// array of the slice. The encoding must be plain or blocks of channels, and the
// slice must take whole blocks.
SliceAttrs StoredSlice(SliceAttrs attrs, const Encoding& encoding);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_STORED_SLICE_H_
