#include "runtime/executor/seeded_inputs.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/random.h"

namespace assay::runtime {

NDArray SeededInput(DType dtype, const Shape& shape, int index, uint64_t seed) {
  NDArray value(dtype, shape);
  Rng rng(SeedFor(seed, absl::StrCat("input ", index)));
  rng.FillUniform(value, dtype.is_float() ? -1.0f : 0.0f, 1.0f);
  return value;
}

NamedTensors SeededInputs(const Artifact& artifact, uint64_t seed) {
  NamedTensors inputs;
  for (int32_t i : InputTensors(artifact)) {
    const TensorInfo& t = artifact.tensors[i];
    const int index = static_cast<int>(inputs.size());
    inputs.push_back({t.name, SeededInput(t.dtype, t.shape, index, seed)});
  }
  return inputs;
}

}  // namespace assay::runtime
