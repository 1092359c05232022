// FusionOptions: the options of fuse_operators.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_

#include <cstdint>

namespace assay::graph {

struct FusionOptions {
  bool enabled = true;
  int max_group_size = 256;
  // Alignment in bytes of the memory plan that places values inside other
  // values (graph/views.h); 0 if the plan does not do so.
  int64_t view_alignment = 0;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_
