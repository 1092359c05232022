// FindRunfile: finds a file that Bazel provides to a program as a runfile.
#ifndef ASSAY_RUNTIME_PROCESS_RUNFILES_H_
#define ASSAY_RUNTIME_PROCESS_RUNFILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::runtime {

// Returns the path of `file`, which has the form `<repository>/<path>`. The
// name of this repository is `assay`. `program` must be argv[0]. The function
// searches, in this order,
//   - $RUNFILES_DIR and $TEST_SRCDIR,
//   - `<program>.runfiles`,
//   - the innermost folder `*.runfiles` that contains `program`, if `program`
//     is itself a runfile of another program, and
//   - the parent of the current folder, which is the folder of all runfiles if
//     the program was started by `bazel run`.
// Returns NotFound, with the name of the file, if no folder contains the file,
// for example because the program was copied without its runfiles.
absl::StatusOr<std::string> FindRunfile(absl::string_view program,
                                        absl::string_view file);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_RUNFILES_H_
