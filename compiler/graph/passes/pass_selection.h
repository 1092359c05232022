// PassSelection: the graph passes to run, as selected by flags.
//
//   --opt_level=1 --skip_passes=common_subexpressions --bisect_limit=3
//
// The pipeline (pipeline.h) is a list of steps, each with the lowest level that
// runs it. Steps of level 0 are required for compilation: they run at every
// level and beyond every limit, and cannot be skipped. Only `passes`, an
// explicit list, may omit them.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PASS_SELECTION_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PASS_SELECTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::graph {

constexpr int kMaxOptLevel = 3;

struct PipelineStep {
  absl::string_view pass;
  // From 0, required, to kMaxOptLevel.
  int level = 0;
};

struct PassSelection {
  // 0: every operator is a kernel of its own, in plain layout. 1: adds passes
  // that shrink the graph, and fusion. 2: adds passes that change layouts and
  // weights. 3: all passes.
  int level = kMaxOptLevel;
  // If not empty: comma-separated names of the passes to run, in this order;
  // the level is ignored.
  std::string passes;
  // Comma-separated names of passes to leave out.
  std::string skip;
  // Run only the first `bisect_limit` steps of the list and the required ones
  // after them; if negative, run all.
  int bisect_limit = -1;
};

struct SelectedPasses {
  std::vector<std::string> names;
  // With a limit: `ran 3 of 12 passes; the last is pad_filters`.
  std::string bisected;
};

// InvalidArgument, naming the flag, for an invalid level, an unknown pass, or a
// required pass in `skip`.
absl::StatusOr<SelectedPasses> SelectPasses(
    absl::Span<const PipelineStep> pipeline, const PassSelection& selection);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PASS_SELECTION_H_
