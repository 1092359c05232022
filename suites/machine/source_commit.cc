#include "suites/machine/source_commit.h"

#include <cstdlib>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::string> Git(const std::string& folder,
                                const std::vector<std::string>& arguments) {
  // `env` searches $PATH for git.
  std::vector<std::string> command = {"/usr/bin/env", "git", "-C", folder};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ASSAY_ASSIGN_OR_RETURN(
      const runtime::ProcessResult result,
      runtime::RunProcess(command, runtime::ProcessOptions()));
  if (!result.ok()) return absl::NotFoundError(runtime::LastLines(result.err));
  return std::string(absl::StripAsciiWhitespace(result.out));
}

}  // namespace

std::string WorkspaceFolder() {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  return workspace == nullptr ? "" : workspace;
}

std::string SourceCommit(const std::string& workspace) {
  if (workspace.empty()) return "";
  const auto commit = Git(workspace, {"rev-parse", "--verify", "HEAD"});
  if (!commit.ok()) return "";
  const auto changes =
      Git(workspace, {"status", "--porcelain", "--untracked-files=no"});
  return changes.ok() && changes->empty() ? *commit : *commit + "+";
}

}  // namespace assay::suites
