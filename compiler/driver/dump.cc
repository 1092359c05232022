#include "compiler/driver/dump.h"

#include "absl/strings/ascii.h"
#include "runtime/base/file.h"

namespace assay::driver {

std::string FileName(absl::string_view text) {
  std::string file(text);
  for (char& c : file) {
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                       c == '_' || c == '.' || c == '+' || c == '-';
    if (!plain) c = '_';
  }
  return file;
}

void DumpDir::Write(absl::string_view name, absl::string_view text) {
  if (!enabled() || !status_.ok()) return;
  status_ = MakeDirs(path_);
  if (status_.ok()) {
    status_ = WriteFileAtomic(JoinPath(path_, FileName(name)), text);
  }
}

}  // namespace assay::driver
