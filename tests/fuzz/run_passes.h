// OptimizeAll: runs all graph passes of optimization level 3 with all checks,
// for fuzzers.
#ifndef ASSAY_TESTS_FUZZ_RUN_PASSES_H_
#define ASSAY_TESTS_FUZZ_RUN_PASSES_H_

#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::fuzz {

// Optimizes `graph`. Target-dependent options are set to values that enable all
// rewrites. After each pass, the graph is verified, and the pass's report of
// whether it changed the graph is compared with the actual change.
absl::Status OptimizeAll(graph::Graph& graph);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_RUN_PASSES_H_
