// OptimizeAll: runs the graph passes of level 3 with all checks, for fuzzers.
#ifndef ASSAY_TESTS_FUZZ_RUN_PASSES_H_
#define ASSAY_TESTS_FUZZ_RUN_PASSES_H_

#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::fuzz {

// Target-dependent options are set to values that enable all rewrites. The
// graph is verified after each pass, and the change flag that a pass returns is
// compared with the actual change.
absl::Status OptimizeAll(graph::Graph& graph);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_RUN_PASSES_H_
