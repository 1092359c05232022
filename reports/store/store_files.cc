#include "reports/store/store_files.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace assay::reports {
namespace {

absl::Status FolderError(const std::error_code& error,
                         const std::string& folder) {
  if (error == std::errc::not_a_directory) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", folder, "` is not a folder"));
  }
  return absl::ErrnoToStatus(
      error.value(), absl::StrCat("cannot read the folder `", folder, "`"));
}

}  // namespace

absl::StatusOr<std::string> NewStoreFile(absl::string_view suffix) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof(random), 0) != sizeof(random)) {
    return absl::InternalError("getrandom() failed");
  }
  return absl::StrCat(
      absl::FormatTime("%Y%m%dT%H%M%E6SZ", absl::Now(), absl::UTCTimeZone()),
      "-", absl::Hex(random, absl::kZeroPad16), suffix);
}

absl::StatusOr<std::vector<std::string>> ListStoreFiles(
    const std::string& folder, absl::string_view suffix) {
  std::error_code error;
  std::filesystem::directory_iterator files(folder, error);
  if (error) return FolderError(error, folder);
  std::vector<std::string> names;
  for (; files != std::filesystem::directory_iterator();
       files.increment(error)) {
    if (error) break;
    std::string name = files->path().filename().string();
    if (!absl::EndsWith(name, suffix)) continue;
    // A folder or a pipe with this suffix is no segment. If it cannot be seen
    // what it is, reading it will say why. The entry knows its type from the
    // listing, so that thousands of files need not be asked one by one.
    std::error_code unknown;
    const bool other =
        files->exists(unknown) && !files->is_regular_file(unknown);
    if (!other) names.push_back(std::move(name));
  }
  if (error) return FolderError(error, folder);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace assay::reports
