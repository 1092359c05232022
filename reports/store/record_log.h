// RecordLog: an append-only log of records in a folder.
//
//   <folder>/<when>-<random>.jsonl    a segment: records, one a line
//
// Every writer has a segment of its own, whose name no other has, rather than
// a place in a common file: writers never wait for one another, on file
// systems of several machines too, and two folders are merged by copying the
// segments of one into the other (cp, rsync, git), where nothing can conflict.
// A record that comes twice counts once: its id is made of its content.
//
// A crash at any byte loses at most the record being written: its line is cut
// short, which its checksum shows. Such a line, and any other that is not a
// record, is skipped and reported, and stays where it is.
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

// A line that is not a record.
struct Damage {
  std::string segment;  // the file's name within the folder
  int64_t line = 0;     // the first is 1
  int64_t bytes = 0;
  std::string reason;  // `is cut short`
};

// `segment:line: the line of 17 bytes is cut short`.
std::string Describe(const Damage& damage);

// A record and where it stands.
struct Entry {
  Record record;
  std::string id;
  std::string segment;
  int64_t offset = 0;
  int64_t bytes = 0;  // without the line break
};

struct LogContents {
  std::vector<Entry> entries;
  std::vector<Damage> damages;
};

// The segments of a folder, by name, which is by when they were begun.
// NotFound if there is nothing of this name, InvalidArgument if it is something
// else.
absl::StatusOr<std::vector<std::string>> ListSegments(
    const std::string& folder);

// One of them, in the order written, with repetitions.
LogContents ParseSegment(absl::string_view text, const std::string& segment);
absl::StatusOr<LogContents> ReadSegment(const std::string& folder,
                                        const std::string& segment);

// All of them. Of records with the same id the first is there.
absl::StatusOr<LogContents> ReadLog(const std::string& folder);

class LogWriter {
 public:
  // Begins a segment, and creates the folder if need be.
  static absl::StatusOr<std::unique_ptr<LogWriter>> Create(
      const std::string& folder);
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;
  // Removes the segment if nothing was appended.
  ~LogWriter();

  // The segment's name, which no other has.
  const std::string& segment() const { return segment_; }

  // The record is on disk when this returns. After an error it may be there,
  // and the next one can be appended all the same.
  absl::Status Append(const Record& record);

 private:
  LogWriter(std::string segment, LockedFile file)
      : segment_(std::move(segment)), file_(std::move(file)) {}

  const std::string segment_;
  LockedFile file_;
  bool empty_ = true;
  // The last line may lack its end.
  bool torn_ = false;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RECORD_LOG_H_
