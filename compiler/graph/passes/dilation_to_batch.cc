#include "compiler/graph/passes/dilation_to_batch.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool Applies(const Node& node) {
  if (node.kind() != OpKind::kConv2d || node.type().dtype != DType::Float32() ||
      ConstantOf(node.input(1)) == nullptr) {
    return false;
  }
  const auto& attrs = node.attrs_as<Conv2dAttrs>();
  if (attrs.groups != 1 || attrs.strides != Pair{1, 1} ||
      attrs.dilations == Pair{1, 1}) {
    return false;
  }
  const Shape& data = node.input(0).type().shape;
  for (int i = 0; i < 2; ++i) {
    const int64_t d = attrs.dilations[i];
    if (attrs.padding[i] % d != 0 || attrs.padding[2 + i] % d != 0 ||
        data[2 + i] % d != 0) {
      return false;
    }
  }
  return true;
}

// [dh*dw*n,c,h/dh,w/dw] for an image [n,c,h,w].
Shape BatchOf(const Shape& s, const Pair& d) {
  return {d[0] * d[1] * s[0], s[1], s[2] / d[0], s[3] / d[1]};
}

absl::StatusOr<Value> Transpose(FoldingBuilder& add, Value x,
                                std::vector<int64_t> perm) {
  return add.Add(OpKind::kTranspose, TransposeAttrs{std::move(perm)}, {x});
}

absl::StatusOr<Value> ToBatch(FoldingBuilder& add, Value image, const Pair& d) {
  const Shape s = image.type().shape;
  ASSAY_ASSIGN_OR_RETURN(
      Value x,
      add.Reshape(image, {s[0], s[1], s[2] / d[0], d[0], s[3] / d[1], d[1]}));
  ASSAY_ASSIGN_OR_RETURN(x, Transpose(add, x, {3, 5, 0, 1, 2, 4}));
  return add.Reshape(x, BatchOf(s, d));
}

// The inverse of ToBatch(). `shape` is that of the image.
absl::StatusOr<Value> FromBatch(FoldingBuilder& add, Value images,
                                const Pair& d, const Shape& shape) {
  const Shape s = images.type().shape;
  ASSAY_ASSIGN_OR_RETURN(
      Value x, add.Reshape(images, {d[0], d[1], shape[0], s[1], s[2], s[3]}));
  ASSAY_ASSIGN_OR_RETURN(x, Transpose(add, x, {2, 3, 4, 0, 5, 1}));
  return add.Reshape(x, shape);
}

}  // namespace

absl::StatusOr<bool> DilationToBatch::Run(Graph& graph) {
  bool changed = false;
  const std::vector<Node*> nodes = graph.Nodes();
  for (Node* node : nodes) {
    if (!Applies(*node)) continue;
    const auto& dilated = node->attrs_as<Conv2dAttrs>();
    const Pair d = dilated.dilations;
    Conv2dAttrs batch = dilated;
    batch.dilations = {1, 1};
    for (int i = 0; i < 4; ++i) batch.padding[i] /= d[i % 2];
    const TensorType& data = node->input(0).type();
    if (!costs_.RunsAsBatch(dilated, data, batch,
                            {data.dtype, BatchOf(data.shape, d)},
                            node->input(1).type())) {
      continue;
    }
    FoldingBuilder add(graph, node);
    ASSAY_ASSIGN_OR_RETURN(const Value images, ToBatch(add, node->input(0), d));
    ASSAY_ASSIGN_OR_RETURN(
        const Value results,
        Insert(graph, OpKind::kConv2d, batch, {images, node->input(1)}, node));
    ASSAY_ASSIGN_OR_RETURN(const Value image,
                           FromBatch(add, results, d, node->type().shape));
    graph.SetSources(results.node, node->sources());
    Replace(graph, node, image);
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
