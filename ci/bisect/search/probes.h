// Probes: the builds of the candidates of a bisection.
#ifndef ASSAY_CI_BISECT_SEARCH_PROBES_H_
#define ASSAY_CI_BISECT_SEARCH_PROBES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/search/build.h"
#include "ci/bisect/search/candidates.h"

namespace assay::ci {

class Probes {
 public:
  // The arguments must outlive this object. `commits` are as in BisectCell().
  Probes(const std::vector<std::string>& commits,
         const std::vector<Candidate>& candidates, Builder& builder)
      : commits_(commits), candidates_(candidates), builder_(builder) {}

  int last() const { return static_cast<int>(candidates_.size()) - 1; }

  // The commit that is built for a candidate: one that was built already, if
  // there is one. Otherwise, the last commit of the good end, which is the
  // parent of the next candidate, and the first commit of other candidates.
  int CommitOf(int candidate) const;

  bool IsDone(int candidate) const {
    return builder_.IsDone(HashOf(CommitOf(candidate)));
  }
  absl::StatusOr<const Build*> Get(int candidate) {
    return builder_.Get(HashOf(CommitOf(candidate)));
  }

  // The commits of which one changed something, if `until` differs from
  // `after`: the first commit of each candidate in between and of `until`.
  std::vector<int> Suspects(int after, int until) const;

 private:
  const std::string& HashOf(int commit) const {
    return commits_[static_cast<size_t>(commit)];
  }

  const std::vector<std::string>& commits_;
  const std::vector<Candidate>& candidates_;
  Builder& builder_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_PROBES_H_
