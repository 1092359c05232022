// KnownValues: the values of a graph that do not depend on its inputs.
//
// Exporters write the arithmetic that computes operands such as the shape of a
// Reshape or the pads of a Pad as nodes. Once the extents of the inputs are
// numbers, most of these operands are known, but they are not constants of the
// graph. Find() evaluates them with the reference interpreter when an importer
// asks for them. Their nodes stay in the graph.
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_KNOWN_VALUES_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_KNOWN_VALUES_H_

#include <cstdint>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "compiler/graph/graph.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

class KnownValues {
 public:
  // Maximum size in bytes of a value that is evaluated. A network has far
  // larger weights, but the operands that importers ask for are small.
  static constexpr int64_t kMaxBytes = 1 << 20;

  // `memory` must outlive this object; stored values are subtracted from it.
  explicit KnownValues(MemoryBudget* memory) : memory_(memory) {}

  // Returns the constant `value`, or the value of a node if all values that it
  // depends on are known, none of them is larger than kMaxBytes, and no
  // expensive operator, such as conv2d, is among them. Returns null otherwise,
  // and if the evaluation fails. The result is valid as long as this object
  // and the constants of the graph.
  const NDArray* Find(Value value);

 private:
  // Says whether the results of a node are known, and holds them.
  struct State {
    bool known = false;
    std::vector<NDArray> results;  // empty before they are evaluated
  };

  bool IsKnown(const Node& root);
  bool Evaluate(const Node& root);
  const NDArray* Stored(Value value) const;

  MemoryBudget* const memory_;
  // By the id of the node, which is not used again after the node is erased.
  absl::node_hash_map<int, State> states_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_KNOWN_VALUES_H_
