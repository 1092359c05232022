// PassSelection: the graph passes to run, as selected by flags.
//
//   --opt_level=1 --skip_passes=common_subexpressions --bisect_limit=3
//
// The pipeline (pipeline.h) is a list of steps. Each step has a level and runs
// at this optimization level and at all higher levels. Steps of level 0 are
// required for compilation. They run at every level, are not subject to the
// bisect limit, and cannot be skipped. They can be omitted only with `passes`,
// an explicit list.
#ifndef ASSAY_COMPILER_GRAPH_PIPELINE_PASS_SELECTION_H_
#define ASSAY_COMPILER_GRAPH_PIPELINE_PASS_SELECTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::graph {

constexpr int kMaxOptLevel = 3;

struct PipelineStep {
  absl::string_view pass;
  // The lowest optimization level that runs the step, from 0 (required) to
  // kMaxOptLevel.
  int level = 0;
};

struct PassSelection {
  // The optimization level:
  //   - 0: every operator is a kernel of its own, in the plain layout;
  //   - 1: adds operator fusion and the passes that make the graph smaller;
  //   - 2: adds the passes that change layouts and weights;
  //   - 3: all passes.
  int level = kMaxOptLevel;
  // If not empty, the comma-separated names of the passes to run, in this
  // order. The level is then ignored.
  std::string passes;
  // Comma-separated names of passes to leave out.
  std::string skip;
  // If not negative, a limit on the steps that the other fields select: only
  // the first `bisect_limit` steps and the required steps after them are run.
  int bisect_limit = -1;
};

struct SelectedPasses {
  std::vector<std::string> names;
  // If there is a bisect limit, a message such as `ran 3 of 12 passes; the last
  // is pad_channels`; otherwise empty.
  std::string bisected;
};

// Returns InvalidArgument, with the name of the flag, if the level is invalid,
// a pass is unknown, or `skip` contains a required pass.
absl::StatusOr<SelectedPasses> SelectPasses(
    absl::Span<const PipelineStep> pipeline, const PassSelection& selection);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PIPELINE_PASS_SELECTION_H_
