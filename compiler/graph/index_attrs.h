// The attribute structs of operators that read or write at computed indices,
// sort, or run along an axis (attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_INDEX_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_INDEX_ATTRS_H_

#include <cstdint>
#include <tuple>

#include "compiler/graph/attr_field.h"

namespace assay::graph {

// gather and gather_elements.
struct GatherAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("axis", &GatherAttrs::axis));
  }
};

struct GatherNdAttrs {
  // So many leading axes are those of data and of indices alike.
  int64_t batch_dims = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Optional("batch_dims", &GatherNdAttrs::batch_dims));
  }
};

// What becomes of an element that an update meets. Written as a word.
enum class ScatterReduction : uint8_t {
  kNone,  // it is replaced
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
    return std::make_tuple(Required("axis", &A::axis),
                           Optional("reduction", &A::reduction));
  }
};

struct ScatterNdAttrs {
  ScatterReduction reduction = ScatterReduction::kNone;

  static constexpr auto Fields() {
    return std::make_tuple(Optional("reduction", &ScatterNdAttrs::reduction));
  }
};

// The first `k` of the sorted elements along `axis`.
struct ArgSortAttrs {
  int64_t axis = 0;
  int64_t k = 1;
  bool descending = false;

  static constexpr auto Fields() {
    using A = ArgSortAttrs;
    return std::make_tuple(Required("axis", &A::axis), Required("k", &A::k),
                           Optional("descending", &A::descending));
  }
};

struct CumSumAttrs {
  int64_t axis = 0;
  // An element does not count in its own sum.
  bool exclusive = false;
  // From the end on.
  bool reverse = false;

  static constexpr auto Fields() {
    using A = CumSumAttrs;
    return std::make_tuple(Required("axis", &A::axis),
                           Optional("exclusive", &A::exclusive),
                           Optional("reverse", &A::reverse));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_INDEX_ATTRS_H_
