// Candidates: the commits of a bisection that have to be told apart.
#ifndef ASSAY_CI_BISECT_SEARCH_CANDIDATES_H_
#define ASSAY_CI_BISECT_SEARCH_CANDIDATES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"

namespace assay::ci {

// A run of neighbouring commits that build the same. Commit 0 is the good end,
// and commit i > 0 the i-th commit after it.
struct Candidate {
  int first = 0;
  int last = 0;
};

// Joins neighbouring commits whose keys are equal and not empty.
std::vector<Candidate> Collapse(absl::Span<const std::string> keys);

// Joins neighbouring candidates whose keys are equal and not empty. `keys` has
// an element for each commit. All commits of a candidate build the same, so its
// key is the first of its commits' keys that is not empty.
std::vector<Candidate> JoinByKey(absl::Span<const Candidate> candidates,
                                 absl::Span<const std::string> keys);

// Drops the candidates that keys exclude: those before the last one with the
// key of the good end, and those after the next one with the key of the bad
// end. If the key of an end is not known or both are equal, nothing is dropped.
// A change that was taken back before it was made again is found where it was
// made again.
std::vector<Candidate> NarrowByKey(absl::Span<const Candidate> candidates,
                                   absl::Span<const std::string> keys);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_CANDIDATES_H_
