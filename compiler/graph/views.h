// FindViews: which values need no memory of their own, because they are a part
// of another value.
//
// compiler/docs/memory.md says when that is so: the operands of a concat that
// joins contiguous tensors are parts of its result, and the result of a
// contiguous slice or of a reshape is a part of its operand. For neither of
// them a kernel has to run.
//
// Works on operators and on kernels of one operator alike, so that fusion and
// the memory plan agree.
#ifndef ASSAY_COMPILER_GRAPH_VIEWS_H_
#define ASSAY_COMPILER_GRAPH_VIEWS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// A part of `whole` from byte `offset` on.
struct View {
  Value whole;
  int64_t offset = 0;
};

struct Views {
  // The whole may be part of another value itself.
  absl::flat_hash_map<Value, View> parts;
  // Nodes whose results are in their place without them.
  absl::flat_hash_set<const Node*> idle;

  // The value that `part` is in the end a part of, at its offset in that;
  // `part` itself, at 0, where it is part of none.
  View RootOf(Value part) const;
};

// `alignment` in bytes: every part's offset is a multiple of it.
Views FindViews(const Graph& graph, int64_t alignment);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_VIEWS_H_
