#include "compiler/graph/passes/dilation_to_batch.h"

#include <cstdint>
#include <utility>
#include <vector>

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
  if (attrs.in_block != 0 || attrs.groups != 1 || attrs.strides != Pair{1, 1} ||
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

absl::StatusOr<Value> Reshape(Graph& graph, Value x, Shape shape,
                              Node* before) {
  return Insert(graph, OpKind::kReshape, ReshapeAttrs{std::move(shape)}, {x},
                before);
}

absl::StatusOr<Value> Transpose(Graph& graph, Value x,
                                std::vector<int64_t> perm, Node* before) {
  return Insert(graph, OpKind::kTranspose, TransposeAttrs{std::move(perm)}, {x},
                before);
}

absl::StatusOr<Value> ToBatch(Graph& graph, Value image, const Pair& d,
                              Node* before) {
  const Shape s = image.type().shape;
  ASSAY_ASSIGN_OR_RETURN(
      Value x,
      Reshape(graph, image, {s[0], s[1], s[2] / d[0], d[0], s[3] / d[1], d[1]},
              before));
  ASSAY_ASSIGN_OR_RETURN(x, Transpose(graph, x, {3, 5, 0, 1, 2, 4}, before));
  return Reshape(graph, x, BatchOf(s, d), before);
}

// The inverse of ToBatch(). `shape` is that of the image.
absl::StatusOr<Value> FromBatch(Graph& graph, Value images, const Pair& d,
                                const Shape& shape, Node* before) {
  const Shape s = images.type().shape;
  ASSAY_ASSIGN_OR_RETURN(
      Value x,
      Reshape(graph, images, {d[0], d[1], shape[0], s[1], s[2], s[3]}, before));
  ASSAY_ASSIGN_OR_RETURN(x, Transpose(graph, x, {2, 3, 4, 0, 5, 1}, before));
  return Reshape(graph, x, shape, before);
}

}  // namespace

absl::StatusOr<bool> DilationToBatch::Run(Graph& graph) {
  if (pays_ == nullptr) return false;
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
    if (!pays_(dilated, data, batch, {data.dtype, BatchOf(data.shape, d)},
               node->input(1).type())) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(const Value images,
                           ToBatch(graph, node->input(0), d, node));
    ASSAY_ASSIGN_OR_RETURN(
        const Value results,
        Insert(graph, OpKind::kConv2d, batch, {images, node->input(1)}, node));
    ASSAY_ASSIGN_OR_RETURN(
        const Value image,
        FromBatch(graph, results, d, node->type().shape, node));
    graph.SetSources(results.node, node->sources());
    Replace(graph, node, image);
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
