#include "compiler/driver/dump.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay::driver {

void DumpDir::Write(absl::string_view name, absl::string_view text) {
  if (!enabled() || !status_.ok()) return;
  std::string file(name);
  for (char& c : file) {
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                       c == '_' || c == '.' || c == '+' || c == '-';
    if (!plain) c = '_';
  }
  status_ = MakeDirs(path_);
  if (status_.ok()) {
    status_ = WriteFileAtomic(absl::StrCat(path_, "/", file), text);
  }
}

}  // namespace assay::driver
