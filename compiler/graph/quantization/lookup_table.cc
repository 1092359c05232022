#include "compiler/graph/quantization/lookup_table.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "compiler/graph/quantization/quantized_value.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

constexpr int64_t kEntries = 256;
// Functions in real networks have fewer operators, for example 5 for a
// hard swish that is exported in parts.
constexpr size_t kMaxNodes = 64;

// The function of one tensor of bytes that ends in a quantize node.
class ByteFunction {
 public:
  // Returns false if `end` is not such a function.
  bool Find(const Node* end) { return Visit(end) && source_ != nullptr; }

  // The node that dequantizes the bytes.
  const Node* source() const { return source_; }
  // The number of operators after the source, quantize included.
  size_t size() const { return nodes_.size(); }

  // Returns the results for all bytes in ascending order.
  absl::StatusOr<NDArray> Table() const {
    Graph table("table");
    absl::flat_hash_map<Value, Value> copies;
    NDArray bytes(source_->input(0).type().dtype, {kEntries});
    const int64_t least = bytes.dtype().is_int() ? -128 : 0;
    for (int64_t i = 0; i < kEntries; ++i) StoreInt(bytes, i, least + i);
    copies[source_->input(0)] = {table.AddConstant(std::move(bytes))};
    Value last;
    std::vector<const Node*> order = {source_};
    order.insert(order.end(), nodes_.begin(), nodes_.end());
    for (const Node* node : order) {
      std::vector<Value> operands;
      for (const Value operand : node->inputs()) {
        const auto copy = copies.find(operand);
        operands.push_back(
            copy != copies.end()
                ? copy->second
                : Value{table.AddConstant(ConstantOf(operand)->Reshaped({}))});
      }
      ASSAY_ASSIGN_OR_RETURN(
          Node * copy, table.AddNode(node->kind(), node->attrs(), operands));
      last = {copy};
      copies[{const_cast<Node*>(node)}] = last;
    }
    table.AddOutput("table", last);
    ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> results, Evaluate(table, {}));
    return std::move(results[0]);
  }

 private:
  // Adds `node` and what it depends on to the function.
  bool Visit(const Node* node) {
    if (node->kind() == OpKind::kDequantize) {
      if (source_ != nullptr) return source_ == node;
      if (node->input(0).type().dtype.bits() != 8 ||
          !OneConstant(node->input(1)) || !OneConstant(node->input(2))) {
        return false;
      }
      source_ = node;
      shape_ = &node->type().shape;
      return true;
    }
    if (visited_.contains(node)) return true;
    const PatternKind pattern = OpPattern(node->kind());
    if ((pattern != PatternKind::kElemWise &&
         pattern != PatternKind::kBroadcast) ||
        node->num_inputs() == 0 || visited_.size() >= kMaxNodes) {
      return false;
    }
    visited_.insert(node);
    for (const Value operand : node->inputs()) {
      if (!OneConstant(operand) && !Visit(operand.node)) return false;
    }
    if (shape_ == nullptr || node->type().shape != *shape_) return false;
    nodes_.push_back(node);
    return true;
  }

  static bool OneConstant(Value x) {
    const NDArray* constant = ConstantOf(x);
    return constant != nullptr && constant->num_elements() == 1;
  }

  const Node* source_ = nullptr;
  const Shape* shape_ = nullptr;
  std::vector<const Node*> nodes_;  // in the order of evaluation
  absl::flat_hash_set<const Node*> visited_;
};

}  // namespace

absl::StatusOr<bool> RewriteAsTable(Graph& graph, Node* node) {
  if (node->kind() != OpKind::kQuantize) return false;
  ByteFunction function;
  // Quantize alone is a multiplication, which is faster than a gather.
  if (!function.Find(node) || function.size() < 2) return false;
  FoldingBuilder add(graph, node);
  ASSAY_ASSIGN_OR_RETURN(NDArray table, function.Table());
  const Value bytes = function.source()->input(0);
  ASSAY_ASSIGN_OR_RETURN(Value index, add.Cast(bytes, DType::Int64()));
  if (bytes.type().dtype.is_int()) {
    ASSAY_ASSIGN_OR_RETURN(
        index, add.Add(OpKind::kAdd, NoAttrs(),
                       {index, add.IntScalar(DType::Int64(), 128)}));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value result,
                         add.Add(OpKind::kGather, GatherAttrs{0},
                                 {add.Constant(std::move(table)), index}));
  Replace(graph, node, result);
  return true;
}

}  // namespace assay::graph
