// The default pipeline of graph passes.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/passes/alter_conv_layout.h"
#include "compiler/graph/passes/combine_parallel.h"
#include "compiler/graph/passes/dilation_to_batch.h"
#include "compiler/graph/passes/fuse_operators.h"
#include "compiler/graph/passes/pack_dense.h"
#include "compiler/graph/passes/pad_channels.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/passes/pass_selection.h"
#include "runtime/base/memory_limit.h"

namespace assay::graph {

struct PipelineOptions {
  // If null, dilated convolutions are kept (dilation_to_batch).
  BatchPays batch_pays;
  // If its functions are null, no channels are added to images
  // (pad_channels).
  ChannelPadding pad_channels;
  // If true, int8 data of products is stored as uint8 (unsigned_data).
  bool unsigned_data = false;
  // If combine_conv2d is null, no convolutions are combined. If combine_dense
  // is null, no dense products are combined.
  CombiningPays combine_conv2d;
  CombiningPays combine_dense;
  // If layout.conv is null, every operator keeps the plain layout.
  LayoutCosts layout;
  // If null, the weights of matrix products are not packed.
  ChoosePanels choose_panels;
  FusionOptions fusion;
  // Limit in bytes for the total size of the constants of the model and of the
  // results of constant folding.
  int64_t max_memory = kDefaultMaxMemory;
};

// Returns the steps of the pipeline in order. After the whole pipeline, and
// also after the required passes alone, a graph consists of inputs, constants
// and kernels only.
absl::Span<const PipelineStep> Pipeline();

// Creates the passes with these names. Returns InvalidArgument, with the name,
// if there is no pass of that name.
absl::StatusOr<PassList> MakePasses(absl::Span<const std::string> names,
                                    const PipelineOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_
