// LogWriter and ReadLog: write and read an append-only log of records. The log
// consists of the segments in a folder:
//
//   <folder>/<time>-<random>.jsonl    a segment: one record per line
//
// Every writer has its own segment with a unique name. Therefore writers never
// contend, even on network file systems. Two stores are merged by copying the
// segments of one store to the folder of the other store (cp, rsync, git).
// Copies of a record are recognized by their equal ids, and ReadLog() returns
// only one of them.
//
// A crash loses at most the record that is being written. The checksum of a
// record detects a partial write. Lines that are not valid records are skipped
// and reported, but never modified.
#ifndef ASSAY_REPORTS_STORE_RECORD_LOG_H_
#define ASSAY_REPORTS_STORE_RECORD_LOG_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/store/locked_file.h"
#include "reports/store/record.h"

namespace assay::reports {

// A line that is not a valid record.
struct CorruptRecord {
  std::string segment;  // file name within the folder
  int64_t line = 0;     // 1-based
  int64_t bytes = 0;    // length of the line
  std::string reason;   // a predicate, for example `is truncated`
};

// Returns a message: `<segment>:<line>: the line of 17 bytes is truncated`.
std::string Describe(const CorruptRecord& corrupt);

// A record and its location.
struct Entry {
  Record record;
  std::string id;
  std::string segment;  // file name within the folder
  int64_t offset = 0;   // byte offset of the line in the segment
  int64_t bytes = 0;    // length of the line without the line break
};

struct LogContents {
  std::vector<Entry> entries;
  std::vector<CorruptRecord> corrupt_records;
};

// Returns the file names of the segments in `folder`, ordered by name and hence
// by creation time. Returns NotFound if `folder` does not exist, and
// InvalidArgument if it exists but is not a folder.
absl::StatusOr<std::vector<std::string>> ListSegments(
    const std::string& folder);

// Parses the contents `text` of a segment. Returns the records in the order in
// which they were written, including duplicates.
LogContents ParseSegment(absl::string_view text, const std::string& segment);
// Reads the file of a segment and parses it with ParseSegment().
absl::StatusOr<LogContents> ReadSegment(const std::string& folder,
                                        const std::string& segment);

// Reads all segments. If several records have equal ids, only the first of them
// is returned.
absl::StatusOr<LogContents> ReadLog(const std::string& folder);

class LogWriter {
 public:
  // Creates a new segment and, if necessary, the folder.
  static absl::StatusOr<std::unique_ptr<LogWriter>> Create(
      const std::string& folder);
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;
  // Removes the segment if nothing was appended.
  ~LogWriter();

  // Returns the unique file name of the segment.
  const std::string& segment() const { return segment_; }

  // Appends a record durably (fdatasync). If an error is returned, the record
  // may or may not be in the log. Further records can be appended after an
  // error.
  absl::Status Append(const Record& record);

 private:
  LogWriter(std::string segment, LockedFile file)
      : segment_(std::move(segment)), file_(std::move(file)) {}

  const std::string segment_;
  LockedFile file_;
  bool empty_ = true;
  // True if the last write failed. The segment may then end in an incomplete
  // line.
  bool torn_ = false;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RECORD_LOG_H_
