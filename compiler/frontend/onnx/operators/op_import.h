// OpImport: the ONNX node that an importer converts to graph nodes. An importer
// is the function that implements one ONNX operator (operator_table.h).
//
// Before an importer is called, the operands have been found and their number
// has been checked. The importer must read every attribute that the operator
// has in opset(), add graph nodes and set the results. All graph nodes that are
// added get the name of the ONNX node. Example:
//
//   absl::Status ImportRelu(OpImport& op) {
//     return op.SetResult(op.Add(OpKind::kRelu, NoAttrs(), {op.Input(0)}));
//   }
//
// Errors and warnings describe the problem; the caller of the importer adds the
// name of the node.
//
// Most operators take only tensors, and Input() returns them. The importer of
// an operator that also takes sequences or optional values
// (OperatorRow::takes_any_value) uses Operand(), InputTensor() and
// InputSequence() instead.
//
// Importers can read the value of an operand that must be known, such as the
// shape of a Reshape, if it does not depend on the inputs of the graph
// (compiler/graph/builder/known_values.h).
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OP_IMPORT_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OP_IMPORT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/operators/import_value.h"
#include "compiler/frontend/onnx/proto/attributes.h"
#include "compiler/graph/builder/graph_builder.h"
#include "compiler/graph/builder/run_time_extents.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

using graph::AddPositions;
using graph::ConvertedTo;
using graph::RunTimeInt;
using graph::RunTimeInts;
using graph::RunTimeMath;

class OpImport : public graph::GraphBuilder {
 public:
  struct Context {
    State state;
    int opset;
    // The folder with the files of external data; empty if there is none.
    std::string folder;
    std::vector<std::string>* warnings;  // of Warn()
    // Names of all values that are read by a node or are outputs of the model,
    // of a function, or of the body of an operator such as If or Loop.
    const absl::flat_hash_set<std::string>* read;
  };

  // A function that adds the nodes of `body`, the subgraph of an operator such
  // as If or Loop, to the graph and returns the outputs of the body, whose
  // inputs are `arguments`. After an error, an importer can do without the
  // body: its nodes are erased at the end of import, its warnings at once.
  using BodyImport = std::function<absl::StatusOr<std::vector<ImportValue>>(
      const onnx::GraphProto& body, absl::Span<const ImportValue> arguments)>;

  // `context` and `proto` must outlive this object. `name` is the name for
  // graph nodes.
  OpImport(const Context& context, const onnx::NodeProto& proto,
           std::string name, std::vector<ImportValue> operands,
           BodyImport import_body);

  const std::string& op_type() const { return proto_.op_type(); }
  int opset() const { return context_.opset; }
  const std::string& folder() const { return context_.folder; }
  int num_results() const { return proto_.output_size(); }
  // Returns true if result `i` is used. Others need not be computed.
  bool WantsResult(int i) const {
    return i < proto_.output_size() && !proto_.output(i).empty() &&
           context_.read->contains(proto_.output(i));
  }
  Attributes& attributes() { return attributes_; }

  int num_inputs() const { return static_cast<int>(operands_.size()); }
  bool HasInput(int i) const {
    return i < num_inputs() && !operands_[i].is_left_out();
  }
  // Return the operands of an operator that takes only tensors. Value::node is
  // null if the operand is left out or not a tensor.
  graph::Value Input(int i) const { return inputs_[i]; }
  absl::Span<const graph::Value> inputs() const { return inputs_; }
  const graph::TensorType& InputType(int i) const { return inputs_[i].type(); }
  const ImportValue& Operand(int i) const { return operands_[i]; }
  // Return operand `i`, or InvalidArgument if it is not a tensor or sequence.
  absl::StatusOr<graph::Value> InputTensor(int i) const;
  absl::StatusOr<TensorSequence> InputSequence(int i) const;
  // Returns the value of operand `i` if it is present and Known(); null
  // otherwise.
  const NDArray* KnownInput(int i) const;
  // Returns the elements of operand `i`, a known value of type int64 and rank
  // 1. `what` is the name of the operand for error messages. Returns
  // Unimplemented if the operand is not known, and InvalidArgument if its type
  // is wrong.
  absl::StatusOr<std::vector<int64_t>> KnownInts(int i,
                                                 absl::string_view what) const;

  // Returns true if an operand has a bounded dynamic dimension.
  bool HasBoundedInput() const;

  // Adds a warning of one sentence, which needs memory of the budget.
  absl::Status Warn(std::string warning);
  absl::StatusOr<std::vector<ImportValue>> ImportBody(
      const onnx::GraphProto& body,
      absl::Span<const ImportValue> arguments) const {
    return import_body_(body, arguments);
  }
  // Sets the only result of the ONNX node, or returns the error of `result`.
  absl::Status SetResult(const absl::StatusOr<graph::Value>& result);
  // Sets the results of an ONNX node that has several results.
  void SetResults(const std::vector<graph::Value>& results) {
    results_.assign(results.begin(), results.end());
  }
  // Sets results that may be sequences and optional values.
  void SetImportValues(std::vector<ImportValue> results) {
    results_ = std::move(results);
  }
  // Returns the results that the importer has set. If the ONNX node has further
  // results, it is an error if one of them is used.
  const std::vector<ImportValue>& results() const { return results_; }

 private:
  const Context& context_;
  const BodyImport import_body_;
  const onnx::NodeProto& proto_;
  Attributes attributes_;
  const std::vector<ImportValue> operands_;
  // The operands that are tensors; null for the others.
  const std::vector<graph::Value> inputs_;
  std::vector<ImportValue> results_;
};

// Returns the index from 0 to rank - 1 of an axis. A negative `axis` is counted
// from the end: -1 is the last axis. Opsets 7 to 10 do not allow negative
// values; exporters of the opsets before them wrote some.
// Returns InvalidArgument if `axis` is out of range or not allowed. `what` is
// the name of the axis for error messages.
absl::StatusOr<int64_t> NormalizeAxis(const OpImport& op,
                                      absl::string_view what, int64_t axis,
                                      int64_t rank);

// An importer may unroll a repetition, such as the iterations of a loop, by
// adding nodes for each iteration. This is the maximum number of iterations.
constexpr int64_t kMaxUnrolled = 4096;
// Returns Unimplemented if `count` is larger than kMaxUnrolled. `what` is a
// noun for error messages that says what is repeated.
absl::Status CheckUnrolled(int64_t count, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OP_IMPORT_H_
