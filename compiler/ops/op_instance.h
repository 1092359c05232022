// OpInstance: an operator with its attributes and the types of its operands and
// result, on which configuration spaces and cost models depend.
#ifndef ASSAY_COMPILER_OPS_OP_INSTANCE_H_
#define ASSAY_COMPILER_OPS_OP_INSTANCE_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.h"

namespace assay::ops {

struct OpInstance {
  graph::OpKind kind = graph::OpKind::kInput;
  graph::Attrs attrs;
  std::vector<graph::TensorType> inputs;
  graph::TensorType output;  // the first one if there are several

  template <typename T>
  const T& attrs_as() const {
    return std::get<T>(attrs);
  }
};

OpInstance InstanceOf(const graph::Node& node);

// The number of arithmetic operations by the usual convention: a multiply-add
// counts as two, padding counts as data, data movement is free.
int64_t Flops(const OpInstance& op);

// The bytes of all operands and of the result, which is the memory traffic with
// cold caches.
int64_t Bytes(const OpInstance& op);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_OP_INSTANCE_H_
