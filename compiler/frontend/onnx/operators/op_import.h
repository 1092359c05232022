// OpImport: an ONNX node that is being imported; the interface of importers.
//
// The operands have been looked up and counted (operator_table.h). An importer
// reads every attribute that the operator has in opset(), adds graph nodes,
// which all have the name of the ONNX node, and sets the result:
//
//   absl::Status ImportRelu(OpImport& op) {
//     return op.SetResult(op.Add(OpKind::kRelu, NoAttrs(), {op.Input(0)}));
//   }
//
// Errors say what is wrong; the caller adds the name of the node. Shape
// arithmetic is evaluated during import: a small integer or data-moving node
// whose operands are constant becomes a constant, which importers can read
// where they need one (for example the shape of a Reshape).
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
#include "compiler/frontend/onnx/proto/attributes.h"
#include "compiler/graph/bounded_dims.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/memory_limit.h"

namespace assay::frontend {

class OpImport {
 public:
  struct Context {
    graph::Graph* graph;
    int opset;
    // The folder of external data; empty if there is none.
    std::string folder;
    // Budget for inputs and constants, counted as they are added.
    MemoryBudget* memory;
    graph::BoundedDims* bounded_dims;
    // Names of all values that a node reads or the model outputs.
    const absl::flat_hash_set<std::string>* read;
  };

  // Maximum size of a constant that is computed during import.
  static constexpr int64_t kMaxEvaluatedBytes = 1 << 20;

  // Adds the nodes of a body to the graph, with `arguments` as its inputs, and
  // returns its outputs.
  using BodyImport = std::function<absl::StatusOr<std::vector<graph::Value>>(
      const onnx::GraphProto& body, absl::Span<const graph::Value> arguments)>;

  // An operand that the node leaves out has a null node. `context` and `proto`
  // outlive the object.
  OpImport(const Context& context, const onnx::NodeProto& proto,
           std::string name, std::vector<graph::Value> inputs,
           BodyImport import_body)
      : context_(context),
        import_body_(std::move(import_body)),
        proto_(proto),
        attributes_(proto),
        name_(std::move(name)),
        inputs_(std::move(inputs)) {}

  int opset() const { return context_.opset; }
  const std::string& folder() const { return context_.folder; }
  // Maximum size of a constant at this point.
  int64_t max_bytes() const { return context_.memory->left(); }
  int num_results() const { return proto_.output_size(); }
  // Returns true if result `i` is read; other results need not be computed.
  bool WantsResult(int i) const {
    return i < proto_.output_size() && !proto_.output(i).empty() &&
           context_.read->contains(proto_.output(i));
  }
  Attributes& attributes() { return attributes_; }

  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  bool HasInput(int i) const {
    return i < num_inputs() && inputs_[i].node != nullptr;
  }
  graph::Value Input(int i) const { return inputs_[i]; }
  absl::Span<const graph::Value> inputs() const { return inputs_; }
  const graph::TensorType& InputType(int i) const { return inputs_[i].type(); }
  // The value of a constant operand, or of any constant; null otherwise.
  const NDArray* ConstantInput(int i) const;
  static const NDArray* ConstantOf(graph::Value value);
  // The elements of a constant int64 operand of rank 1, which errors call
  // `what`.
  absl::StatusOr<std::vector<int64_t>> ConstantInts(
      int i, absl::string_view what) const;

  // Returns true if an operand has a bounded dynamic dimension.
  bool HasBoundedInput() const;
  // Sets the bounded dynamic dimension of a result.
  void SetBoundedDim(graph::Value value, int axis, graph::Value extent) {
    context_.bounded_dims->Set(value, {axis, extent});
  }

  absl::StatusOr<graph::Value> Add(graph::OpKind kind, graph::Attrs attrs,
                                   absl::Span<const graph::Value> inputs);
  graph::Value AddConstant(NDArray value);
  absl::StatusOr<std::vector<graph::Value>> ImportBody(
      const onnx::GraphProto& body,
      absl::Span<const graph::Value> arguments) const {
    return import_body_(body, arguments);
  }
  absl::StatusOr<graph::Value> AddReshape(graph::Value x, Shape shape);
  absl::StatusOr<graph::Value> AddTranspose(graph::Value x,
                                            std::vector<int64_t> perm);

  // Returns the error of `result`, if any.
  absl::Status SetResult(const absl::StatusOr<graph::Value>& result);
  // For operators with several results.
  void SetResults(std::vector<graph::Value> results) {
    results_ = std::move(results);
  }
  // The results that were set; the node may have more, which are not read.
  const std::vector<graph::Value>& results() const { return results_; }

 private:
  const Context& context_;
  const BodyImport import_body_;
  const onnx::NodeProto& proto_;
  Attributes attributes_;
  const std::string name_;
  const std::vector<graph::Value> inputs_;
  std::vector<graph::Value> results_;
};

// `axis` counted from the front. Negative axes are allowed since opset 11, and
// in opset 6, whose exporters wrote them; otherwise one is an error. `rank` is
// one past the last axis.
absl::StatusOr<int64_t> NormalizeAxis(const OpImport& op,
                                      absl::string_view what, int64_t axis,
                                      int64_t rank);

// Maximum number of parts, called `what` in errors, for each of which nodes are
// added.
constexpr int64_t kMaxUnrolled = 4096;
absl::Status CheckUnrolled(int64_t count, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OP_IMPORT_H_
