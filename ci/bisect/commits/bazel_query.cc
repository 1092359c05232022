#include "ci/bisect/commits/bazel_query.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::ci {
namespace {

// The first query in a worktree downloads the external repositories.
constexpr double kQuerySeconds = 1800;
constexpr int64_t kMaxOutput = int64_t{256} << 20;

}  // namespace

absl::StatusOr<BuildGraph> BazelQuery(const Repository& repository,
                                      const std::string& tree,
                                      const std::vector<std::string>& targets,
                                      const std::string& commit) {
  ASSAY_RETURN_IF_ERROR(repository.CheckOut(commit, tree));
  const std::string deps =
      absl::StrCat("deps(set(", absl::StrJoin(targets, " "), "))");
  runtime::ProcessOptions options;
  options.timeout_s = kQuerySeconds;
  options.max_output_bytes = kMaxOutput;
  ASSAY_ASSIGN_OR_RETURN(
      const runtime::ProcessResult result,
      runtime::RunProcess(
          {"/usr/bin/env", "-C", tree, "./bazelw", "query", "--noshow_progress",
           "--order_output=full", "--output=xml",
           absl::StrCat(deps, " + buildfiles(", deps, ")")},
          options));
  if (!result.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("Bazel's query failed: ", runtime::LastLines(result.err)));
  }
  return ParseQuery(result.out);
}

}  // namespace assay::ci
