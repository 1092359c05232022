#include "suites/comparison/twin.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"
#include "runtime/base/shuffle.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::KernelCall;
using runtime::Location;
using runtime::TensorInfo;

// Changes the lowest bit of one element of a float32 constant.
void ChangeBit(const TensorInfo& tensor, Rng* rng, LargeBytes* params) {
  const int64_t count = NumElements(tensor.shape);
  if (tensor.dtype != DType::Float32() || count == 0) return;
  const int64_t element = rng->UniformInt(0, count - 1);
  (*params)[static_cast<size_t>(tensor.position + 4 * element)] ^= 1;
}

// AddCalls() meets the share within this part of it.
constexpr double kTolerance = 0.2;
constexpr int kAttempts = 10000;

bool Overlap(const TensorInfo& a, const TensorInfo& b) {
  if (a.location != b.location) return false;
  // The position of an input or output is its index.
  if (a.location != runtime::Location::kArena) return a.position == b.position;
  return a.position < b.position + NumBytes(b) &&
         b.position < a.position + NumBytes(a);
}

bool IsRepeatable(const Artifact& artifact, const KernelCall& call) {
  for (const int32_t input : call.inputs) {
    for (const int32_t output : call.outputs) {
      if (Overlap(artifact.tensors[static_cast<size_t>(input)],
                  artifact.tensors[static_cast<size_t>(output)])) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Artifact MakeTwin(const Artifact& artifact, uint64_t seed) {
  Artifact twin = artifact;
  for (KernelCall& call : twin.setup) call.code_digest.clear();
  for (KernelCall& call : twin.calls) call.code_digest.clear();
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

absl::StatusOr<Artifact> AddCalls(const Artifact& artifact,
                                  absl::Span<const double> call_ns,
                                  double share, uint64_t seed) {
  CHECK(call_ns.size() == artifact.calls.size());
  const double total = std::accumulate(call_ns.begin(), call_ns.end(), 0.0);
  std::vector<size_t> candidates;
  for (size_t i = 0; i < artifact.calls.size(); ++i) {
    if (IsRepeatable(artifact, artifact.calls[i])) candidates.push_back(i);
  }
  Rng rng(seed);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // Take calls in random order as long as they fit.
    Shuffle(candidates, rng);
    std::vector<bool> repeated(artifact.calls.size());
    double sum = 0;
    for (const size_t i : candidates) {
      const double with = sum + call_ns[i] / total;
      if (with > share * (1 + kTolerance)) continue;
      sum = with;
      repeated[i] = true;
      if (sum >= share) break;
    }
    if (std::abs(sum - share) > kTolerance * share) continue;
    Artifact slow = artifact;
    slow.calls.clear();
    for (size_t i = 0; i < artifact.calls.size(); ++i) {
      slow.calls.push_back(artifact.calls[i]);
      if (repeated[i]) slow.calls.push_back(artifact.calls[i]);
    }
    return slow;
  }
  return absl::NotFoundError(absl::StrCat("no kernel calls of the model take ",
                                          share, " of its time together"));
}

}  // namespace assay::suites
