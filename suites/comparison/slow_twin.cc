#include "suites/comparison/slow_twin.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::KernelCall;
using runtime::TensorInfo;

constexpr double kTolerance = 0.2;
constexpr int kAttempts = 10000;
constexpr int kProfiledRuns = 21;

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

absl::StatusOr<std::vector<int64_t>> ProfileCalls(runtime::Session& session) {
  std::vector<std::vector<int64_t>> runs;
  for (int i = 0; i < kProfiledRuns; ++i) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                           session.TimeCalls(/*program=*/0));
    runs.resize(nanos.size());
    for (size_t k = 0; k < nanos.size(); ++k) runs[k].push_back(nanos[k]);
  }
  std::vector<int64_t> medians;
  for (std::vector<int64_t>& run : runs) {
    std::nth_element(run.begin(), run.begin() + kProfiledRuns / 2, run.end());
    medians.push_back(run[kProfiledRuns / 2]);
  }
  return medians;
}

absl::StatusOr<Artifact> AddCalls(const Artifact& artifact,
                                  absl::Span<const int64_t> call_nanos,
                                  double share, uint64_t seed) {
  CHECK(call_nanos.size() == artifact.calls.size());
  const double total =
      std::accumulate(call_nanos.begin(), call_nanos.end(), 0.0);
  std::vector<size_t> candidates;
  for (size_t i = 0; i < artifact.calls.size(); ++i) {
    if (IsRepeatable(artifact, artifact.calls[i])) candidates.push_back(i);
  }
  Rng rng(seed);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // Take calls in random order as long as they fit.
    for (size_t i = candidates.size(); i > 1; --i) {
      const int64_t other = rng.UniformInt(0, static_cast<int64_t>(i) - 1);
      std::swap(candidates[i - 1], candidates[static_cast<size_t>(other)]);
    }
    std::vector<bool> repeated(artifact.calls.size());
    double sum = 0;
    for (const size_t i : candidates) {
      const double with = sum + static_cast<double>(call_nanos[i]) / total;
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
