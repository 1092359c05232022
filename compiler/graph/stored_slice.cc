#include "compiler/graph/stored_slice.h"

#include "runtime/base/check.h"

namespace assay::graph {

SliceAttrs StoredSlice(SliceAttrs attrs, const Encoding& encoding) {
  if (IsPlain(encoding)) return attrs;
  const auto* blocks = std::get_if<ChannelBlocks>(&encoding);
  CHECK(blocks != nullptr && attrs.steps[1] == 1 &&
        attrs.begins[1] % blocks->block == 0 &&
        attrs.sizes[1] % blocks->block == 0)
      << ToString(encoding);
  attrs.begins[1] /= blocks->block;
  attrs.sizes[1] /= blocks->block;
  attrs.begins.push_back(0);
  attrs.steps.push_back(1);
  attrs.sizes.push_back(blocks->block);
  return attrs;
}

}  // namespace assay::graph
