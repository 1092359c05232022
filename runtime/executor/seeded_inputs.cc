#include "runtime/executor/seeded_inputs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "runtime/base/random.h"

namespace assay::runtime {

namespace {

// Parses kMetaIndexLimits. Entries that are malformed are ignored, because the
// file may come from anywhere and any inputs are valid.
std::map<int, int64_t> IndexLimits(const Artifact& artifact) {
  std::map<int, int64_t> limits;
  const auto text = artifact.metadata.find(kMetaIndexLimits);
  if (text == artifact.metadata.end()) return limits;
  for (const absl::string_view entry : absl::StrSplit(text->second, ' ')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(entry, absl::MaxSplits(':', 1));
    int input = 0;
    int64_t limit = 0;
    if (absl::SimpleAtoi(parts.first, &input) &&
        absl::SimpleAtoi(parts.second, &limit) && limit >= 1) {
      limits[input] = limit;
    }
  }
  return limits;
}

}  // namespace

NDArray SeededInput(DType dtype, const Shape& shape, int64_t limit, int index,
                    uint64_t seed) {
  NDArray value(dtype, shape);
  Rng rng(SeedFor(seed, absl::StrCat("input ", index)));
  if (dtype.is_float()) {
    rng.FillUniform(value, -1.0f, 1.0f);
  } else {
    // The largest number fits in the element type.
    const int64_t last =
        dtype.bits() == 8 ? std::min<int64_t>(limit - 1, 127) : limit - 1;
    rng.FillUniform(value, 0.0f, static_cast<float>(last));
  }
  return value;
}

NamedTensors SeededInputs(const Artifact& artifact, uint64_t seed) {
  NamedTensors inputs;
  const std::map<int, int64_t> limits = IndexLimits(artifact);
  for (int32_t i : InputTensors(artifact)) {
    const TensorInfo& t = artifact.tensors[i];
    const int index = static_cast<int>(inputs.size());
    const auto found = limits.find(index);
    const int64_t limit =
        found == limits.end() ? kDefaultIndexLimit : found->second;
    inputs.push_back(
        {t.name, SeededInput(t.dtype, t.shape, limit, index, seed)});
  }
  return inputs;
}

}  // namespace assay::runtime
