#include "compiler/graph/passes/pack_dense.h"

#include <utility>
#include <vector>

#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// The sizes of a product that can be packed.
bool IsPackable(DType data, DType weights) {
  const auto is_byte = [](DType type) {
    return type == DType::Int(8) || type == DType::UInt(8);
  };
  return (data == DType::Float32() && weights == data) ||
         (is_byte(data) && is_byte(weights));
}

std::optional<DenseProduct> ProductOf(const Node& node) {
  const bool dense = node.kind() == OpKind::kDense;
  if (!dense && node.kind() != OpKind::kMatmul) return std::nullopt;
  const Value x = node.input(0), w = node.input(1);
  if (!IsPackable(x.type().dtype, w.type().dtype) || w.type().rank() != 2 ||
      w.node->kind() != OpKind::kConstant) {
    return std::nullopt;
  }
  const Shape& weights = w.type().shape;
  DenseProduct product;
  product.units = weights[dense ? 0 : 1];
  product.depth = weights[dense ? 1 : 0];
  if (product.depth == 0 || product.units == 0) return std::nullopt;
  product.rows = x.type().num_elements() / product.depth;
  product.data = x.type().dtype;
  product.weights = w.type().dtype;
  return product;
}

// Adds nodes before `before` and gives them its sources.
class Adder {
 public:
  Adder(Graph& graph, Node* before) : graph_(graph), before_(before) {}

  absl::StatusOr<Value> Add(OpKind kind, Attrs attrs,
                            std::vector<Value> operands) {
    ASSAY_ASSIGN_OR_RETURN(Node * node,
                           graph_.AddNode(kind, std::move(attrs), operands,
                                          before_->name(), before_));
    graph_.MergeSources(node, before_);
    return Value{node};
  }

  absl::StatusOr<Value> Reshape(Value x, Shape shape) {
    if (x.type().shape == shape) return x;
    return Add(OpKind::kReshape, ReshapeAttrs{std::move(shape)}, {x});
  }

 private:
  Graph& graph_;
  Node* const before_;
};

// Packs weights [units, k], or [k, units] if `units_last`, into [panels, depth,
// width], or into [panels, depth / factors, width, factors].
absl::StatusOr<Value> Panels(Adder& add, Value weights, bool units_last,
                             const DensePanels& panels) {
  const int units = units_last ? 1 : 0, k = 1 - units;
  const Shape& shape = weights.type().shape;
  const int64_t number = (shape[units] + panels.width - 1) / panels.width;
  PadAttrs pad = {{0, 0}, {0, 0}};
  pad.after[units] = number * panels.width - shape[units];
  pad.after[k] = panels.depth - shape[k];
  if (pad.after[0] > 0 || pad.after[1] > 0) {
    ASSAY_ASSIGN_OR_RETURN(weights, add.Add(OpKind::kPad, pad, {weights}));
  }
  if (panels.bfloat16_parts > 0) {
    ASSAY_ASSIGN_OR_RETURN(
        weights, add.Add(OpKind::kSplitBFloat16, NoAttrs(), {weights}));
    constexpr int64_t kDepth = 32, kFactors = 2;
    const int64_t parts = panels.bfloat16_parts, width = panels.width;
    const int64_t blocks = panels.depth / kDepth, rows = kDepth / kFactors;
    const Shape split =
        units_last ? Shape{parts, blocks, rows, kFactors, number, width}
                   : Shape{parts, number, width, blocks, rows, kFactors};
    ASSAY_ASSIGN_OR_RETURN(weights, add.Reshape(weights, split));
    const std::vector<int64_t> order =
        units_last ? std::vector<int64_t>{4, 1, 0, 2, 5, 3}
                   : std::vector<int64_t>{1, 3, 0, 4, 2, 5};
    return add.Add(OpKind::kTranspose, TransposeAttrs{order}, {weights});
  }
  const int64_t factors = panels.factors;
  if (factors > 1) {
    if (weights.type().dtype != panels.weight_type) {
      ASSAY_ASSIGN_OR_RETURN(
          weights,
          add.Add(OpKind::kCast, CastAttrs{panels.weight_type}, {weights}));
    }
    const int64_t steps = panels.depth / factors;
    const Shape split = units_last
                            ? Shape{steps, factors, number, panels.width}
                            : Shape{number, panels.width, steps, factors};
    ASSAY_ASSIGN_OR_RETURN(weights, add.Reshape(weights, split));
    const std::vector<int64_t> order = units_last
                                           ? std::vector<int64_t>{2, 0, 3, 1}
                                           : std::vector<int64_t>{0, 2, 1, 3};
    return add.Add(OpKind::kTranspose, TransposeAttrs{order}, {weights});
  }
  const Shape apart = units_last ? Shape{panels.depth, number, panels.width}
                                 : Shape{number, panels.width, panels.depth};
  ASSAY_ASSIGN_OR_RETURN(weights, add.Reshape(weights, apart));
  const std::vector<int64_t> order = units_last ? std::vector<int64_t>{1, 0, 2}
                                                : std::vector<int64_t>{0, 2, 1};
  return add.Add(OpKind::kTranspose, TransposeAttrs{order}, {weights});
}

// Without `panels` the product becomes `dense`.
absl::Status Replace(Graph& graph, Node* node, const DenseProduct& product,
                     const std::optional<DensePanels>& panels) {
  const bool matmul = node->kind() == OpKind::kMatmul;
  Adder add(graph, node);
  Value weights = node->input(1);
  if (panels.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(weights, Panels(add, weights, matmul, *panels));
  } else {
    ASSAY_ASSIGN_OR_RETURN(weights, add.Add(OpKind::kTranspose,
                                            TransposeAttrs{{1, 0}}, {weights}));
  }
  ASSAY_ASSIGN_OR_RETURN(
      const Value rows,
      add.Reshape(node->input(0), {product.rows, product.depth}));
  Value result;
  if (panels.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(
        result, add.Add(OpKind::kPackedDense, PackedDenseAttrs{product.units},
                        {rows, weights}));
  } else {
    ASSAY_ASSIGN_OR_RETURN(result,
                           add.Add(OpKind::kDense, NoAttrs(), {rows, weights}));
  }
  ASSAY_ASSIGN_OR_RETURN(result, add.Reshape(result, node->type().shape));
  graph.ReplaceAllUses({node}, result);
  graph.Erase(node);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> PackDense::Run(Graph& graph) {
  if (choose_ == nullptr) return false;
  bool changed = false;
  const std::vector<Node*> nodes = graph.Nodes();
  for (Node* node : nodes) {
    const std::optional<DenseProduct> product = ProductOf(*node);
    if (!product.has_value()) continue;
    const std::optional<DensePanels> panels = choose_(*product);
    if (!panels.has_value() &&
        (node->kind() == OpKind::kDense || !product->data.is_float())) {
      continue;
    }
    ASSAY_RETURN_IF_ERROR(Replace(graph, node, *product, panels));
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
