// Parses the text form of graphs, which printer.h writes.
//
// ParseGraph(ToString(graph)) returns a graph with the same text, including
// node ids. White space is ignored, and a `//` comment extends to the end of
// the line. The declared type of a value must be equal to the inferred type. A
// syntax error names the line and, in most cases, the token found there.
//
// The values of elided constants (constants that are printed by digest only)
// are looked up in `store`. If `store` is null, an elided constant is an error.
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

// Returns all constants of `graph` and of the bodies of its kernels.
ConstantStore CollectConstants(const Graph& graph);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PARSER_H_
