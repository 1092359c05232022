// SourceCommit: finds the commit from which this program was built. The
// function assumes that the program was started by `bazel run` and was built
// from the commit that is checked out in the workspace.
#ifndef ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_
#define ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_

#include <string>

namespace assay::suites {

// Returns the workspace folder if `bazel run` provides it, or else an empty
// string.
std::string WorkspaceFolder();

// Returns the commit that is checked out in the folder `workspace`: 40 hex
// digits, followed by `+` if tracked files differ from the commit. Returns an
// empty string if `workspace` is empty or not in a git repository, or if there
// is no program `git`.
std::string SourceCommit(const std::string& workspace);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_
