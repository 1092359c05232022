// PassSelection: which graph passes to run, as flags say it.
//
//   --opt_level=1 --skip_passes=common_subexpressions --bisect_limit=3
//
// The pipeline (pipeline.h) is a list of steps, each with the lowest level that
// runs it. Those of level 0 are required: nothing can be compiled without them,
// so that they run whatever a level or a limit says, and cannot be skipped.
// Only `passes`, which runs exactly those, may leave them out.
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
  // 0: every operator is a kernel of its own, in plain layout. 1: what makes
  // the graph smaller, and fusion. 2: what changes layouts and weights. 3: all.
  int level = kMaxOptLevel;
  // Names with commas between them: exactly these, in this order, instead of a
  // level's.
  std::string passes;
  // Names with commas between them: without these.
  std::string skip;
  // Only the first so many of the list, and those after them that are
  // required; all where it is negative.
  int bisect_limit = -1;
};

struct SelectedPasses {
  std::vector<std::string> names;
  // Where there is a limit: `ran 3 of 12 passes; the last is pad_filters`.
  std::string bisected;
};

// InvalidArgument, naming the flag, for a level that does not exist, a name
// that no step has, and a required pass to skip.
absl::StatusOr<SelectedPasses> SelectPasses(
    absl::Span<const PipelineStep> pipeline, const PassSelection& selection);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PASS_SELECTION_H_
