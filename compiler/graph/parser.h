// Reads the text form that printer.h writes.
//
// ParseGraph(ToString(graph)) returns a graph with the same text, including
// node ids. White space is ignored; `//` comments run to the end of the line.
// The declared type of every value must equal the inferred type. An error names
// the line and the token found there.
//
// Elided constants are looked up in `store`; without one they are errors.
#ifndef ASSAY_COMPILER_GRAPH_PARSER_H_
#define ASSAY_COMPILER_GRAPH_PARSER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/constant_text.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

absl::StatusOr<std::unique_ptr<Graph>> ParseGraph(
    absl::string_view text, const ConstantStore* store = nullptr);

// All constants of `graph` and of its kernels' bodies.
ConstantStore CollectConstants(const Graph& graph);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PARSER_H_
