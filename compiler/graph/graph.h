// Graph: a typed dataflow graph of tensor operators.
//
// A Graph owns its Nodes. The order of their list is an order of evaluation:
// operands before users (Verify() checks it; SortTopologically() restores it).
// A node has one or more results; a Value names one of them. Every result has
// a TensorType, inferred when the node is created and never changed after. A
// node's id is unique in its graph and never reused.
//
// Operand and user lists are modified only through Graph, which keeps them
// symmetric. A pointer to a node is valid until the node is erased.
//
//   Graph graph("net");
//   ASSAY_ASSIGN_OR_RETURN(Node* x, graph.AddInput("x", type));
//   ASSAY_ASSIGN_OR_RETURN(
//       Node* y, graph.AddNode(OpKind::kRelu, NoAttrs(), {{x}}, "Relu_0"));
//   graph.AddOutput("y", {y});
//
// Errors name the node. Misuse of the API (a value of another graph, erasing a
// node in use) CHECK-fails. Modifications are not thread-safe.
#ifndef ASSAY_COMPILER_GRAPH_GRAPH_H_
#define ASSAY_COMPILER_GRAPH_GRAPH_H_

#include <list>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/op.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/check.h"

namespace assay::graph {

class Node;

// Result `index` of `node`.
struct Value {
  Node* node = nullptr;
  int index = 0;

  const TensorType& type() const;
  friend bool operator==(Value a, Value b) {
    return a.node == b.node && a.index == b.index;
  }
  friend bool operator!=(Value a, Value b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, Value v) {
    return H::combine(std::move(h), v.node, v.index);
  }
};

// Operand number `operand` of `user`.
struct Use {
  Node* user = nullptr;
  int operand = 0;
};

class Node {
 public:
  int id() const { return id_; }
  OpKind kind() const { return kind_; }
  const Attrs& attrs() const { return attrs_; }
  // CHECK-fails if the operator has other attributes.
  template <typename T>
  const T& attrs_as() const {
    CHECK(std::holds_alternative<T>(attrs_)) << kind_;
    return std::get<T>(attrs_);
  }

  // The name in the source model (for an input, its name in the graph), and all
  // source names that passes merged into this node. May be empty.
  const std::string& name() const { return name_; }
  const std::vector<std::string>& sources() const { return sources_; }
  // For messages: "`Conv_0` (conv2d)", or "`%7` (relu)" without a name.
  std::string Label() const;

  absl::Span<const Value> inputs() const { return inputs_; }
  Value input(int i) const { return inputs_[i]; }
  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  int num_outputs() const { return static_cast<int>(types_.size()); }
  const TensorType& type(int output = 0) const { return types_[output]; }
  const std::vector<TensorType>& types() const { return types_; }
  // One entry per operand that is a result of this node, in no defined order.
  absl::Span<const Use> users() const { return users_; }

 private:
  friend class Graph;
  friend class GraphTestPeer;
  Node() = default;

  int id_ = 0;
  OpKind kind_ = OpKind::kInput;
  Attrs attrs_;
  std::string name_;
  std::vector<std::string> sources_;
  std::vector<Value> inputs_;
  std::vector<TensorType> types_;
  std::vector<Use> users_;
  std::list<std::unique_ptr<Node>>::iterator position_;
};

inline const TensorType& Value::type() const { return node->type(index); }

// A graph output. A bounded output has a bounded dynamic dimension, `axis`
// (compiler/docs/graph_ir.md); output number `extent` holds its extent, an
// int64.
struct Output {
  std::string name;  // may be empty
  Value value;
  int axis = -1;
  int extent = -1;         // -1: not bounded
  bool is_extent = false;  // only holds the extent of another output

  bool is_bounded() const { return extent >= 0; }
};

class Graph {
 public:
  using NodeList = std::list<std::unique_ptr<Node>>;

  explicit Graph(absl::string_view name) : name_(name) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& name() const { return name_; }
  void set_name(absl::string_view name) { name_ = std::string(name); }

  // Fails if the name is empty or taken, or the type is not supported.
  absl::StatusOr<Node*> AddInput(absl::string_view name, TensorType type);
  // The array is shared and must not be modified afterwards.
  Node* AddConstant(NDArray value, absl::string_view name = "",
                    Node* before = nullptr);
  // Infers the result types. The node is placed before `before`, or at the end.
  // Not for inputs and constants. CHECK-fails if `attrs` is not the operator's
  // struct or an operand belongs to another graph.
  absl::StatusOr<Node*> AddNode(OpKind kind, Attrs attrs,
                                absl::Span<const Value> inputs,
                                absl::string_view name = "",
                                Node* before = nullptr);
  void AddOutput(absl::string_view name, Value value);
  // Makes a data output bounded. All data outputs have been added before.
  void BoundOutput(int output, int axis, Value extent);

  // In the order in which they were added; data outputs precede extents.
  const std::vector<Node*>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  absl::Span<const Output> data_outputs() const;
  bool IsOutput(const Node* node) const;

  // In list order. A snapshot: nodes may be added and erased while walking it.
  std::vector<Node*> Nodes() const;
  const NodeList& node_list() const { return nodes_; }
  int num_nodes() const { return static_cast<int>(nodes_.size()); }

  // Replaces every operand and graph output `from` by `to`, of the same type.
  void ReplaceAllUses(Value from, Value to);
  // Replaces one operand by a value of the same type.
  void ReplaceInput(Node* user, int operand, Value to);
  // The node is not an output and has no users. Erasing a graph input changes
  // the graph's signature.
  void Erase(Node* node);

  // Adds the sources of `from` to those of `to`, and names `to` after `from` if
  // it has no name.
  void MergeSources(Node* to, const Node* from);
  void SetSources(Node* node, std::vector<std::string> sources);

  // A stable sort: nodes that are in order are not moved. Fails, naming a node,
  // if operands form a cycle.
  absl::Status SortTopologically();

  // The copy has the same text and ids; constants and kernel bodies are shared.
  std::unique_ptr<Graph> Clone() const;

 private:
  friend class GraphParser;
  friend class GraphTestPeer;

  Node* NewNode(OpKind kind, Attrs attrs, absl::Span<const Value> inputs,
                absl::string_view name, std::vector<TensorType> types,
                Node* before);
  void RemoveUse(Value value, const Node* user, int operand);

  std::string name_;
  NodeList nodes_;
  std::vector<Node*> inputs_;
  std::vector<Output> outputs_;
  int next_id_ = 0;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_GRAPH_H_
