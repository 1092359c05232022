// LineFile: a text file to which a long measurement appends a line per result,
// so that it can be continued after it was stopped.
#ifndef ASSAY_SUITES_TRIALS_LINE_FILE_H_
#define ASSAY_SUITES_TRIALS_LINE_FILE_H_

#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace assay::suites {

class LineFile {
 public:
  // Creates an object without a file, which ignores all lines.
  LineFile() = default;

  // Opens the file at `path`. If it does not exist or has no complete line, it
  // is written with `header`, which must end in a newline. An incomplete last
  // line, which a stopped program leaves, is removed.
  static absl::StatusOr<LineFile> Open(const std::string& path,
                                       const std::string& header);

  // Returns what `parse` makes of the text that the file had when it was
  // opened. If the text is malformed, the error has the path.
  template <typename Item>
  absl::StatusOr<std::vector<Item>> Items(
      absl::StatusOr<std::vector<Item>> (*parse)(absl::string_view)) const {
    absl::StatusOr<std::vector<Item>> items = parse(text_);
    if (items.ok()) return items;
    return absl::InvalidArgumentError(
        absl::StrCat("`", path_, "`: ", items.status().message()));
  }

  // Appends `line`, which must end in a newline.
  absl::Status Append(const std::string& line);

 private:
  std::string path_, text_;
  std::ofstream stream_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_LINE_FILE_H_
