#include "compiler/graph/testing/chains.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {
namespace {

constexpr int64_t kSize = 8;

Value Add(Graph& graph, OpKind kind, std::vector<Value> operands,
          Attrs attrs = NoAttrs()) {
  const absl::StatusOr<Node*> node =
      graph.AddNode(kind, std::move(attrs), operands);
  CHECK(node.ok()) << node.status();
  return {*node};
}

Value SliceOf(Graph& graph, Value x, std::vector<int64_t> begins,
              std::vector<int64_t> sizes) {
  return Add(graph, OpKind::kSlice, {x},
             SliceAttrs{std::move(begins), {1, 1}, std::move(sizes)});
}

Value Constant(Graph& graph, float value) {
  NDArray array(DType::Float32(), {});
  array.data<float>()[0] = value;
  return {graph.AddConstant(std::move(array))};
}

Value Tanh(Graph& graph, Value x, Value) {
  return Add(graph, OpKind::kTanh, {x});
}

Value Swish(Graph& graph, Value x, Value) {
  return Add(graph, OpKind::kMultiply, {x, Add(graph, OpKind::kSigmoid, {x})});
}

Value Residual(Graph& graph, Value x, Value) {
  return Add(graph, OpKind::kAdd, {x, Add(graph, OpKind::kTanh, {x})});
}

Value Fibonacci(Graph& graph, Value x, Value before) {
  const Value sum = Add(graph, OpKind::kAdd, {x, before});
  return Add(graph, OpKind::kMultiply, {sum, Constant(graph, 0.6f)});
}

Value Mish(Graph& graph, Value x, Value) {
  const Value gate =
      Add(graph, OpKind::kTanh, {Add(graph, OpKind::kSoftplus, {x})});
  return Add(graph, OpKind::kMultiply, {x, gate});
}

Value Choice(Graph& graph, Value x, Value before) {
  const Value less = Add(graph, OpKind::kLess, {x, before});
  return Add(graph, OpKind::kSelect,
             {less, Add(graph, OpKind::kSin, {x}), before});
}

Value Transposed(Graph& graph, Value x, Value) {
  const Value flipped =
      Add(graph, OpKind::kTranspose, {x}, TransposeAttrs{{1, 0}});
  return Add(graph, OpKind::kTanh, {Add(graph, OpKind::kAdd, {x, flipped})});
}

Value Rolled(Graph& graph, Value x, Value) {
  const Value head = SliceOf(graph, x, {0, 0}, {kSize, 1});
  const Value tail = SliceOf(graph, x, {0, 1}, {kSize, kSize - 1});
  const Value rolled =
      Add(graph, OpKind::kConcat, {tail, head}, ConcatAttrs{1});
  return Add(graph, OpKind::kMaximum, {x, rolled});
}

Value Padded(Graph& graph, Value x, Value) {
  const Value padded =
      Add(graph, OpKind::kPad, {x}, PadAttrs{{1, 0}, {0, 0}, 0.5f});
  const Value shifted = SliceOf(graph, padded, {0, 0}, {kSize, kSize});
  return Add(graph, OpKind::kMinimum, {x, shifted});
}

Value Reshaped(Graph& graph, Value x, Value) {
  const Value flat =
      Add(graph, OpKind::kReshape, {x}, ReshapeAttrs{{kSize / 2, 2 * kSize}});
  const Value root = Add(graph, OpKind::kSoftsign, {flat});
  return Add(graph, OpKind::kReshape, {Add(graph, OpKind::kAdd, {root, flat})},
             ReshapeAttrs{{kSize, kSize}});
}

Value Gathered(Graph& graph, Value x, Value) {
  NDArray order(DType::Int64(), {kSize});
  for (int64_t i = 0; i < kSize; ++i) {
    order.data<int64_t>()[i] = (3 * i + 1) % kSize;
  }
  const Value rows =
      Add(graph, OpKind::kGather, {x, {graph.AddConstant(std::move(order))}},
          GatherAttrs{0});
  return Add(graph, OpKind::kMaximum, {x, rows});
}

Value Broadcasted(Graph& graph, Value x, Value) {
  const Value row = SliceOf(graph, x, {kSize - 1, 0}, {1, kSize});
  return Add(graph, OpKind::kTanh, {Add(graph, OpKind::kAdd, {x, row})});
}

Value Centered(Graph& graph, Value x, Value) {
  const Value mean =
      Add(graph, OpKind::kReduceMean, {x}, ReduceAttrs{{1}, true});
  return Add(graph, OpKind::kSubtract, {x, mean});
}

constexpr ChainStep kSteps[] = {
    {"tanh", Tanh},
    {"swish", Swish},
    {"residual", Residual},
    {"fibonacci", Fibonacci},
    {"mish", Mish},
    {"choice", Choice},
    {"transposed", Transposed},
    {"rolled", Rolled},
    {"padded", Padded},
    {"reshaped", Reshaped},
    {"gathered", Gathered},
    {"broadcasted", Broadcasted},
    {"centered", Centered},
};

int NumOperators(const Graph& graph) {
  int count = 0;
  for (const Node* node : graph.Nodes()) {
    if (node->kind() != OpKind::kInput && node->kind() != OpKind::kConstant) {
      ++count;
    }
  }
  return count;
}

}  // namespace

absl::Span<const ChainStep> ChainSteps() { return kSteps; }

std::unique_ptr<Graph> AlternatingChain(const ChainStep& a, const ChainStep& b,
                                        int operators) {
  auto graph =
      std::make_unique<Graph>(absl::StrCat("chain_", a.name, "_", b.name));
  const TensorType type{DType::Float32(), {kSize, kSize}};
  Value before = {*graph->AddInput("x", type)};
  Value last = {*graph->AddInput("y", type)};
  for (int i = 0; NumOperators(*graph) < operators; ++i) {
    const Value next = (i % 2 == 0 ? a : b).apply(*graph, last, before);
    before = std::exchange(last, next);
  }
  graph->AddOutput("z", last);
  return graph;
}

std::unique_ptr<Graph> GatherChain(int operators, bool collect) {
  auto graph = std::make_unique<Graph>("gathers");
  const TensorType type{DType::Int64(), {kSize}};
  Value last = {*graph->AddInput("start", type)};
  std::vector<Value> path;
  for (int i = 0; i < operators; ++i) {
    const Value table = {*graph->AddInput(absl::StrCat("table", i), type)};
    last = Add(*graph, OpKind::kGather, {table, last}, GatherAttrs{0});
    path.push_back(last);
  }
  if (collect) last = Add(*graph, OpKind::kConcat, path, ConcatAttrs{0});
  graph->AddOutput("z", last);
  return graph;
}

}  // namespace assay::graph
