// Fuzz test: chains of elementwise operators keep their values.
//
// Random graphs of constants, arithmetic, minima, maxima and comparisons are
// compiled for the host and run on special values: NaN, infinities, zeros of
// both signs, subnormal and huge numbers, and the limits of integers. The
// expected values are computed here, with one operation in C++ per operator, so
// that neither the graph passes, the reference interpreter nor the code
// generator can hide an error of the others.
//
// Floats are compared bit for bit. Two things are unspecified and therefore do
// not occur: whether a multiplication and an addition are contracted, and which
// zero is the maximum of 0 and -0. A product is not added to anything, and
// graphs with maxima and minima have no operator that tells zeros apart; their
// zeros compare equal.
//
// The environment variables ASSAY_FUZZ_ROUNDS and ASSAY_FUZZ_SEED set the
// number of graphs of each kind and the seed; the nightly target sets the
// first.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/printer.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay {
namespace {

using graph::OpKind;

constexpr int64_t kElements = 96;
constexpr int kOperators = 8;

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  int64_t value = 0;
  return text != nullptr && absl::SimpleAtoi(text, &value) ? value : otherwise;
}

template <typename T>
std::vector<T> Elements(Rng& rng, int64_t count);

template <>
std::vector<float> Elements(Rng& rng, int64_t count) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float special[] = {
      0.0F,       -0.0F,       1.0F,
      -1.0F,      2.0F,        -2.0F,
      0.5F,       0.25F,       3.0F,
      0.1F,       -0.1F,       10.0F,
      1e38F,      -1e38F,      3e38F,
      1e-38F,     1e-45F,      -1e-45F,
      1e30F,      1e-30F,      infinity,
      -infinity,  12582912.0F, -12582912.0F,
      8388608.0F, 0x1p64F,     0x1p-64F,
      0x1p127F,   0x1p-126F,   std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> elements;
  for (int64_t i = 0; i < count; ++i) {
    elements.push_back(
        rng.UniformInt(0, 2) == 0
            ? rng.UniformFloat(-100, 100)
            : special[rng.UniformInt(0, std::size(special) - 1)]);
  }
  return elements;
}

template <typename T>
std::vector<T> Integers(Rng& rng, int64_t count) {
  const T low = std::numeric_limits<T>::min();
  const T high = std::numeric_limits<T>::max();
  std::vector<T> elements;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t kind = rng.UniformInt(0, 3);
    const T small = static_cast<T>(rng.UniformInt(-3, 9));
    elements.push_back(kind == 0   ? static_cast<T>(low + small)
                       : kind == 1 ? static_cast<T>(high - small)
                       : kind == 2 ? static_cast<T>(rng.NextU64())
                                   : small);
  }
  return elements;
}

template <>
std::vector<int32_t> Elements(Rng& rng, int64_t count) {
  return Integers<int32_t>(rng, count);
}

template <>
std::vector<int64_t> Elements(Rng& rng, int64_t count) {
  return Integers<int64_t>(rng, count);
}

float Apply(OpKind kind, float a, float b) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  switch (kind) {
    case OpKind::kAdd:
      return a + b;
    case OpKind::kSubtract:
      return a - b;
    case OpKind::kMultiply:
      return a * b;
    case OpKind::kDivide:
      return a / b;
    case OpKind::kMaximum:
      return std::isnan(a) || std::isnan(b) ? nan : a < b ? b : a;
    case OpKind::kMinimum:
      return std::isnan(a) || std::isnan(b) ? nan : b < a ? b : a;
    case OpKind::kRelu:
      return a < 0 ? 0 : a;
    case OpKind::kNegate:
      return -a;
    case OpKind::kAbs:
      return std::fabs(a);
    case OpKind::kReciprocal:
      return 1 / a;
    case OpKind::kSqrt:
      return std::sqrt(a);
    case OpKind::kFloor:
      return std::floor(a);
    case OpKind::kRound:
      return std::nearbyint(a);
    case OpKind::kLess:
      return a < b ? a : b;
    case OpKind::kLessEqual:
      return a <= b ? a : b;
    case OpKind::kEqual:
      return a == b ? a : b;
    default:
      CHECK(false) << kind;
      return 0;
  }
}

template <typename T>
T Wrapped(uint64_t value) {
  return static_cast<T>(value);
}

