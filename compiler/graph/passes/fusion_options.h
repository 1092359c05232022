// FusionOptions: the options of fuse_operators.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_

#include <cstdint>

namespace assay::graph {

struct FusionOptions {
  bool enabled = true;
  int max_group_size = 256;  // maximum number of operators in a group
  // Alignment in bytes of views (graph/views.h) in the memory plan; 0 if the
  // plan has no views.
  int64_t view_alignment = 0;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_
