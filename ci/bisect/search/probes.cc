#include "ci/bisect/search/probes.h"

namespace assay::ci {

int Probes::CommitOf(int candidate) const {
  const Candidate& range = candidates_[static_cast<size_t>(candidate)];
  for (int commit = range.first; commit <= range.last; ++commit) {
    if (builder_.IsDone(HashOf(commit))) return commit;
  }
  return candidate == 0 ? range.last : range.first;
}

std::vector<int> Probes::Suspects(int after, int until) const {
  std::vector<int> suspects;
  for (int candidate = after + 1; candidate <= until; ++candidate) {
    suspects.push_back(candidates_[static_cast<size_t>(candidate)].first);
  }
  return suspects;
}

}  // namespace assay::ci
