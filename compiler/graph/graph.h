// Graph: a typed dataflow graph of tensor operators.
//
// A Graph owns its Nodes, in a list whose order is an order of evaluation:
// operands before users (Verify() checks it; SortTopologically() restores it).
// A node has one or more results; a Value names one of them. Every result has
// a TensorType, inferred when the node is created and never changed after. A
// node's id is unique in its graph and never reused.
//
// Operand and user lists are changed only through Graph, which keeps them
// symmetric. Pointers to nodes stay valid until the node is erased.
//
//   Graph graph("net");
//   ASSAY_ASSIGN_OR_RETURN(Node* x, graph.AddInput("x", type));
//   ASSAY_ASSIGN_OR_RETURN(
//       Node* y, graph.AddNode(OpKind::kRelu, NoAttrs(), {{x}}, "Relu_0"));
//   graph.AddOutput("y", {y});
//
// Errors name the node. Misuse of the API (a value of another graph, erasing a
// node in use) CHECK-fails. Not thread-safe for changes.
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
  // CHECK-fails where the operator has other attributes.
  template <typename T>
  const T& attrs_as() const {
    CHECK(std::holds_alternative<T>(attrs_)) << kind_;
    return std::get<T>(attrs_);
  }

  // The name in the source model (an input's: its name in the graph), and all
  // source names that passes merged into this node. May be empty.
  const std::string& name() const { return name_; }
  const std::vector<std::string>& sources() const { return sources_; }
  // For messages: "`Conv_0` (conv2d)", "`%7` (relu)" where it has no name.
  std::string Label() const;

  absl::Span<const Value> inputs() const { return inputs_; }
  Value input(int i) const { return inputs_[i]; }
  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  int num_outputs() const { return static_cast<int>(types_.size()); }
  const TensorType& type(int output = 0) const { return types_[output]; }
  const std::vector<TensorType>& types() const { return types_; }
  // One entry per operand that is a result of this node; no set order.
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

// A graph output. One of which only as many indices along `axis` are part as
// an int64 value says is bounded (compiler/docs/graph_ir.md): `extent` is the
// place in the list of outputs of that value.
struct Output {
  std::string name;  // may be empty
  Value value;
  int axis = -1;
  int extent = -1;         // -1: not bounded
  bool is_extent = false;  // of another output, and nothing else

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

  // Fails where the name is empty or taken, or the type is not acceptable.
  absl::StatusOr<Node*> AddInput(absl::string_view name, TensorType type);
  // The array is shared: nobody writes to it afterwards.
  Node* AddConstant(NDArray value, absl::string_view name = "",
                    Node* before = nullptr);
  // Infers the result types; placed before `before` or at the end. Not for
  // inputs and constants. CHECK-fails where `attrs` is not the operator's
  // struct or an operand is of another graph.
  absl::StatusOr<Node*> AddNode(OpKind kind, Attrs attrs,
                                absl::Span<const Value> inputs,
                                absl::string_view name = "",
                                Node* before = nullptr);
  void AddOutput(absl::string_view name, Value value);
  // Bounds one of the outputs proper, all of which have been added.
  void BoundOutput(int output, int axis, Value extent);

  // In the order in which they were added; outputs proper before extents.
  const std::vector<Node*>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  absl::Span<const Output> outputs_proper() const;
  bool IsOutput(const Node* node) const;

  // In list order. A snapshot: nodes may be added and erased while walking it.
  std::vector<Node*> Nodes() const;
  const NodeList& node_list() const { return nodes_; }
  int num_nodes() const { return static_cast<int>(nodes_.size()); }

  // Every operand and graph output `from` becomes `to`, of the same type.
  void ReplaceAllUses(Value from, Value to);
  // One operand; the new value has the type of the old.
  void ReplaceInput(Node* user, int operand, Value to);
  // The node is not an output and has no users. Erasing a graph input changes
  // the graph's signature.
  void Erase(Node* node);

  // Adds what `from` stands for to the sources of `to`; names `to` after
  // `from` where it has no name.
  void MergeSources(Node* to, const Node* from);
  void SetSources(Node* node, std::vector<std::string> sources);

  // Stable: nodes keep their order where it is already right. Fails, naming a
  // node, where operands form a cycle.
  absl::Status SortTopologically();

  // Equal in text, ids included; constants and kernel bodies are shared.
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
