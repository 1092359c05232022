// SourceCommit: which commit this program was built from, as far as a program
// that `bazel run` started can tell: what is checked out in the workspace now.
#ifndef ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_
#define ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_

#include <string>

namespace assay::suites {

// 40 hex digits, with `+` behind where files of the commit were changed since;
// empty where there is no repository or no `git`, or `workspace` is empty.
std::string SourceCommit(const std::string& workspace);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_
