#include "suites/comparison/twin.h"

#include <algorithm>
#include <map>
#include <string>

#include "runtime/abi/abi.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

using runtime::Location;
using runtime::TensorInfo;

// Changes the lowest bit of one element of a float32 constant.
void ChangeBit(const TensorInfo& tensor, Rng* rng, LargeBytes* params) {
  const int64_t count = NumElements(tensor.shape);
  if (tensor.dtype != DType::Float32() || count == 0) return;
  const int64_t element = rng->UniformInt(0, count - 1);
  (*params)[static_cast<size_t>(tensor.position + 4 * element)] ^= 1;
}

}  // namespace

runtime::Artifact MakeTwin(const runtime::Artifact& artifact, uint64_t seed) {
  runtime::Artifact twin = artifact;
  for (runtime::KernelCall& call : twin.calls) call.code_digest.clear();
  Rng rng(seed);
  // Several tensors may share a position and have different sizes.
  std::map<int64_t, int64_t> sizes;
  for (const TensorInfo& tensor : artifact.tensors) {
    if (tensor.location != Location::kParam) continue;
    int64_t& size = sizes[tensor.position];
    size = std::max(size, NumBytes(tensor));
  }
  std::map<int64_t, int64_t> positions;
  twin.params.clear();
  for (const auto& [position, size] : sizes) {
    const int64_t gap = rng.UniformInt(0, 64) * ASSAY_BUFFER_ALIGNMENT;
    const auto end = static_cast<int64_t>(twin.params.size()) + gap;
    const int64_t aligned = (end + ASSAY_BUFFER_ALIGNMENT - 1) /
                            ASSAY_BUFFER_ALIGNMENT * ASSAY_BUFFER_ALIGNMENT;
    positions[position] = aligned;
    twin.params.resize(static_cast<size_t>(aligned));
    twin.params.append(artifact.params, static_cast<size_t>(position),
                       static_cast<size_t>(size));
  }
  for (TensorInfo& tensor : twin.tensors) {
    if (tensor.location != Location::kParam) continue;
    tensor.position = positions.at(tensor.position);
    ChangeBit(tensor, &rng, &twin.params);
  }
  return twin;
}

}  // namespace assay::suites
