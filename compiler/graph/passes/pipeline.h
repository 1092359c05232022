// The default pipeline of graph passes, as data.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/passes/alter_conv_layout.h"
#include "compiler/graph/passes/combine_parallel.h"
#include "compiler/graph/passes/fuse_operators.h"
#include "compiler/graph/passes/pack_dense.h"
#include "compiler/graph/passes/pad_filters.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/passes/pass_selection.h"
#include "runtime/base/memory_limit.h"

namespace assay::graph {

struct PipelineOptions {
  // If null, no convolution gets more filters.
  ChooseFilters choose_filters;
  // If null, no convolutions, or no dense products, are combined.
  CombiningPays combine_conv2d;
  CombiningPays combine_dense;
  // If layout.conv is null, every operator keeps the plain layout.
  LayoutCosts layout;
  // If null, no weights of dense products are packed.
  ChoosePanels choose_panels;
  FusionOptions fusion;
  // Limit in bytes for the constants of the model and folded ones.
  int64_t max_memory = kDefaultMaxMemory;
};

// The passes in order, each with the lowest level that runs it. Both the whole
// pipeline and the required passes alone leave only inputs, constants and
// kernels.
absl::Span<const PipelineStep> Pipeline();

// Creates the passes with these names. InvalidArgument, naming it, for an
// unknown name.
absl::StatusOr<PassList> MakePasses(absl::Span<const std::string> names,
                                    const PipelineOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_
