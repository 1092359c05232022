#include "suites/harness/flags/flag_group.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay::suites {

absl::Status AtLeast(const char* flag, int value, int least) {
  if (value >= least) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", flag, "` is ", value, "; it must be at least ", least));
}

void MakeAbsolute(const std::string& working_directory, std::string* path) {
  if (!path->empty() && path->front() != '/') {
    *path = JoinPath(working_directory, *path);
  }
}

}  // namespace assay::suites
