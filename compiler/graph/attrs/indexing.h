// Attributes of operators that read or write at computed indices
// (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_INDEXING_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_INDEXING_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// gather and gather_elements.
struct GatherAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return FieldList(Required("axis", &GatherAttrs::axis));
  }
};

struct GatherNdAttrs {
  // Number of leading axes that are batch axes, both of the data and of the
  // indices. Along these axes, the two must have equal extents.
  int64_t batch_dims = 0;

  static constexpr auto Fields() {
    return FieldList(Optional("batch_dims", &GatherNdAttrs::batch_dims));
  }
};

// How an update is combined with the old value of the element to which it is
// written. The text form is a word, such as `add`.
enum class ScatterReduction : uint8_t {
  kNone,  // the update replaces the element
  kAdd,
  kMultiply,
  kMaximum,
  kMinimum,
};

struct ScatterElementsAttrs {
  int64_t axis = 0;
  ScatterReduction reduction = ScatterReduction::kNone;

  static constexpr auto Fields() {
    using A = ScatterElementsAttrs;
    return FieldList(Required("axis", &A::axis),
                     Optional("reduction", &A::reduction));
  }
};

struct ScatterNdAttrs {
  ScatterReduction reduction = ScatterReduction::kNone;

  static constexpr auto Fields() {
    return FieldList(Optional("reduction", &ScatterNdAttrs::reduction));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_INDEXING_H_
