#include "compiler/graph/views.h"

#include <optional>
#include <vector>

#include "compiler/graph/stored_slice.h"

namespace assay::graph {
namespace {

// The operator that `node` is, or that it holds if it is a kernel of one;
// nullptr for other kernels.
const Node* OnlyOperator(const Node& node) {
  if (node.kind() != OpKind::kKernel) return &node;
  const Graph& body = *node.attrs_as<KernelAttrs>().body;
  const Node* only = nullptr;
  for (const Node* inner : body.Nodes()) {
    if (inner->kind() == OpKind::kInput) continue;
    if (only != nullptr) return nullptr;
    only = inner;
  }
  return only;
}

// The operands of `op`, the only operator of `node`, outside of the kernel.
std::vector<Value> OperandsOf(const Node& node, const Node& op) {
  std::vector<Value> operands(op.inputs().begin(), op.inputs().end());
  if (&op == &node) return operands;
  const Graph& body = *node.attrs_as<KernelAttrs>().body;
  for (Value& operand : operands) {
    for (size_t i = 0; i < body.inputs().size(); ++i) {
      if (operand.node != body.inputs()[i]) continue;
      operand = node.input(static_cast<int>(i));
      break;
    }
  }
  return operands;
}

int64_t NumElementsBefore(const Shape& shape, size_t axis) {
  int64_t count = 1;
  for (size_t d = 0; d < axis; ++d) count *= shape[d];
  return count;
}

// The position in the operand of the first element that a slice takes, if the
// others follow it in the operand's order.
std::optional<int64_t> ContiguousFrom(const Shape& operand,
                                      const SliceAttrs& slice) {
  // Axes from the outermost: one index each, then a range, then whole axes.
  size_t range = 0;
  while (range < operand.size() && slice.sizes[range] == 1) ++range;
  int64_t from = 0, stride = 1;
  for (size_t d = operand.size(); d-- > 0; stride *= operand[d]) {
    const bool whole = slice.sizes[d] == operand[d];
    if (d > range && !whole) return std::nullopt;
    if (slice.sizes[d] > 1 && slice.steps[d] != 1) return std::nullopt;
    from += slice.begins[d] * stride;
  }
  return from;
}

// The offset of the result in the operand, for every operator whose result is a
// view of its operand.
std::optional<int64_t> PartFrom(const Node& op) {
  if (op.num_inputs() == 0) return std::nullopt;
  const TensorType& operand = op.input(0).type();
  switch (op.kind()) {
    case OpKind::kReshape:
    case OpKind::kEncode:
      if (!operand.IsRowMajor() || !op.type().IsRowMajor()) return std::nullopt;
      return 0;
    case OpKind::kSlice:
      if (operand.encoding != op.type().encoding) return std::nullopt;
      return ContiguousFrom(
          operand.stored().shape,
          StoredSlice(op.attrs_as<SliceAttrs>(), operand.encoding));
    default:
      return std::nullopt;
  }
}

class Finder {
 public:
  Finder(const Graph& graph, int64_t alignment)
      : graph_(graph), alignment_(alignment) {}

  // Users before operands: a value that a concat has placed is not placed again
  // by a slice before it.
  Views Run() {
    const std::vector<Node*> nodes = graph_.Nodes();
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) Visit(*it);
    return std::move(views_);
  }

 private:
  void Visit(Node* node) {
    const Node* op = OnlyOperator(*node);
    if (op == nullptr || !IsMovable({node})) return;
    if (op->kind() == OpKind::kConcat) {
      PlaceOperands(node, *op);
    } else if (const std::optional<int64_t> from = PartFrom(*op)) {
      PlaceResult(node, *op, *from);
    }
  }

  // Returns true if the value is in the arena.
  bool IsMovable(Value value) const {
    return value.node->kind() != OpKind::kInput &&
           value.node->kind() != OpKind::kConstant &&
           value.node->num_outputs() == 1 && !graph_.IsOutput(value.node) &&
           value.type().num_elements() > 0;
  }

  void PlaceOperands(Node* node, const Node& op) {
    const auto axis = static_cast<size_t>(op.attrs_as<ConcatAttrs>().axis);
    if (NumElementsBefore(node->type().shape, axis) != 1) return;
    absl::flat_hash_map<Value, View> placed;
    int64_t offset = 0;
    for (const Value operand : OperandsOf(*node, op)) {
      if (!IsMovable(operand) || offset % alignment_ != 0 ||
          views_.parts.contains(operand) ||
          !placed.try_emplace(operand, View{{node}, offset}).second) {
        return;
      }
      offset += operand.type().num_bytes();
    }
    views_.parts.insert(placed.begin(), placed.end());
    views_.elided.insert(node);
  }

  void PlaceResult(Node* node, const Node& op, int64_t from) {
    const Value operand = OperandsOf(*node, op)[0];
    const int64_t offset = from * node->type().stored().dtype.bytes();
    if (!IsMovable(operand) || offset % alignment_ != 0 ||
        views_.parts.contains({node})) {
      return;
    }
    views_.parts[{node}] = {operand, offset};
    views_.elided.insert(node);
  }

  const Graph& graph_;
  const int64_t alignment_;
  Views views_;
};

}  // namespace

View Views::RootOf(Value part) const {
  View view = {part, 0};
  for (auto it = parts.find(part); it != parts.end();
       it = parts.find(view.whole)) {
    view = {it->second.whole, view.offset + it->second.offset};
  }
  return view;
}

Views FindViews(const Graph& graph, int64_t alignment) {
  return Finder(graph, alignment).Run();
}

}  // namespace assay::graph
