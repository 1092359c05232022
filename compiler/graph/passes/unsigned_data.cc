#include "compiler/graph/passes/unsigned_data.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/passes/filter_sums.h"
#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

const DType kInt8 = DType::Int(8);
const DType kUInt8 = DType::UInt(8);
const DType kInt32 = DType::Int32();
constexpr int64_t kOffset = 128;

using MaybeValue = std::optional<Value>;

// An int8 constant, with the offset added to each element.
NDArray Shifted(const NDArray& x) {
  NDArray result(kUInt8, x.shape());
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    StoreInt(result, i, LoadInt(x, i) + kOffset);
  }
  return result;
}

// One run of the pass. `unsigned_` maps int8 values to the uint8 values that
// are larger by the offset.
class Rewriter {
 public:
  explicit Rewriter(Graph& graph) : graph_(graph) {}

  absl::StatusOr<bool> Run() {
    bool added = false, replaced = false;
    const int before = graph_.num_nodes();
    for (Node* node : graph_.Nodes()) {
      if (node->num_inputs() == 0 || node->num_outputs() != 1) continue;
      if (node->type().dtype == kInt8) {
        ASSAY_ASSIGN_OR_RETURN(const MaybeValue twin, Twin(node));
        if (!twin.has_value()) continue;
        unsigned_[{node}] = *twin;
        added = true;
      } else {
        ASSAY_ASSIGN_OR_RETURN(const MaybeValue same, Reader(node));
        if (!same.has_value()) continue;
        Replace(graph_, node, *same);
        replaced = true;
      }
    }
    if (!added) return false;
    // Each twin, or the value that it replaces, may have no users.
    ASSAY_RETURN_IF_ERROR(DeadCode().Run(graph_).status());
    return replaced || graph_.num_nodes() != before;
  }

 private:
  // An int8 constant has a twin, too, which is added when it is needed.
  bool HasTwin(Value value) const {
    const NDArray* constant = ConstantOf(value);
    return unsigned_.contains(value) ||
           (constant != nullptr && constant->dtype() == kInt8);
  }

  // `value` must have a twin.
  Value TwinOf(Value value, Node* before) {
    const auto it = unsigned_.find(value);
    if (it != unsigned_.end()) return it->second;
    return unsigned_[value] = {
               graph_.AddConstant(Shifted(*ConstantOf(value)), "", before)};
  }

  // The int8 result of `node` plus the offset; nullopt if it cannot be computed
  // directly.
  absl::StatusOr<MaybeValue> Twin(Node* node) {
    Attrs attrs = node->attrs();
    std::vector<Value> operands(node->inputs().begin(), node->inputs().end());
    // The operands to which the offset is added.
    std::vector<int> shifted;
    switch (node->kind()) {
      case OpKind::kQuantize:
      case OpKind::kRequantize:
        std::get<QuantizeAttrs>(attrs).dtype = kUInt8;
        shifted = {2};
        break;
      case OpKind::kPad:
        std::get<PadAttrs>(attrs).value += static_cast<float>(kOffset);
        shifted = {0};
        break;
      case OpKind::kMaximum:
      case OpKind::kMinimum:
        shifted = {0, 1};
        break;
      case OpKind::kMaxPool2d:
      case OpKind::kReshape:
      case OpKind::kTranspose:
      case OpKind::kSlice:
      case OpKind::kBroadcastTo:
      case OpKind::kGather:
        shifted = {0};
        break;
      case OpKind::kConcat:
        for (int i = 0; i < node->num_inputs(); ++i) shifted.push_back(i);
        break;
      default:
        return std::nullopt;
    }
    for (const int i : shifted) {
      if (!HasTwin(operands[i])) return std::nullopt;
    }
    for (const int i : shifted) operands[i] = TwinOf(operands[i], node);
    ASSAY_ASSIGN_OR_RETURN(
        const Value twin,
        Insert(graph_, node->kind(), std::move(attrs), operands, node));
    graph_.MergeSources(twin.node, node);
    return twin;
  }

  // The result of `node`, which reads int8, computed from uint8; nullopt if it
  // cannot be.
  absl::StatusOr<MaybeValue> Reader(Node* node) {
    const Value x = node->input(0);
    if (x.type().dtype != kInt8 || !unsigned_.contains(x)) return std::nullopt;
    const Value data = unsigned_.at(x);
    switch (node->kind()) {
      case OpKind::kDequantize: {
        if (!HasTwin(node->input(2))) return std::nullopt;
        const Value zero = TwinOf(node->input(2), node);
        ASSAY_ASSIGN_OR_RETURN(
            const Value result,
            Insert(graph_, OpKind::kDequantize, node->attrs(),
                   {data, node->input(1), zero}, node));
        return result;
      }
      case OpKind::kCast:
        if (node->type().dtype != kInt32) return std::nullopt;
        return WithoutOffset(node, {data});
      case OpKind::kConv2d:
      case OpKind::kDense:
      case OpKind::kMatmul:
        if (ConstantOf(node->input(1)) == nullptr ||
            node->input(1).type().dtype != kInt8) {
          return std::nullopt;
        }
        return WithoutOffset(node, {data, node->input(1)});
      default:
        return std::nullopt;
    }
  }

  // The result of `node` on `operands`, the first of which is larger by the
  // offset than the operand of `node`. The second are weights.
  absl::StatusOr<MaybeValue> WithoutOffset(Node* node,
                                           const std::vector<Value>& operands) {
    Attrs attrs = node->attrs();
    if (node->kind() == OpKind::kConv2d) {
      std::get<Conv2dAttrs>(attrs).pad_value += kOffset;
    }
    ASSAY_ASSIGN_OR_RETURN(const Value sum,
                           Insert(graph_, node->kind(), attrs, operands, node));
    graph_.MergeSources(sum.node, node);
    FoldingBuilder add(graph_, node);
    Value offset = add.IntScalar(kInt32, kOffset);
    if (operands.size() > 1) {
      ASSAY_ASSIGN_OR_RETURN(offset,
                             FilterSums(add, node, operands[1], offset));
    }
    return add.Add(OpKind::kSubtract, NoAttrs(), {sum, offset});
  }

  Graph& graph_;
  absl::flat_hash_map<Value, Value> unsigned_;
};

}  // namespace

absl::StatusOr<bool> UnsignedData::Run(Graph& graph) {
  if (!costs_.MultipliesUnsignedOnly()) return false;
  return Rewriter(graph).Run();
}

}  // namespace assay::graph
