// ExpandContrib: operators of domains other than `ai.onnx`, each expanded to
// nodes of `ai.onnx`.
//
// Such an operator is treated like a call of a model-local function
// (functions.h): the importer replaces the node by copies of standard nodes,
// which it imports in a scope of their own. Unlike the body of a function, the
// nodes depend on the types of the operands, and a few on the values of
// constant operands. They may have operators that ONNX does not define
// (operator_table.h). The supported domains are
//   - `com.microsoft`, version 1: the operators that ONNX Runtime adds or makes
//     by fusion, as its document ContribOperators.md defines them;
//   - `ai.onnx.preview.training`, version 1: the optimizers of ONNX;
//   - `ai.onnx`, for SimplifiedLayerNormalization only, which ONNX Runtime
//     writes in this domain although ONNX does not define it.
// The table of compiler/docs/onnx.md lists the operators and their limits; it
// is compared with the rows of contrib_rows.h by a test.
//
// Quantized operators become DequantizeLinear, the float operator and
// QuantizeLinear, or integer products where these are exact. This is the only
// form of quantized arithmetic in the graph; the passes make integer kernels of
// it. A result may therefore differ by one step from a runtime that computes
// with integers or with a table of values.
//
// Errors describe the problem; the caller adds the name of the node.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_FUNCTIONS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_FUNCTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/op/tensor_type.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

// The opset of `ai.onnx` in which the nodes of all bodies are written.
constexpr int kContribOpset = 21;

// The nodes that replace one node.
struct ContribBody {
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  // The names of the operands and of the results in `nodes`. A result that is
  // not computed has an empty name.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  // The opset of `ai.onnx` that `nodes` need.
  int opset = kContribOpset;
};

// The node to expand, and what is known of its operands.
struct ContribCall {
  const onnx::NodeProto* node = nullptr;
  // The types of the operands; null for an operand that is left out. Operands
  // that are left out at the end may be missing.
  absl::Span<const graph::TensorType* const> types;
  // The values of the operands; null if the value is not known. Has as many
  // elements as `types`.
  absl::Span<const NDArray* const> values;
  // The names of all values that something reads (OpImport::Context::read). A
  // result that nothing reads need not be computed. If null, all results with a
  // name are computed.
  const absl::flat_hash_set<std::string>* read = nullptr;
  // Maximum size in bytes of a constant that is computed for the body.
  int64_t max_bytes = 0;
};

// Returns true if `node` is expanded by ExpandContrib(): if its domain is not
// `ai.onnx`, or if it is one of the operators that are supported in this domain
// (see above).
bool IsContribOperator(const onnx::NodeProto& node);

// Returns the nodes that replace `call.node`. The inputs of the body are the
// operands in order, and its outputs are the results of the operator in order.
// Returns
//   - Unimplemented if the domain, the operator, an attribute or one of its
//     values, or the form of an operand is not supported;
//   - InvalidArgument if the node contradicts the definition of the operator;
//   - a MemoryError if a constant of the body needs more than `call.max_bytes`.
absl::StatusOr<ContribBody> ExpandContrib(const ContribCall& call);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_FUNCTIONS_H_
