#include "suites/harness/flags/flag_group.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay::suites {

absl::Status AtLeast(const char* flag, int value, int least) {
  if (value >= least) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", flag, "` is ", value, "; it must be at least ", least));
}

absl::Status ParseSeed(const char* flag, const std::string& text,
                       uint64_t* seed) {
  if (absl::SimpleAtoi(text, seed)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", flag, "` is `", text,
                   "`; it must be a whole number from 0 to 2^64 - 1"));
}

void MakeAbsolute(const std::string& working_directory, std::string* path) {
  if (!path->empty() && path->front() != '/') {
    *path = JoinPath(working_directory, *path);
  }
}

}  // namespace assay::suites
