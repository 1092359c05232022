// Graph: a typed dataflow graph of tensor operators.
//
// A Graph owns its Nodes and keeps them in a list. The list must be in
// topological order: each operand precedes its users. Verify() checks this
// order, and SortTopologically() restores it. A node has one or more results,
// and a Value refers to one of them. The TensorType of a result is inferred
// when the node is created. After that, only its encoding can change. The id of
// a node is unique in its graph and is not reused.
//
// Operand and user lists are modified only through Graph, which keeps them
// consistent with each other. A pointer to a node is valid until the node is
// erased.
//
//   Graph graph("net");
//   ASSAY_ASSIGN_OR_RETURN(Node* x, graph.AddInput("x", type));
//   ASSAY_ASSIGN_OR_RETURN(
//       Node* y, graph.AddNode(OpKind::kRelu, NoAttrs(), {{x}}, "Relu_0"));
//   graph.AddOutput("y", {y});
//
// Error messages name the node. Misuse of the API, such as erasing a node that
// has users, CHECK-fails. Nodes and values passed to a method must belong to
// this graph; only Verify() detects values of another graph. Concurrent
// modifications are not allowed.
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

// A use of a value: operand `operand` (from 0) of node `user`.
struct Use {
  Node* user = nullptr;
  int operand = 0;
};

class Node {
 public:
  ~Node();

  int id() const { return id_; }
  OpKind kind() const { return kind_; }
  const Attrs& attrs() const { return attrs_; }
  // Returns the attributes as struct T. CHECK-fails if they have another type.
  template <typename T>
  const T& attrs_as() const {
    CHECK(std::holds_alternative<T>(attrs_)) << kind_;
    return std::get<T>(attrs_);
  }

  // name() is the name of the node in the source model; for an input it is the
  // name in the graph. sources() are the names of all source nodes that passes
  // merged into this node. Both may be empty.
  const std::string& name() const { return name_; }
  const std::vector<std::string>& sources() const { return sources_; }
  // Returns a label for messages: "`Conv_0` (conv2d)", or "`%7` (relu)" if the
  // node has no name.
  std::string Label() const;

  absl::Span<const Value> inputs() const { return inputs_; }
  Value input(int i) const { return inputs_[i]; }
  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  int num_outputs() const { return static_cast<int>(types_.size()); }
  const TensorType& type(int output = 0) const { return types_[output]; }
  const std::vector<TensorType>& types() const { return types_; }
  // Has one entry for each use of a result of this node as an operand. The
  // order is unspecified.
  absl::Span<const Use> users() const { return users_; }

 private:
  friend class Graph;
  friend class GraphTestPeer;
  Node();

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

// A graph output. A bounded output has a bounded dynamic dimension
// (compiler/docs/graph_ir.md) along axis `axis`. The graph output with index
// `extent` holds the extent of this axis as an int64 tensor with one element.
struct Output {
  std::string name;  // may be empty
  Value value;
  int axis = -1;
  int extent = -1;         // index of an output; -1 if not bounded
  bool is_extent = false;  // true if this output only holds an extent

  bool is_bounded() const { return extent >= 0; }
};

class Graph {
 public:
  using NodeList = std::list<std::unique_ptr<Node>>;

  explicit Graph(absl::string_view name);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& name() const { return name_; }
  void set_name(absl::string_view name) { name_ = std::string(name); }

  // Returns InvalidArgument if the name is empty, if another input has this
  // name, or if the type has too many elements.
  absl::StatusOr<Node*> AddInput(absl::string_view name, TensorType type);
  // Adds a constant. The graph shares the memory of `value`, which must not be
  // modified afterwards. The new node is placed before `before`, or at the end
  // if `before` is null.
  Node* AddConstant(NDArray value, absl::string_view name = "",
                    Node* before = nullptr);
  // Adds a node whose result types are inferred. The node is placed before
  // `before`, or at the end if `before` is null. Returns an error if type
  // inference fails. CHECK-fails if `kind` is an input or a constant, if
  // `attrs` is not the struct of the operator, or if an operand does not exist.
  absl::StatusOr<Node*> AddNode(OpKind kind, Attrs attrs,
                                absl::Span<const Value> inputs,
                                absl::string_view name = "",
                                Node* before = nullptr);
  // Adds a copy of `node`, of any graph, with other operands of the same types.
  // Its attributes, name, sources and types are those of `node`.
  Node* AddCopy(const Node& node, absl::Span<const Value> inputs);
  // Stores the only result of `node`, which is no kernel, in another way.
  // Returns InvalidArgument if a tensor of its type cannot be stored so.
  absl::Status SetEncoding(Node* node, const Encoding& encoding);
  void AddOutput(absl::string_view name, Value value);
  // Makes axis `axis` of data output `output` bounded, and adds an output for
  // `extent`. All data outputs must be added before the first call.
  void BoundOutput(int output, int axis, Value extent);

  // Inputs and outputs are in the order in which they were added. All data
  // outputs precede the outputs that only hold an extent.
  const std::vector<Node*>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  absl::Span<const Output> data_outputs() const;
  // Returns true if a result of `node` is a graph output.
  bool IsOutput(const Node* node) const;

  // Returns a copy of the node list, so that callers can add and erase nodes
  // while they iterate over the copy.
  std::vector<Node*> Nodes() const;
  const NodeList& node_list() const { return nodes_; }
  int num_nodes() const { return static_cast<int>(nodes_.size()); }

  // Replaces every use of `from`, as an operand or as a graph output, by `to`.
  // Both values must have the same type.
  void ReplaceAllUses(Value from, Value to);
  // Replaces operand `operand` of `user` by `to`, which must have the same
  // type, but may be stored in another way.
  void ReplaceInput(Node* user, int operand, Value to);
  // Replaces the value of graph output `output` by `to`, which must have the
  // same type, but may be stored in another way.
  void ReplaceOutput(int output, Value to);
  // Erases `node`, which must not be an output and must have no users. Erasing
  // a graph input changes the signature of the graph.
  void Erase(Node* node);

  // Adds the sources of `from` to the sources of `to`. If `to` has no name, it
  // gets the name of `from`.
  void MergeSources(Node* to, const Node* from);
  void SetSources(Node* node, std::vector<std::string> sources);

  // Sorts the list topologically. A list that is already in topological order
  // is not changed. Returns InvalidArgument, with the name of a node, if the
  // operands form a cycle.
  absl::Status SortTopologically();

  // Returns a copy whose text form and node ids are equal to those of this
  // graph. Both graphs share constants and kernel bodies. The list must be in
  // topological order.
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
