// FindViews: finds the views of a graph, that is, the values that need no
// memory of their own because they are contiguous parts of another value.
//
// There are two kinds of views:
//   - the operands of a concat, as parts of the result of the concat, if all
//     axes before the joined axis have extent 1;
//   - the result of a contiguous slice, of a reshape, or of an encode that
//     moves no element, as a part of the operand of this operator.
// This concat, slice, reshape or encode is elided: no kernel runs for it.
// compiler/docs/memory.md lists exceptions, for example for graph inputs and
// outputs.
//
// An operator and a kernel that contains only this operator are treated in the
// same way. Operator fusion and the memory plan therefore find the same views.
#ifndef ASSAY_COMPILER_GRAPH_VIEWS_H_
#define ASSAY_COMPILER_GRAPH_VIEWS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// The location of a view: it is the part of `whole` that begins at byte
// `offset`.
struct View {
  Value whole;
  int64_t offset = 0;
};

struct Views {
  // The location of each view. View::whole may be a view itself.
  absl::flat_hash_map<Value, View> parts;
  // Nodes that need no kernel, because their operands are views of their
  // results, or their results are views of their operands.
  absl::flat_hash_set<const Node*> elided;

  // Follows `parts` from `part` to a value that is not a view. Returns that
  // value and the offset in bytes of `part` in it; {part, 0} if `part` is not a
  // view.
  View RootOf(Value part) const;
};

// Finds the views of `graph` whose offsets are multiples of `alignment` bytes.
Views FindViews(const Graph& graph, int64_t alignment);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_VIEWS_H_
