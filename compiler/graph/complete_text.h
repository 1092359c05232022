// The complete text of a graph: its text form (printer.h), followed by the
// values of the constants that the text form shows by digest only. It contains
// all that is needed to make the graph again, in another process or later.
//
//   graph net(%x: float32[1,4]) -> (%2) {
//     %1: float32[4,32] = constant {elements=128, digest=00c5…}
//     %2: float32[1,32] = matmul(%x, %1) "MatMul_0"
//   }
//   constants:
//   float32[4,32] <base64>
//
// There is one line for each constant, and there may be none.
#ifndef ASSAY_COMPILER_GRAPH_COMPLETE_TEXT_H_
#define ASSAY_COMPILER_GRAPH_COMPLETE_TEXT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Equal graphs have equal texts.
std::string ToCompleteText(const Graph& graph);

// Parses the output of ToCompleteText(). Returns an error that describes the
// problem if `text` is malformed, or if a constant has no value.
absl::StatusOr<std::unique_ptr<Graph>> ParseCompleteText(
    absl::string_view text);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_COMPLETE_TEXT_H_
