#include "suites/trials/line_file.h"

#include <utility>

#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<LineFile> LineFile::Open(const std::string& path,
                                        const std::string& header) {
  absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok() && !absl::IsNotFound(text.status())) return text.status();
  LineFile file;
  file.path_ = path;
  if (text.ok()) file.text_ = *std::move(text);
  file.text_.resize(file.text_.rfind('\n') + 1);
  if (file.text_.empty()) file.text_ = header;
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, file.text_));
  file.stream_.open(path, std::ios::app);
  if (!file.stream_.is_open()) return ErrnoError("append to", path);
  return file;
}

absl::Status LineFile::Append(const std::string& line) {
  if (path_.empty() || stream_ << line << std::flush) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write to `", path_, "`"));
}

}  // namespace assay::suites
