#include "suites/harness/live_bytes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace assay::suites {
namespace {

struct Lifetime {
  int64_t begin = 0;  // bytes in the arena
  int64_t end = 0;
  size_t first = 0;  // calls
  size_t last = 0;
};

std::vector<Lifetime> Lifetimes(const runtime::Artifact& artifact) {
  std::vector<Lifetime> all(artifact.tensors.size());
  std::vector<bool> used(artifact.tensors.size(), false);
  for (size_t call = 0; call < artifact.calls.size(); ++call) {
    const runtime::KernelCall& kernel = artifact.calls[call];
    for (const auto* tensors : {&kernel.inputs, &kernel.outputs}) {
      for (const int32_t t : *tensors) {
        if (!used[t]) all[t].first = call;
        used[t] = true;
        all[t].last = call;
      }
    }
  }
  std::vector<Lifetime> arena;
  for (size_t t = 0; t < all.size(); ++t) {
    const runtime::TensorInfo& tensor = artifact.tensors[t];
    if (!used[t] || tensor.location != runtime::Location::kArena) continue;
    all[t].begin = tensor.position;
    all[t].end = tensor.position + runtime::NumBytes(tensor);
    arena.push_back(all[t]);
  }
  return arena;
}

}  // namespace

int64_t LiveBytes(const runtime::Artifact& artifact) {
  std::vector<Lifetime> lifetimes = Lifetimes(artifact);
  std::sort(lifetimes.begin(), lifetimes.end(),
            [](const Lifetime& a, const Lifetime& b) {
              return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
            });
  int64_t most = 0;
  for (size_t call = 0; call < artifact.calls.size(); ++call) {
    int64_t live = 0;
    int64_t reached = 0;
    for (const Lifetime& tensor : lifetimes) {
      if (call < tensor.first || call > tensor.last) continue;
      live +=
          std::max<int64_t>(0, tensor.end - std::max(reached, tensor.begin));
      reached = std::max(reached, tensor.end);
    }
    most = std::max(most, live);
  }
  return most;
}

}  // namespace assay::suites
