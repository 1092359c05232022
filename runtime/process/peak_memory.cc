#include "runtime/process/peak_memory.h"

#include <fstream>
#include <limits>

#include "absl/strings/str_cat.h"

namespace assay::runtime {

absl::StatusOr<int64_t> PeakResidentBytes(const std::string& status) {
  std::ifstream file(status);
  for (std::string word; file >> word;) {
    int64_t kilobytes = 0;
    if (word == "VmHWM:" && file >> kilobytes && kilobytes > 0 &&
        kilobytes <= std::numeric_limits<int64_t>::max() / 1024) {
      return kilobytes * 1024;
    }
  }
  return absl::UnimplementedError(
      absl::StrCat("`", status, "` does not tell the peak of the memory"));
}

}  // namespace assay::runtime
