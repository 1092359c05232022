// BazelQuery: asks Bazel for the build of a commit (build_inputs.h).
#ifndef ASSAY_CI_BISECT_COMMITS_BAZEL_QUERY_H_
#define ASSAY_CI_BISECT_COMMITS_BAZEL_QUERY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/commits/build_inputs.h"
#include "ci/bisect/commits/repository.h"

namespace assay::ci {

// Checks the commit out in the worktree `tree`, and queries what `targets`
// depend on. Returns FailedPrecondition if a target does not exist or a BUILD
// file cannot be read.
absl::StatusOr<BuildGraph> BazelQuery(const Repository& repository,
                                      const std::string& tree,
                                      const std::vector<std::string>& targets,
                                      const std::string& commit);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_COMMITS_BAZEL_QUERY_H_
