// SiteFolder: the folder of a site, in which only files that changed are
// written.
//
// data/state.json has the names of the cells by ID, and a key of each file: a
// digest of its contents, or of what it is made from. A file whose key is the
// same and that exists is not written again.
//
// Each file is replaced as a whole, so that readers and a site whose writer was
// killed have either its old or its new contents. Files are synced together in
// Finish(), before the files that name them.
#ifndef ASSAY_REPORTS_SITE_SITE_FOLDER_H_
#define ASSAY_REPORTS_SITE_SITE_FOLDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

class SiteFolder {
 public:
  // Opens the folder, and makes it if it does not exist. Returns Unavailable if
  // that is not possible.
  static absl::StatusOr<std::unique_ptr<SiteFolder>> Open(
      const std::string& folder);

  // The names of the cells by ID, as they were written last.
  const std::vector<std::string>& cells() const { return cells_; }
  // One sentence if state.json was damaged, so that everything is written
  // again and the cells get new IDs; else empty.
  const std::string& warning() const { return warning_; }

  // Paths are relative to the folder. These functions may be called by several
  // threads at the same time.

  // Returns true if the file exists with this key, and keeps it.
  bool IsFresh(const std::string& path, const std::string& key);
  // Writes a file.
  absl::Status Write(const std::string& path, const std::string& key,
                     absl::string_view contents);
  // Writes a file unless it has these contents already.
  absl::Status Update(const std::string& path, absl::string_view contents);

  // Makes everything durable that was written, and records it with the names of
  // the cells.
  absl::Status Finish(const std::vector<std::string>& cells);
  // Removes files of earlier sites in `data` that were neither kept nor
  // written. Errors are ignored.
  void RemoveOthers();

  int64_t files_written() const { return files_written_; }
  int64_t bytes_written() const { return bytes_written_; }

 private:
  explicit SiteFolder(std::string folder) : folder_(std::move(folder)) {}
  void ReadState();

  const std::string folder_;
  std::vector<std::string> cells_;
  std::string warning_;
  std::map<std::string, std::string> known_;  // keys by path, as in state.json
  std::set<std::string> existing_;            // of known_

  std::mutex mutex_;
  std::map<std::string, std::string> keys_;  // of the files of this site
  int64_t files_written_ = 0;
  int64_t bytes_written_ = 0;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_SITE_FOLDER_H_
