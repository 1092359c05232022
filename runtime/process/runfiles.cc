#include "runtime/process/runfiles.h"

#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"

namespace assay::runtime {

absl::StatusOr<std::string> FindRunfile(absl::string_view program,
                                        absl::string_view file) {
  std::vector<std::string> roots;
  for (const char* variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') roots.emplace_back(value);
  }
  roots.push_back(absl::StrCat(program, ".runfiles"));
  roots.push_back("..");
  // With modules, as in Bazel 7, the folder of the repository is `_main`.
  std::vector<std::string> names = {std::string(file)};
  if (absl::ConsumePrefix(&file, "assay/")) {
    names.push_back(absl::StrCat("_main/", file));
  }
  for (const std::string& root : roots) {
    for (const std::string& name : names) {
      std::string path = JoinPath(root, name);
      if (FileExists(path)) return path;
    }
  }
  return absl::NotFoundError(
      absl::StrCat("`", names[0],
                   "` is not in the runfiles of this program; run it with "
                   "`bazel run` or from `bazel-bin`"));
}

}  // namespace assay::runtime
