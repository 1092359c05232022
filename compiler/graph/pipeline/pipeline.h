// The default pipeline of graph passes.
#ifndef ASSAY_COMPILER_GRAPH_PIPELINE_PIPELINE_H_
#define ASSAY_COMPILER_GRAPH_PIPELINE_PIPELINE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/passes/fuse_operators.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/pipeline/pass_selection.h"
#include "compiler/graph/target_costs.h"
#include "runtime/base/memory_limit.h"

namespace assay::graph {

struct PipelineOptions {
  // What the target is good at; must not be null.
  std::shared_ptr<const TargetCosts> costs = std::make_shared<TargetCosts>();
  FusionOptions fusion;
  // Limit in bytes for the total size of the constants of the model and of the
  // results of constant folding.
  int64_t max_memory = kDefaultMaxMemory;
};

// Returns the steps of the pipeline in order. After the whole pipeline, and
// also after the required passes alone, a graph consists of inputs, constants
// and kernels only.
absl::Span<const PipelineStep> Pipeline();

// Creates the passes with these names, which must not outlive `options.costs`.
// Returns InvalidArgument, with the name, if there is no pass of that name.
absl::StatusOr<PassList> MakePasses(absl::Span<const std::string> names,
                                    const PipelineOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PIPELINE_PIPELINE_H_
