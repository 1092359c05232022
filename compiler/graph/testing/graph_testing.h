// Helpers for tests that take graphs as text.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_GRAPH_TESTING_H_
#define ASSAY_COMPILER_GRAPH_TESTING_GRAPH_TESTING_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// The graph that `text` says, verified; CHECK-fails on an error.
std::unique_ptr<Graph> GraphFromText(absl::string_view text);

// Empty where `graph` has the structure that `expected_text` says, else what
// differs, followed by the text of `graph`.
std::string DiffAgainstText(const Graph& graph,
                            absl::string_view expected_text);

// Whether the message of `status` holds `part`; prints the status if not.
bool ErrorHas(const absl::Status& status, absl::string_view part);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_GRAPH_TESTING_H_
