// The graph passes that every model goes through, in order.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_

#include "compiler/graph/passes/alter_conv_layout.h"
#include "compiler/graph/passes/fuse_operators.h"
#include "compiler/graph/passes/pad_filters.h"
#include "compiler/graph/passes/pass.h"

namespace assay::graph {

struct PipelineOptions {
  // Null keeps the number of filters of every convolution.
  ChooseFilters choose_filters;
  // Null keeps every convolution in the plain layout.
  ChooseConvBlocks choose_conv_blocks;
  // Likewise, of every conv2d_transpose; read where the other is there.
  ChooseTransposedBlocks choose_transposed_blocks;
  FusionOptions fusion;
};

// Leaves inputs, constants and kernels only.
PassList DefaultPasses(const PipelineOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PIPELINE_H_
