// OpImport: one ONNX node on its way into the graph, as an operator's importer
// sees it.
//
// The operands have been looked up and counted (operator_table.h). An importer
// reads every attribute that the operator has in opset(), adds graph nodes,
// which all carry the ONNX node's name, and sets the result:
//
//   absl::Status ImportRelu(OpImport& op) {
//     return op.SetResult(op.Add(OpKind::kRelu, NoAttrs(), {op.Input(0)}));
//   }
//
// Its errors say what is wrong; the caller adds which node it is. Shape
// arithmetic is done on the way: a small integer or data-moving node whose
// operands are constants becomes a constant itself, so an importer that needs
// a constant (the shape of a Reshape, say) finds one.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OP_IMPORT_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OP_IMPORT_H_

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
#include "compiler/frontend/onnx/attributes.h"
#include "compiler/graph/bounds.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/memory_limit.h"

namespace assay::frontend {

class OpImport {
 public:
  struct Context {
    graph::Graph* graph;
    int opset;
    // Of external data; empty if there is none.
    std::string folder;
    // For inputs and constants, counted as they are added.
    MemoryBudget* memory;
    graph::Bounds* bounds;
    // Names of all values that a node reads or that are outputs of the model.
    const absl::flat_hash_set<std::string>* read;
  };

  // Constants that are computed on the way have at most this many bytes.
  static constexpr int64_t kMaxEvaluatedBytes = 1 << 20;

  // Adds the nodes of a body to the graph, its inputs being the arguments, and
  // gives its outputs.
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
  // How large a constant may be now.
  int64_t max_bytes() const { return context_.memory->left(); }
  int num_results() const { return proto_.output_size(); }
  // Whether anything reads result `i`; no other has to be computed.
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
  // The value of a constant operand, or of any constant; null for others.
  const NDArray* ConstantInput(int i) const;
  static const NDArray* ConstantOf(graph::Value value);
  // The numbers of a constant int64 operand of rank 1, which errors call
  // `what`.
  absl::StatusOr<std::vector<int64_t>> ConstantInts(
      int i, absl::string_view what) const;

  // Whether an operand's extent is known only when the model runs.
  bool HasBoundedInput() const;
  // Says so of a result: compiler/graph/bounds.h.
  void SetBound(graph::Value value, int axis, graph::Value extent) {
    context_.bounds->Set(value, {axis, extent});
  }

  absl::StatusOr<graph::Value> Add(graph::OpKind kind, graph::Attrs attrs,
                                   absl::Span<const graph::Value> inputs);
  graph::Value AddConstant(NDArray value);
  absl::StatusOr<std::vector<graph::Value>> ImportBody(
      const onnx::GraphProto& body,
      absl::Span<const graph::Value> arguments) const {
    return import_body_(body, arguments);
  }
  // Common enough to have their own names.
  absl::StatusOr<graph::Value> AddReshape(graph::Value x, Shape shape);
  absl::StatusOr<graph::Value> AddTranspose(graph::Value x,
                                            std::vector<int64_t> perm);

  // Passes an error on.
  absl::Status SetResult(const absl::StatusOr<graph::Value>& result);
  // For operators with several.
  void SetResults(std::vector<graph::Value> results) {
    results_ = std::move(results);
  }
  // The first ones; the node may have more, which nothing can read.
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

// `axis` counted from the front. ONNX has allowed negative axes since opset
// 11; before, one is an error, but for opset 6, whose exporters wrote them.
// `rank` is one past the last axis.
absl::StatusOr<int64_t> NormalizeAxis(const OpImport& op,
                                      absl::string_view what, int64_t axis,
                                      int64_t rank);

// Where nodes are added for each of `count` parts of something that errors call
// `what`: so many are the most.
constexpr int64_t kMaxUnrolled = 4096;
absl::Status CheckUnrolled(int64_t count, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OP_IMPORT_H_
