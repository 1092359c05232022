// Helper functions for tests that specify graphs as text.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_GRAPH_TESTING_H_
#define ASSAY_COMPILER_GRAPH_TESTING_GRAPH_TESTING_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Parses and verifies the graph in `text`; CHECK-fails on an error.
std::unique_ptr<Graph> GraphFromText(absl::string_view text);

// Returns an empty string if `graph` is structurally equal (structural_equal.h)
// to the graph in `expected_text`. Otherwise returns the difference and the
// text of `graph`.
std::string DiffAgainstText(const Graph& graph,
                            absl::string_view expected_text);

// Returns true if `status` is an error whose message contains `part`. Otherwise
// prints the status to stderr and returns false.
bool ErrorHas(const absl::Status& status, absl::string_view part);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_GRAPH_TESTING_H_
