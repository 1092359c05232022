// OpInstance: an operator with its attributes and the types of its operands and
// its result. Configuration spaces and cost models depend on this data.
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
  graph::TensorType output;  // type of the first result

  template <typename T>
  const T& attrs_as() const {
    return std::get<T>(attrs);
  }
};

// Returns the OpInstance that describes the operator of `node`.
OpInstance InstanceOf(const graph::Node& node);

// Returns the number of arithmetic operations. A multiply-add counts as two
// operations, and padding counts like data. Winograd convolutions count like
// direct ones. The result is 0 for operators that mainly move or search data
// (transpose, gather, arg_sort, non_max_suppression, …), and for some other
// operators that op_instance.cc lists.
int64_t Flops(const OpInstance& op);

// Returns the size in bytes of all operands and of the result together. This is
// the memory traffic if nothing is in the caches.
int64_t Bytes(const OpInstance& op);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_OP_INSTANCE_H_
