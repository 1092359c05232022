// FindViews: finds the values that need no memory of their own because they are
// views, contiguous parts of another value.
//
// compiler/docs/memory.md defines views: the operands of a concat that joins
// contiguous tensors are views of its result, and the result of a contiguous
// slice or of a reshape is a view of its operand. The concat, slice or reshape
// is elided: no kernel runs for it.
//
// Operators and kernels of one operator are treated alike, so that fusion and
// the memory plan agree.
#ifndef ASSAY_COMPILER_GRAPH_VIEWS_H_
#define ASSAY_COMPILER_GRAPH_VIEWS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// The part of `whole` that begins at byte `offset`.
struct View {
  Value whole;
  int64_t offset = 0;
};

struct Views {
  // The whole may be a view itself.
  absl::flat_hash_map<Value, View> parts;
  // Nodes that need no kernel, because their results are in place.
  absl::flat_hash_set<const Node*> elided;

  // The value with memory of its own that `part` is a part of, and the offset
  // in it; `part` itself, at 0, if it is no view.
  View RootOf(Value part) const;
};

// The offset of every view is a multiple of `alignment` bytes.
Views FindViews(const Graph& graph, int64_t alignment);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_VIEWS_H_
