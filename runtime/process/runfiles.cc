#include "runtime/process/runfiles.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

constexpr absl::string_view kSuffix = ".runfiles";

// Returns the innermost folder of runfiles that contains the file `program`, or
// an empty string.
std::string EnclosingFolder(absl::string_view program) {
  const size_t position = program.rfind(absl::StrCat(kSuffix, "/"));
  if (position == absl::string_view::npos) return "";
  return std::string(program.substr(0, position + kSuffix.size()));
}

}  // namespace

absl::StatusOr<std::string> FindRunfile(absl::string_view program,
                                        absl::string_view file) {
  std::vector<std::string> roots;
  for (const char* variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') roots.emplace_back(value);
  }
  roots.push_back(absl::StrCat(program, kSuffix));
  std::string enclosing = EnclosingFolder(program);
  if (!enclosing.empty()) roots.push_back(std::move(enclosing));
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
