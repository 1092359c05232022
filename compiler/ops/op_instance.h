// OpInstance: an operator with its attributes and the types of its operands and
// its result. Configuration spaces and cost models depend on this data.
//
// `inputs` and `output` say what the operator computes, and how the tensors are
// stored; their shapes are those of the plain tensors. An implementation reads
// and writes the arrays in memory, `stored` and `stored_output`.
#ifndef ASSAY_COMPILER_OPS_OP_INSTANCE_H_
#define ASSAY_COMPILER_OPS_OP_INSTANCE_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.h"

namespace assay::ops {

struct OpInstance {
  OpInstance() = default;
  OpInstance(graph::OpKind kind, graph::Attrs attrs,
             std::vector<graph::TensorType> inputs, graph::TensorType output);

  graph::OpKind kind = graph::OpKind::kInput;
  graph::Attrs attrs;
  std::vector<graph::TensorType> inputs;
  graph::TensorType output;              // type of the first result
  std::vector<graph::ArrayType> stored;  // of the inputs
  graph::ArrayType stored_output;

  template <typename T>
  const T& attrs_as() const {
    return std::get<T>(attrs);
  }
  // Returns the encoding of an operand, or null if it is not of this kind.
  template <typename E>
  const E* encoding(size_t input) const {
    return std::get_if<E>(&inputs[input].encoding);
  }
};

// Returns the block of channels of an image; 0 if it is plain.
int64_t BlockOf(const graph::TensorType& image);

// Returns the OpInstance that describes the operator of `node`.
OpInstance InstanceOf(const graph::Node& node);

// Returns the number of arithmetic operations of the definition of the
// operator, whatever the algorithm. A multiply-add counts as two operations,
// and padding counts like data. The result is 0 for operators that mainly move
// or search data (transpose, gather, arg_sort, non_max_suppression, …), and for
// some other operators that op_instance.cc lists.
int64_t Flops(const OpInstance& op);

// Returns the size in bytes of all operands and of the result together. This is
// the memory traffic if nothing is in the caches.
int64_t Bytes(const OpInstance& op);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_OP_INSTANCE_H_
