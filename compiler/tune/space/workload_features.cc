#include "compiler/tune/space/workload_features.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace assay::tune {
namespace {

// Operands of which the dimensions are features: data and weights.
constexpr size_t kOperands = 2;

float Log2(int64_t n) { return std::log2(static_cast<float>(n) + 1); }

void AppendShape(const std::string& name, const graph::TensorType& type,
                 NamedFeatures* features) {
  for (size_t i = 0; i < type.shape.size(); ++i) {
    features->emplace_back(absl::StrCat(name, ".", i), Log2(type.shape[i]));
  }
}

}  // namespace

NamedFeatures WorkloadFeatures(const ops::OpInstance& op,
                               const target::Target& target) {
  const float flops = Log2(ops::Flops(op)), bytes = Log2(ops::Bytes(op));
  NamedFeatures features = {
      {"flops", flops}, {"bytes", bytes}, {"intensity", flops - bytes}};
  AppendShape("out", op.output, &features);
  for (size_t i = 0; i < std::min(op.inputs.size(), kOperands); ++i) {
    AppendShape(absl::StrCat("in", i), op.inputs[i], &features);
  }
  features.emplace_back("vector_bits", Log2(target.vector_bits()));
  features.emplace_back("vector_registers", Log2(target.vector_registers()));
  features.emplace_back("cores", Log2(target.num_cores()));
  features.emplace_back("l1", Log2(target.l1_bytes()));
  features.emplace_back("l2", Log2(target.l2_bytes()));
  features.emplace_back("l3", Log2(target.l3_bytes()));
  return features;
}

}  // namespace assay::tune
