#include "ci/bisect/search/candidates.h"

#include <cstddef>

namespace assay::ci {
namespace {

// The first key of the commits of a candidate that is not empty.
std::string KeyOf(const Candidate& candidate,
                  absl::Span<const std::string> keys) {
  for (int commit = candidate.first; commit <= candidate.last; ++commit) {
    const std::string& key = keys[static_cast<size_t>(commit)];
    if (!key.empty()) return key;
  }
  return "";
}

}  // namespace

std::vector<Candidate> JoinByKey(absl::Span<const Candidate> candidates,
                                 absl::Span<const std::string> keys) {
  std::vector<Candidate> joined;
  std::string last_key;
  for (const Candidate& candidate : candidates) {
    const std::string key = KeyOf(candidate, keys);
    if (!joined.empty() && !key.empty() && key == last_key) {
      joined.back().last = candidate.last;
    } else {
      joined.push_back(candidate);
    }
    last_key = key;
  }
  return joined;
}

std::vector<Candidate> NarrowByKey(absl::Span<const Candidate> candidates,
                                   absl::Span<const std::string> keys) {
  const std::string good = KeyOf(candidates.front(), keys);
  const std::string bad = KeyOf(candidates.back(), keys);
  size_t first = 0;
  size_t last = candidates.size() - 1;
  if (!good.empty() && !bad.empty() && good != bad) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (KeyOf(candidates[i], keys) == good) first = i;
    }
    for (size_t i = candidates.size(); i-- > first;) {
      if (KeyOf(candidates[i], keys) == bad) last = i;
    }
  }
  return {candidates.begin() + first, candidates.begin() + last + 1};
}

std::vector<Candidate> Collapse(absl::Span<const std::string> keys) {
  std::vector<Candidate> single;
  for (int commit = 0; commit < static_cast<int>(keys.size()); ++commit) {
    single.push_back({commit, commit});
  }
  return JoinByKey(single, keys);
}

}  // namespace assay::ci
