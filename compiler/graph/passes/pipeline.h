// The graph passes that every model goes through, in order, as data.
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
  // Null keeps the number of filters of every convolution.
  ChooseFilters choose_filters;
  // Null combines no convolutions, and no dense products, with others.
  CombiningPays combine_conv2d;
  CombiningPays combine_dense;
  // Without a function for conv2d everything keeps the plain layout.
  LayoutCosts layout;
  // Null packs no weights of dense products.
  ChoosePanels choose_panels;
  FusionOptions fusion;
  // For constants, those of the model and those that are made of them.
  int64_t max_memory = kDefaultMaxMemory;
};

// Each pass with the level from which on it is run. The whole leaves inputs,
// constants and kernels only, and so do the required ones alone.
absl::Span<const PipelineStep> Pipeline();

// The passes of these names; an error names one that there is not.
absl::StatusOr<PassList> MakePasses(absl::Span<const std::string> names,
                                    const PipelineOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_
