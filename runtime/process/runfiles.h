// FindRunfile: the path of a file that Bazel built along with a program.
#ifndef ASSAY_RUNTIME_PROCESS_RUNFILES_H_
#define ASSAY_RUNTIME_PROCESS_RUNFILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::runtime {

// Returns the path of `file`, which is given as `<repository>/<path>`; this
// repository is `assay`. Searches $RUNFILES_DIR, $TEST_SRCDIR, the runfiles
// folder beside the program (`program` is argv[0]) and the parent of the
// current folder, which is the runfiles folder under `bazel run`. NotFound,
// naming `file`, if the program was copied away from its runfiles.
absl::StatusOr<std::string> FindRunfile(absl::string_view program,
                                        absl::string_view file);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_RUNFILES_H_
