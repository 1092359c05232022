// Attributes of operators that only move elements (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_DATA_MOVEMENT_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_DATA_MOVEMENT_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// Attributes of reshape and broadcast_to.
struct ReshapeAttrs {
  std::vector<int64_t> shape;  // shape of the result

  static constexpr auto Fields() {
    return FieldList(Required("shape", &ReshapeAttrs::shape));
  }
};

struct TransposeAttrs {
  std::vector<int64_t> perm;  // result axis i is operand axis perm[i]

  static constexpr auto Fields() {
    return FieldList(Required("perm", &TransposeAttrs::perm));
  }
};

struct ConcatAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return FieldList(Required("axis", &ConcatAttrs::axis));
  }
};

// Along each axis d, index i of the result corresponds to index
// begins[d] + i * steps[d] of the operand. A step may be negative but not 0.
struct SliceAttrs {
  std::vector<int64_t> begins;
  std::vector<int64_t> steps;
  std::vector<int64_t> sizes;  // shape of the result

  static constexpr auto Fields() {
    using A = SliceAttrs;
    return FieldList(Required("begins", &A::begins),
                     Required("steps", &A::steps),
                     Required("sizes", &A::sizes));
  }
};

// On each axis d, adds before[d] elements before the data and after[d] elements
// after the data. All added elements are equal to `value`.
struct PadAttrs {
  std::vector<int64_t> before;
  std::vector<int64_t> after;
  float value = 0;

  static constexpr auto Fields() {
    using A = PadAttrs;
    return FieldList(Required("before", &A::before),
                     Required("after", &A::after),
                     Optional("value", &A::value));
  }
};

// For each index b of `batch_axis`, reverses the order of the first lengths[b]
// elements along `time_axis`; `lengths` is operand 1.
struct ReverseSequenceAttrs {
  int64_t batch_axis = 1;
  int64_t time_axis = 0;

  static constexpr auto Fields() {
    using A = ReverseSequenceAttrs;
    return FieldList(Required("batch_axis", &A::batch_axis),
                     Required("time_axis", &A::time_axis));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_DATA_MOVEMENT_H_
