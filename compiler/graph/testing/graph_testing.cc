#include "compiler/graph/testing/graph_testing.h"

#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/parser.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/structural_equal.h"
#include "compiler/graph/verifier.h"
#include "runtime/base/check.h"

namespace assay::graph {

std::unique_ptr<Graph> GraphFromText(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = ParseGraph(text);
  CHECK(graph.ok()) << graph.status() << "\n" << text;
  const absl::Status status = Verify(**graph);
  CHECK(status.ok()) << status;
  return *std::move(graph);
}

std::string DiffAgainstText(const Graph& graph,
                            absl::string_view expected_text) {
  const std::string difference =
      FirstDifference(graph, *GraphFromText(expected_text));
  if (difference.empty()) return "";
  return absl::StrCat(difference, "\n", ToString(graph));
}

bool ErrorHas(const absl::Status& status, absl::string_view part) {
  if (!status.ok() && absl::StrContains(status.message(), part)) return true;
  std::cerr << "expected an error with `" << part << "` but got: " << status
            << "\n";
  return false;
}

}  // namespace assay::graph
