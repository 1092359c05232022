#include "compiler/graph/testing/fixed_encodings.h"

namespace assay::graph {

EncodingChoice InBlocks(int64_t in, int64_t out) {
  FilterBlocks filters;
  filters.in = in;
  filters.out = out;
  return {{ChannelBlocks{in}, filters}, ChannelBlocks{out}};
}

}  // namespace assay::graph
