// Functions that compute one element of an elementwise operator on integers or
// bool, for the reference interpreter. Elements are passed as int64; a uint64
// element is passed as the int64 with the same bits. The caller must truncate
// the result to the element type of the operator.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_INTEGER_OPS_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_INTEGER_OPS_H_

#include <cstdint>

#include "compiler/graph/op/op.h"
#include "runtime/base/dtype.h"

namespace assay::graph::reference {

// `type` is the element type of the operands.
int64_t UnaryInt(OpKind kind, DType type, int64_t x);
int64_t BinaryInt(OpKind kind, DType type, int64_t a, int64_t b);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_INTEGER_OPS_H_