template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
T Apply(OpKind kind, T a, T b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (kind) {
    case OpKind::kAdd:
      return Wrapped<T>(x + y);
    case OpKind::kSubtract:
      return Wrapped<T>(x - y);
    case OpKind::kMultiply:
      return Wrapped<T>(x * y);
    case OpKind::kDivide:
      return b == 0 ? 0 : b == -1 ? Wrapped<T>(0 - x) : a / b;
    case OpKind::kTruncMod:
      return b == 0 || b == -1 ? 0 : a % b;
    case OpKind::kFloorMod: {
      const T r = b == 0 || b == -1 ? 0 : a % b;
      return r != 0 && (r < 0) != (b < 0) ? r + b : r;
    }
    case OpKind::kMaximum:
      return std::max(a, b);
    case OpKind::kMinimum:
      return std::min(a, b);
    case OpKind::kNegate:
      return Wrapped<T>(0 - x);
    case OpKind::kAbs:
      return a < 0 ? Wrapped<T>(0 - x) : a;
    case OpKind::kLess:
      return a < b ? a : b;
    case OpKind::kLessEqual:
      return a <= b ? a : b;
    case OpKind::kEqual:
      return a == b ? a : b;
    default:
      CHECK(false) << kind;
      return 0;
  }
}

// A graph, and the elements of its values that this test expects.
template <typename T>
class Program {
 public:
  Program(Rng& rng, std::vector<OpKind> kinds)
      : rng_(rng), kinds_(std::move(kinds)), graph_("g") {
    for (const char* name : {"x", "y"}) {
      const auto input = graph_.AddInput(name, {Type(), {kElements}});
      CHECK(input.ok()) << input.status();
      Add({*input}, Elements<T>(rng_, kElements), false);
      inputs_.push_back(values_.back().elements);
    }
    for (int i = 0; i < kOperators; ++i) AddOperator();
    for (const Element& value : values_) {
      if (!value.value.node->users().empty()) continue;
      if (value.value.node->kind() == OpKind::kInput) continue;
      graph_.AddOutput(absl::StrCat("o", expected_.size()), value.value);
      expected_.push_back(value.elements);
    }
  }

  const graph::Graph& graph() const { return graph_; }
  const std::vector<std::vector<T>>& inputs() const { return inputs_; }
  const std::vector<std::vector<T>>& expected() const { return expected_; }

 private:
  struct Element {
    graph::Value value;
    std::vector<T> elements;
    bool is_product = false;  // may be contracted with an addition
  };

  static DType Type() { return NDArray::FromVector<T>({1}, {0}).dtype(); }

  void Add(graph::Value value, std::vector<T> elements, bool is_product) {
    values_.push_back({value, std::move(elements), is_product});
  }

  // One of the last values.
  const Element& AnyValue() {
    const auto count = static_cast<int64_t>(values_.size());
    return values_[count - 1 -
                   rng_.UniformInt(0, std::min<int64_t>(count, 3) - 1)];
  }

  Element Constant() {
    const int64_t count = rng_.UniformInt(0, 2) == 0 ? kElements : 1;
    std::vector<T> elements = Elements<T>(rng_, count);
    Element constant;
    constant.value = {graph_.AddConstant(
        NDArray::FromVector<T>(count == 1 ? Shape{} : Shape{count}, elements))};
    constant.elements = elements;
    constant.elements.resize(kElements, elements[0]);
    return constant;
  }

  graph::Value AddNode(OpKind kind, const std::vector<graph::Value>& operands) {
    const auto node = graph_.AddNode(kind, graph::NoAttrs(), operands);
    CHECK(node.ok()) << node.status();
    return {*node};
  }

  void AddOperator() {
    const OpKind kind = kinds_[rng_.UniformInt(0, kinds_.size() - 1)];
    const bool sum = kind == OpKind::kAdd || kind == OpKind::kSubtract;
    Element a = AnyValue();
    Element b = rng_.UniformInt(0, 2) > 0 ? Constant() : AnyValue();
    if (std::is_floating_point_v<T> && sum && (a.is_product || b.is_product)) {
      return AddOperator();
    }
    if (graph::IsBinary(kind) && rng_.UniformInt(0, 3) == 0) std::swap(a, b);
    std::vector<T> elements;
    for (int64_t i = 0; i < kElements; ++i) {
      elements.push_back(Apply(kind, a.elements[i], b.elements[i]));
    }
    const bool rounds = kind == OpKind::kSqrt || kind == OpKind::kFloor ||
                        kind == OpKind::kRound || sum;
    const bool is_product =
        !rounds && (kind == OpKind::kMultiply || kind == OpKind::kDivide ||
                    a.is_product || b.is_product);
    std::vector<graph::Value> operands = {a.value};
    if (graph::IsBinary(kind)) operands.push_back(b.value);
    graph::Value value = AddNode(kind, operands);
    if (graph::IsComparison(kind)) {
      value = AddNode(OpKind::kSelect, {value, a.value, b.value});
    }
    if (value.type().shape != Shape{kElements}) return AddOperator();
    Add(value, std::move(elements), is_product);
  }

