// OptimizeAll: the graph passes of level 3, under checks, for fuzzers.
#ifndef ASSAY_TESTS_FUZZ_RUN_PASSES_H_
#define ASSAY_TESTS_FUZZ_RUN_PASSES_H_

#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::fuzz {

// With choices, where a target has one, that let every rewrite happen. The
// graph is verified, and what passes say they changed is compared with what
// they did.
absl::Status OptimizeAll(graph::Graph& graph);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_RUN_PASSES_H_
