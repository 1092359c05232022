// What fuse_operators may be told.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_

#include <cstdint>

namespace assay::graph {

struct FusionOptions {
  bool enabled = true;
  int max_group_size = 256;
  // Of the memory plan, in bytes, where that makes values parts of others
  // (graph/views.h); 0 where it does not.
  int64_t view_alignment = 0;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSION_OPTIONS_H_