  Rng& rng_;
  const std::vector<OpKind> kinds_;
  graph::Graph graph_;
  std::vector<Element> values_;
  std::vector<std::vector<T>> inputs_, expected_;
};

bool Same(float a, float b, bool zeros_differ) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b &&
         (!zeros_differ || a != 0 || std::signbit(a) == std::signbit(b));
}
bool Same(int32_t a, int32_t b, bool) { return a == b; }
bool Same(int64_t a, int64_t b, bool) { return a == b; }

// Compiles the graph without algorithms that need finite data, and returns the
// values of its outputs.
absl::StatusOr<std::vector<NDArray>> RunCompiled(
    const graph::Graph& graph, const std::vector<NDArray>& inputs) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  driver::CompileOptions options;
  options.max_error = 0;
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
                         driver::Compile(graph, target, options));
  ASSAY_ASSIGN_OR_RETURN(const auto device, runtime::CpuDevice::Create(1));
  ASSAY_ASSIGN_OR_RETURN(const auto executor,
                         runtime::Executor::Create(artifact, device.get()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(
        executor->SetInput(graph.inputs()[i]->name(), inputs[i]));
  }
  ASSAY_RETURN_IF_ERROR(executor->Run());
  std::vector<NDArray> outputs;
  for (const auto& output : executor->outputs()) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, executor->GetOutput(output.name));
    outputs.push_back(std::move(value));
  }
  return outputs;
}

// Runs the program; returns the first difference, or "".
template <typename T>
std::string Difference(const Program<T>& program, bool zeros_differ) {
  std::vector<NDArray> inputs;
  for (const std::vector<T>& input : program.inputs()) {
    inputs.push_back(NDArray::FromVector<T>({kElements}, input));
  }
  const auto outputs = RunCompiled(program.graph(), inputs);
  if (!outputs.ok()) return outputs.status().ToString();
  for (size_t o = 0; o < program.expected().size(); ++o) {
    const auto actual = (*outputs)[o].template data<T>();
    for (int64_t i = 0; i < kElements; ++i) {
      const T expected = program.expected()[o][i];
      if (Same(actual[i], expected, zeros_differ)) continue;
      return absl::StrCat("o", o, "[", i, "] is ", actual[i], ", not ",
                          expected, ", for x = ", program.inputs()[0][i],
                          " and y = ", program.inputs()[1][i]);
    }
  }
  return "";
}

template <typename T>
void Check(const std::vector<OpKind>& kinds, bool zeros_differ) {
  const int64_t seed = FromEnvironment("ASSAY_FUZZ_SEED", 20261127);
  const int64_t rounds = FromEnvironment("ASSAY_FUZZ_ROUNDS", 12);
  for (int64_t round = 0; round < rounds; ++round) {
    Rng rng(seed + round);
    const Program<T> program(rng, kinds);
    ASSERT_EQ(Difference(program, zeros_differ), "")
        << "ASSAY_FUZZ_SEED=" << seed + round << "\n"
        << program.graph();
  }
}

TEST(ElementwiseValuesTest, ArithmeticOfFloats) {
  Check<float>({OpKind::kAdd, OpKind::kAdd, OpKind::kSubtract,
                OpKind::kSubtract, OpKind::kMultiply, OpKind::kMultiply,
                OpKind::kDivide, OpKind::kDivide, OpKind::kReciprocal,
                OpKind::kNegate, OpKind::kAbs, OpKind::kSqrt, OpKind::kRound},
               /*zeros_differ=*/true);
}

TEST(ElementwiseValuesTest, ComparisonsOfFloats) {
  Check<float>(
      {OpKind::kAdd, OpKind::kSubtract, OpKind::kMultiply, OpKind::kMaximum,
       OpKind::kMaximum, OpKind::kMinimum, OpKind::kMinimum, OpKind::kRelu,
       OpKind::kNegate, OpKind::kFloor, OpKind::kLess, OpKind::kLessEqual,
       OpKind::kEqual},
      /*zeros_differ=*/false);
}

std::vector<OpKind> IntegerKinds() {
  return {OpKind::kAdd,      OpKind::kAdd,       OpKind::kSubtract,
          OpKind::kMultiply, OpKind::kMultiply,  OpKind::kDivide,
          OpKind::kTruncMod, OpKind::kFloorMod,  OpKind::kMaximum,
          OpKind::kMinimum,  OpKind::kNegate,    OpKind::kAbs,
          OpKind::kLess,     OpKind::kLessEqual, OpKind::kEqual};
}

TEST(ElementwiseValuesTest, Int32WrapsAround) {
  Check<int32_t>(IntegerKinds(), false);
}

TEST(ElementwiseValuesTest, Int64WrapsAround) {
  Check<int64_t>(IntegerKinds(), false);
}

