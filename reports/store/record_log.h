// An append-only log of records in a folder.
//
//   <folder>/<time>-<random>.jsonl    a segment: one record per line
//
// Every writer has its own segment with a unique name. Writers hence never
// contend, even on network file systems, and two stores are merged by copying
// the segments of one into the other (cp, rsync, git) without conflicts.
// Duplicate records are ignored, because ids are derived from the contents.
//
// A crash loses at most the record being written: a torn write is detected by
// the checksum of the record. Lines that are not valid records are skipped and
// reported, but never modified.
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
  int64_t bytes = 0;
  std::string reason;  // a predicate such as `is truncated`
};

// `segment:line: the line of 17 bytes is truncated`.
std::string Describe(const CorruptRecord& corrupt);

// A record and its location.
struct Entry {
  Record record;
  std::string id;
  std::string segment;
  int64_t offset = 0;
  int64_t bytes = 0;  // without the line break
};

struct LogContents {
  std::vector<Entry> entries;
  std::vector<CorruptRecord> corrupt_records;
};

// Lists the segments of a folder ordered by name, i.e. by creation time.
// Returns NotFound if the folder does not exist, and InvalidArgument if it is
// not a folder.
absl::StatusOr<std::vector<std::string>> ListSegments(
    const std::string& folder);

// Reads one segment in the order written, including duplicates.
LogContents ParseSegment(absl::string_view text, const std::string& segment);
absl::StatusOr<LogContents> ReadSegment(const std::string& folder,
                                        const std::string& segment);

// Reads all segments. Of records with equal ids, only the first is returned.
absl::StatusOr<LogContents> ReadLog(const std::string& folder);

class LogWriter {
 public:
  // Creates a segment and, if necessary, the folder.
  static absl::StatusOr<std::unique_ptr<LogWriter>> Create(
      const std::string& folder);
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;
  // Removes the segment if nothing was appended.
  ~LogWriter();

  // The unique name of the segment.
  const std::string& segment() const { return segment_; }

  // Appends a record durably (fdatasync). After an error the record may or may
  // not be in the log; further records can be appended.
  absl::Status Append(const Record& record);

 private:
  LogWriter(std::string segment, LockedFile file)
      : segment_(std::move(segment)), file_(std::move(file)) {}

  const std::string segment_;
  LockedFile file_;
  bool empty_ = true;
  // The last write failed and may be torn.
  bool torn_ = false;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RECORD_LOG_H_
