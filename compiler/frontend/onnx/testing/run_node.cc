#include "compiler/frontend/onnx/testing/run_node.h"

#include "compiler/graph/reference/evaluate.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::frontend {

std::vector<NDArray> RunNode(const OneNode& node,
                             const std::vector<NDArray>& inputs) {
  const auto graph = node.Import();
  if (!graph.ok()) {
    ADD_FAILURE() << graph.status();
    return {};
  }
  const auto outputs = graph::Evaluate(**graph, inputs);
  if (!outputs.ok()) {
    ADD_FAILURE() << outputs.status();
    return {};
  }
  return *outputs;
}

std::vector<float> RunFloats(const OneNode& node,
                             const std::vector<NDArray>& inputs) {
  const std::vector<NDArray> outputs = RunNode(node, inputs);
  if (outputs.size() != 1) return {};
  const auto values = outputs[0].data<float>();
  return std::vector<float>(values.begin(), values.end());
}

NDArray WholeNumbers(const Shape& shape, uint64_t seed) {
  NDArray array(DType::Float32(), shape);
  Rng rng(seed);
  for (float& value : array.data<float>()) {
    value = static_cast<float>(rng.UniformInt(-9, 9));
  }
  return array;
}

std::vector<Shape> IndicesOf(const Shape& shape) {
  std::vector<Shape> indices = {{}};
  for (const int64_t extent : shape) {
    std::vector<Shape> longer;
    for (const Shape& index : indices) {
      for (int64_t i = 0; i < extent; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    }
    indices = std::move(longer);
  }
  return indices;
}

int64_t PlaceOf(const Shape& index, const Shape& shape) {
  int64_t place = 0;
  for (size_t d = 0; d < shape.size(); ++d) place = place * shape[d] + index[d];
  return place;
}

}  // namespace assay::frontend
