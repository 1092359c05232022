// DumpDir: writes dump files to the directory of the flag --dump_dir.
#ifndef ASSAY_COMPILER_DRIVER_DUMP_H_
#define ASSAY_COMPILER_DRIVER_DUMP_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay::driver {

// Returns `text` with every character outside [A-Za-z0-9_.+-] replaced by `_`.
std::string FileName(absl::string_view text);

class DumpDir {
 public:
  // `path` is the directory. If `path` is empty, nothing is written.
  explicit DumpDir(std::string path) : path_(std::move(path)) {}

  bool enabled() const { return !path_.empty(); }

  // Writes `text` to the file FileName(name) in the directory, which is created
  // if it does not exist. After the first error, Write() does nothing.
  void Write(absl::string_view name, absl::string_view text);

  // Returns the first error of Write(), or OK if there was no error.
  const absl::Status& status() const { return status_; }

 private:
  std::string path_;
  absl::Status status_;
};

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_DUMP_H_
