// FindRunfile: the files a program was built with, wherever Bazel put them.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_RUNFILES_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_RUNFILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::suites {

// The path of `file`, given as `<repository>/<path>`, where this repository is
// `assay`. Looks in $RUNFILES_DIR, $TEST_SRCDIR, then in the runfiles folder
// beside the program (`program` is argv[0]), then in the one that the current
// folder is in, which is where `bazel run` starts a program. NotFound names
// `file`: the program was copied away from its runfiles.
absl::StatusOr<std::string> FindRunfile(absl::string_view program,
                                        absl::string_view file);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_RUNFILES_H_
