// NewStoreFile and ListStoreFiles: names of the files that writers add to a
// store, `<time>-<random><suffix>`. The names are unique, so that the files of
// two stores can be copied into one folder. Ordered by name, they are ordered
// by the time at which they were created.
#ifndef ASSAY_REPORTS_STORE_STORE_FILES_H_
#define ASSAY_REPORTS_STORE_STORE_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

// Returns a new name, `20240501T120000.123456Z-0123456789abcdef<suffix>`.
absl::StatusOr<std::string> NewStoreFile(absl::string_view suffix);

// Returns the names of the files in `folder` with this suffix, in order.
// Returns NotFound if `folder` does not exist, and InvalidArgument if it exists
// but is not a folder.
absl::StatusOr<std::vector<std::string>> ListStoreFiles(
    const std::string& folder, absl::string_view suffix);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_STORE_FILES_H_
