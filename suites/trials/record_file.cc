#include "suites/trials/record_file.h"

#include "runtime/base/file.h"

namespace assay::suites {

absl::Status LineFile::Open(const std::string& path, const std::string& header,
                            std::string* text) {
  absl::StatusOr<std::string> stored = ReadFile(path);
  if (!stored.ok() && !absl::IsNotFound(stored.status())) {
    return stored.status();
  }
  *text = stored.ok() ? *std::move(stored) : "";
  text->resize(text->rfind('\n') + 1);
  if (text->empty()) *text = header;
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, *text));
  path_ = path;
  stream_.open(path, std::ios::app);
  if (!stream_.is_open()) return ErrnoError("append to", path);
  return absl::OkStatus();
}

absl::Status LineFile::Append(const std::string& line) {
  if (path_.empty() || stream_ << line << std::flush) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write to `", path_, "`"));
}

}  // namespace assay::suites
