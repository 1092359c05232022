// SourceCommit: the commit that this program was built from. For a program that
// was started by `bazel run`, this is assumed to be the checked-out commit.
#ifndef ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_
#define ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_

#include <string>

namespace assay::suites {

// 40 hex digits, followed by `+` if files differ from the commit; empty if
// there is no repository or no `git`, or if `workspace` is empty.
std::string SourceCommit(const std::string& workspace);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_SOURCE_COMMIT_H_
