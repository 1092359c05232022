// Helper functions for tests of graph passes.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_PASS_TESTING_H_
#define ASSAY_COMPILER_GRAPH_TESTING_PASS_TESTING_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/passes/pass.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// Runs one pass with RunPasses and all its checks. Sets `*changed` to the
// result of the pass if `changed` is not null.
absl::Status RunChecked(std::unique_ptr<Pass> pass, Graph& graph,
                        bool* changed = nullptr);

// Runs the pass on the graph in `before`. Returns an empty string if the result
// is structurally equal to the graph in `after`; otherwise returns the
// difference. The pass must report a change if and only if the two texts
// differ.
std::string CheckPass(std::unique_ptr<Pass> pass, absl::string_view before,
                      absl::string_view after);

// Compares float32 results. Let `scale` be the largest absolute value of those
// elements of `expected` that differ from their counterparts in `actual`, but
// at least 1. Returns the maximum absolute difference between corresponding
// elements, divided by `scale`. Returns infinity if the numbers of arrays,
// their types or their shapes differ, or if a difference is infinite or NaN.
double MaxError(const std::vector<NDArray>& actual,
                const std::vector<NDArray>& expected);

// Tests the passes on RandomGraph(seed) for each seed from 1 to `count`. The
// reference interpreter must compute the same results before and after the
// passes, up to rounding. Parsing the text of the transformed graph must yield
// a graph with the same text. Returns an empty string, or the first failure
// with the seed and the graph.
std::string CheckOnRandomGraphs(const std::function<PassList()>& passes,
                                int count);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_PASS_TESTING_H_
