// Fuzz test: the graph passes preserve the results of any valid model.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/verifier.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"
#include "runtime/base/random.h"
#include "tests/fuzz/generate_model.h"
#include "tests/fuzz/run_passes.h"

namespace assay::fuzz {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using graph::Value;

// For larger values, rounding errors cannot be distinguished from bugs.
constexpr double kMaxMagnitude = 1e4;
constexpr double kTolerance = 1e-3, kHalfTolerance = 5e-2;

// Small integers, or multiples of 1/4 for float inputs.
std::vector<NDArray> SomeInputs(const Graph& graph) {
  Rng rng(1);
  std::vector<NDArray> inputs;
  for (const Node* node : graph.inputs()) {
    const DType dtype = node->type().dtype;
    NDArray array(dtype, node->type().shape);
    for (int64_t i = 0; i < array.num_elements(); ++i) {
      if (dtype.is_float()) {
        StoreFloat(array, i, rng.UniformInt(-8, 8) / 4.0);
      } else {
        const int64_t low = dtype.is_int() ? -2 : 0;
        const int64_t high = dtype.is_bool() ? 1 : 4;
        StoreInt(array, i, rng.UniformInt(low, high));
      }
    }
    inputs.push_back(std::move(array));
  }
  return inputs;
}

// Returns true if a small change of a float operand can cause a large change of
// the result.
bool IsDiscontinuous(const Node& node) {
  switch (node.kind()) {
    case OpKind::kSign:
    case OpKind::kFloor:
    case OpKind::kCeil:
    case OpKind::kRound:
    case OpKind::kFloorMod:
    case OpKind::kTruncMod:
    case OpKind::kEqual:
    case OpKind::kLess:
    case OpKind::kLessEqual:
    case OpKind::kPrelu:
    case OpKind::kPower:
    case OpKind::kArgMax:
    case OpKind::kArgMin:
    case OpKind::kArgSort:
    case OpKind::kQuantize:
    case OpKind::kRequantize:
    case OpKind::kGridSample:
    case OpKind::kRoiAlign:
    case OpKind::kMaxRoiPool:
    case OpKind::kNonMaxSuppression:
    case OpKind::kNonZero:
    case OpKind::kUnique:
      return true;
    case OpKind::kCast:
      return !node.type().dtype.is_float();
    default:
      return false;
  }
}

bool MovesData(const Node& node) {
  return node.kind() == OpKind::kInput || node.kind() == OpKind::kConstant ||
         graph::OpPattern(node.kind()) == graph::PatternKind::kInjective;
}

// Returns true if different rounding cannot change the results much: all values
// have a moderate magnitude, and no rounded value is an operand of a
// discontinuous operator.
bool IsWellConditioned(const Graph& graph, const std::vector<NDArray>& inputs) {
  absl::flat_hash_map<Value, NDArray> values;
  absl::flat_hash_set<const Node*> rounded;
  size_t next_input = 0;
  for (Node* node : graph.Nodes()) {
    std::vector<NDArray> operands;
    bool any_rounded = false;
    for (const Value input : node->inputs()) {
      operands.push_back(values.at(input));
      any_rounded |=
          rounded.contains(input.node) && input.type().dtype.is_float();
    }
    if (any_rounded && IsDiscontinuous(*node)) return false;
    if (any_rounded || !MovesData(*node)) rounded.insert(node);
    std::vector<NDArray> results = {inputs[0]};
    if (node->kind() == OpKind::kInput) {
      results[0] = inputs[next_input++];
    } else {
      results = *graph::EvaluateNode(*node, operands);
    }
    for (int i = 0; i < node->num_outputs(); ++i) {
      const NDArray& array = results[i];
      for (int64_t k = 0; array.dtype().is_float() && k < array.num_elements();
           ++k) {
        const double x = std::fabs(LoadFloat(array, k));
        if (!(x <= kMaxMagnitude)) return false;
      }
      values[{node, i}] = array;
    }
  }
  return true;
}

bool HasHalfFloats(const Graph& graph) {
  for (const Node* node : graph.Nodes()) {
    for (const graph::TensorType& type : node->types()) {
      if (type.dtype.is_float() && type.dtype.bits() < 32) return true;
    }
  }
  return false;
}

void ExpectEqual(const NDArray& actual, const NDArray& expected,
                 double tolerance) {
  double scale = 1;
  for (int64_t i = 0; i < expected.num_elements(); ++i) {
    if (!expected.dtype().is_float()) {
      CHECK_EQ(LoadInt(actual, i), LoadInt(expected, i)) << " at " << i;
      continue;
    }
    const double e = LoadFloat(expected, i);
    const double a = LoadFloat(actual, i);
    scale = std::max(scale, std::fabs(e));
    CHECK(std::fabs(a - e) <= tolerance * scale)
        << "element " << i << " is " << a << " instead of " << e;
  }
}

void CompareResults(const Graph& before, const Graph& after) {
  const std::vector<NDArray> inputs = SomeInputs(before);
  const auto expected = graph::Evaluate(before, inputs);
  // Out-of-range indices are detected only when the model runs.
  if (!expected.ok()) return;
  const auto actual = graph::Evaluate(after, inputs);
  CHECK(actual.ok()) << actual.status();
  CHECK_EQ(actual->size(), expected->size());
  const bool compare = IsWellConditioned(before, inputs);
  const double tolerance = HasHalfFloats(before) ? kHalfTolerance : kTolerance;
  for (size_t i = 0; i < expected->size(); ++i) {
    CHECK((*actual)[i].dtype() == (*expected)[i].dtype());
    if (!compare) continue;
    CHECK((*actual)[i].shape() == (*expected)[i].shape());
    ExpectEqual((*actual)[i], (*expected)[i], tolerance);
  }
}

void OptimizeAndCompare(absl::Span<const uint8_t> bytes) {
  const onnx::ModelProto model = GenerateModel(bytes);
  if (model.graph().output_size() == 0) return;
  const auto graph = frontend::ImportOnnxModel(model);
  CHECK(graph.ok()) << graph.status();
  const absl::Status verified = graph::Verify(**graph);
  CHECK(verified.ok()) << verified;
  const std::unique_ptr<Graph> optimized = (*graph)->Clone();
  const absl::Status status = OptimizeAll(*optimized);
  // Constant folding detects out-of-range constant indices.
  if (absl::IsOutOfRange(status)) return;
  CHECK(status.ok()) << status << "\n" << graph::ToString(**graph);
  CompareResults(**graph, *optimized);
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::fuzz::OptimizeAndCompare({data, size});
  return 0;
}
