#include "compiler/graph/passes/widen_floats.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

const DType kFloat32 = DType::Float32();

bool IsShort(DType dtype) {
  return dtype == DType::Float16() || dtype == DType::BFloat16();
}

bool IsConv(const Node& node) {
  return (node.kind() == OpKind::kConv2d ||
          node.kind() == OpKind::kConv2dTranspose) &&
         IsShort(node.input(0).type().dtype) &&
         IsShort(node.input(1).type().dtype);
}

// Returns true for elementwise operators and operators that move data, whose
// operands and results have one type of floats.
bool ConnectsRegion(OpKind kind) {
  switch (kind) {
    case OpKind::kBroadcastTo:
    case OpKind::kConcat:
    case OpKind::kPad:
    case OpKind::kReshape:
    case OpKind::kSelect:
    case OpKind::kSlice:
    case OpKind::kTranspose:
      return true;
    default:
      return IsUnary(kind) || IsBinary(kind);
  }
}

// Returns true if `node` can compute its result in float32, apart from rounding
// it to its type of 16 bits.
bool CanWiden(const Node& node) {
  return ConnectsRegion(node.kind()) && IsShort(node.type().dtype);
}

// Returns true if a float32 result of `node` is a 16-bit float whenever the
// operands are.
bool IsExact(const Node& node) {
  switch (node.kind()) {
    case OpKind::kAbs:
    case OpKind::kBroadcastTo:
    case OpKind::kConcat:
    case OpKind::kMaximum:
    case OpKind::kMinimum:
    case OpKind::kNegate:
    case OpKind::kRelu:
    case OpKind::kReshape:
    case OpKind::kSelect:
    case OpKind::kSlice:
    case OpKind::kTranspose:
      return true;
    case OpKind::kPad: {
      const float value = node.attrs_as<PadAttrs>().value;
      return value == 0 || std::isinf(value);
    }
    default:
      return false;
  }
}

// Sets of values: each value has a representative, which two values of a set
// share.
class Regions {
 public:
  Value Find(Value value) {
    while (true) {
      const auto it = parent_.find(value);
      if (it == parent_.end()) return value;
      value = it->second;
    }
  }

  void Join(Value a, Value b) {
    a = Find(a);
    b = Find(b);
    if (!(a == b)) parent_[a] = b;
  }

 private:
  absl::flat_hash_map<Value, Value> parent_;
};

// Returns true if only operators of a region are between `value` and a
// convolution, along their first operands.
bool ComesFromConv(Value value) {
  while (ConnectsRegion(value.node->kind())) value = value.node->input(0);
  return IsConv(*value.node);
}

// The representatives of the regions to be widened.
absl::flat_hash_set<Value> RegionsOfConvs(const std::vector<Node*>& nodes,
                                          Regions& regions) {
  std::vector<Value> seeds;
  for (Node* node : nodes) {
    if (IsConv(*node)) {
      seeds.push_back(node->input(0));
    } else if (node->kind() == OpKind::kCast && IsShort(node->type().dtype) &&
               ComesFromConv(node->input(0))) {
      seeds.push_back({node});
    } else if (CanWiden(*node)) {
      for (const Value x : node->inputs()) {
        if (IsShort(x.type().dtype) && ConstantOf(x) == nullptr) {
          regions.Join(x, {node});
        }
      }
    }
  }
  absl::flat_hash_set<Value> wanted;
  for (const Value seed : seeds) wanted.insert(regions.Find(seed));
  return wanted;
}

// One run of the pass.
class Rewriter {
 public:
  explicit Rewriter(Graph& graph) : graph_(graph) {}

  absl::StatusOr<bool> Run() {
    const std::vector<Node*> nodes = graph_.Nodes();
    Regions regions;
    const absl::flat_hash_set<Value> wanted = RegionsOfConvs(nodes, regions);
    if (wanted.empty()) return false;
    // Found before any node is replaced.
    absl::flat_hash_set<Node*> widened;
    for (Node* node : nodes) {
      if (CanWiden(*node) && wanted.contains(regions.Find({node}))) {
        widened.insert(node);
      }
    }
    for (Node* node : nodes) {
      if (IsConv(*node)) {
        ASSAY_ASSIGN_OR_RETURN(const Value result, InsertWide(node));
        Replace(graph_, node, result);
      } else if (widened.contains(node)) {
        ASSAY_RETURN_IF_ERROR(Widen(node));
      } else if (node->kind() == OpKind::kCast &&
                 node->type().dtype == kFloat32 && !graph_.IsOutput(node)) {
        const auto it = wide_.find(node->input(0));
        if (it != wide_.end()) Replace(graph_, node, it->second);
      }
    }
    // The 16-bit form of a result may have no users.
    ASSAY_RETURN_IF_ERROR(DeadCode().Run(graph_).status());
    return true;
  }

 private:
  // The elements of the 16-bit floats `value` as float32, for the operands of
  // nodes from `before` on.
  absl::StatusOr<Value> Wide(Value value, Node* before) {
    const auto it = wide_.find(value);
    if (it != wide_.end()) return it->second;
    FoldingBuilder add(graph_, before);
    ASSAY_ASSIGN_OR_RETURN(const Value wide, add.Cast(value, kFloat32));
    wide_[value] = wide;
    return wide;
  }

  // Inserts `node` with float32 operands instead of 16-bit floats.
  absl::StatusOr<Value> InsertWide(Node* node) {
    std::vector<Value> operands(node->inputs().begin(), node->inputs().end());
    for (Value& operand : operands) {
      if (!IsShort(operand.type().dtype)) continue;
      ASSAY_ASSIGN_OR_RETURN(operand, Wide(operand, node));
    }
    return Insert(graph_, node->kind(), node->attrs(), operands, node);
  }

  // Computes `node` in float32. Its users outside of the region read the result
  // as 16-bit floats.
  absl::Status Widen(Node* node) {
    ASSAY_ASSIGN_OR_RETURN(const Value result, InsertWide(node));
    graph_.MergeSources(result.node, node);
    ASSAY_ASSIGN_OR_RETURN(
        const Value narrow,
        Insert(graph_, OpKind::kCast, CastAttrs{node->type().dtype}, {result},
               node));
    if (IsExact(*node)) {
      wide_[narrow] = result;
    } else {
      ASSAY_ASSIGN_OR_RETURN(
          wide_[narrow],
          Insert(graph_, OpKind::kCast, CastAttrs{kFloat32}, {narrow}, node));
    }
    Replace(graph_, node, narrow);
    return absl::OkStatus();
  }

  Graph& graph_;
  absl::flat_hash_map<Value, Value> wide_;
};

}  // namespace

absl::StatusOr<bool> WidenFloats::Run(Graph& graph) {
  return Rewriter(graph).Run();
}

}  // namespace assay::graph