// Rows, columns and all elements, at lengths with and without a rest after the
// last vector.
TEST(ElementwiseValuesTest, ExtremaOfReductionsKeepNan) {
  Rng rng(7);
  for (const OpKind kind : {OpKind::kReduceMax, OpKind::kReduceMin}) {
    const OpKind combine =
        kind == OpKind::kReduceMax ? OpKind::kMaximum : OpKind::kMinimum;
    for (const int64_t columns : {1, 3, 8, 37, 200}) {
      const int64_t rows = 24;
      std::vector<float> x = Elements<float>(rng, rows * columns);
      // Rows and columns without NaN, too.
      for (float& v : x) {
        if (rng.UniformInt(0, 9) > 0 && std::isnan(v)) v = 1;
      }
      std::vector<float> by_row, by_column;
      for (int64_t r = 0; r < rows; ++r) {
        by_row.push_back(x[r * columns]);
        for (int64_t c = 0; c < columns; ++c) {
          const float v = x[r * columns + c];
          by_row[r] = Apply(combine, by_row[r], v);
          if (r == 0) by_column.push_back(v);
          by_column[c] = Apply(combine, by_column[c], v);
        }
      }
      float all = by_row[0];
      for (const float v : by_row) all = Apply(combine, all, v);
      const std::vector<std::pair<std::vector<int64_t>, std::vector<float>>>
          cases = {{{1}, by_row}, {{0}, by_column}, {{0, 1}, {all}}};
      graph::Graph graph("g");
      const auto input =
          graph.AddInput("x", {DType::Float32(), {rows, columns}});
      ASSERT_TRUE(input.ok()) << input.status();
      for (const auto& [axes, expected] : cases) {
        graph::ReduceAttrs attrs;
        attrs.axes = axes;
        const auto node = graph.AddNode(kind, attrs, {{*input}});
        ASSERT_TRUE(node.ok()) << node.status();
        graph.AddOutput(absl::StrCat("o", axes.size(), axes[0]), {*node});
      }
      const auto outputs =
          RunCompiled(graph, {NDArray::FromVector<float>({rows, columns}, x)});
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      for (size_t o = 0; o < cases.size(); ++o) {
        const std::vector<float>& expected = cases[o].second;
        for (size_t i = 0; i < expected.size(); ++i) {
          ASSERT_TRUE(Same((*outputs)[o].data<float>()[i], expected[i], false))
              << kind << " of " << columns << " columns, output " << o << "["
              << i << "] is " << (*outputs)[o].data<float>()[i] << ", not "
              << expected[i];
        }
      }
    }
  }
}

// An infinity or NaN in the weights reaches the results of its column only.
TEST(ElementwiseValuesTest, ProductsKeepInfinitiesAndNan) {
  Rng rng(11);
  const float infinity = std::numeric_limits<float>::infinity();
  const float special[] = {infinity, -infinity,
                           std::numeric_limits<float>::quiet_NaN()};
  for (const auto& [m, k, n] : std::vector<std::array<int64_t, 3>>{
           {2, 2, 2}, {1, 33, 20}, {7, 19, 37}, {24, 64, 48}}) {
    std::vector<float> a, b;
    for (int64_t i = 0; i < m * k; ++i) {
      a.push_back(static_cast<float>(rng.UniformInt(-3, 3)));
    }
    for (int64_t i = 0; i < k * n; ++i) {
      b.push_back(rng.UniformInt(0, 40) == 0
                      ? special[rng.UniformInt(0, 2)]
                      : static_cast<float>(rng.UniformInt(-3, 3)));
    }
    std::vector<float> expected(m * n, 0);
    for (int64_t i = 0; i < m * n; ++i) {
      for (int64_t j = 0; j < k; ++j) {
        expected[i] += a[i / n * k + j] * b[j * n + i % n];
      }
    }
    graph::Graph graph("g");
    const auto input = graph.AddInput("a", {DType::Float32(), {m, k}});
    ASSERT_TRUE(input.ok()) << input.status();
    graph::Node* weights =
        graph.AddConstant(NDArray::FromVector<float>({k, n}, b));
    const auto product =
        graph.AddNode(OpKind::kMatmul, graph::NoAttrs(), {{*input}, {weights}});
    ASSERT_TRUE(product.ok()) << product.status();
    graph.AddOutput("y", {*product});
    const auto outputs =
        RunCompiled(graph, {NDArray::FromVector<float>({m, k}, a)});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    for (int64_t i = 0; i < m * n; ++i) {
      const float actual = (*outputs)[0].data<float>()[i];
      ASSERT_TRUE(Same(actual, expected[i], false))
          << m << " x " << k << " x " << n << ": element " << i << " is "
          << actual << ", not " << expected[i];
    }
  }
}

}  // namespace
}  // namespace assay
