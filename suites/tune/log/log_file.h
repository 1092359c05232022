// LogFile, ReadLog and MergeLogs: append records to a log of the tuner, read
// it, and make one log of several.
//
//   ASSAY_ASSIGN_OR_RETURN(LogFile log, LogFile::Open(path));
//   ASSAY_RETURN_IF_ERROR(log.Append(record));  // is on disk now
//
// A log is one file with a record per line. Several processes may append to it
// at the same time: each line is written under a lock. A process that is killed
// loses at most the record that it is writing. If it leaves a part of a line,
// the next Append() ends that line with a line break, and ReadLog() reports it
// as damaged.
#ifndef ASSAY_SUITES_TUNE_LOG_LOG_FILE_H_
#define ASSAY_SUITES_TUNE_LOG_LOG_FILE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

class LogFile {
 public:
  // Opens the file; creates it if it does not exist.
  static absl::StatusOr<LogFile> Open(const std::string& path);

  // Appends a line, and returns when it is on disk. If the line cannot be
  // written, for example because the disk is full, removes the part of it that
  // was written.
  absl::Status Append(const TuningRecord& record) const {
    return AppendLine(record.ToJson());
  }
  absl::Status Append(const NetworkRecord& record) const {
    return AppendLine(record.ToJson());
  }

 private:
  explicit LogFile(std::string path) : path_(std::move(path)) {}

  absl::Status AppendLine(std::string line) const;

  std::string path_;
};

// A line that is no record.
struct DamagedLine {
  int64_t line = 0;  // 1-based
  std::string reason;
};

struct Log {
  std::string path;
  std::vector<TuningRecord> records;  // in the order of the lines
  std::vector<int64_t> lines;         // of the records, 1-based
  std::vector<NetworkRecord> networks;
  std::vector<int64_t> network_lines;
  std::vector<DamagedLine> damaged;
};

// Reads a whole log. Empty lines are ignored. Returns an error if the file
// cannot be read.
absl::StatusOr<Log> ReadLog(const std::string& path);

// Returns the records that were measured at `place`, without line numbers, and
// all damaged lines.
Log RecordsAt(const Log& log, const TuningPlace& place);

// The concatenation of logs. Lines that occurred before are left out, so it
// does no harm to merge a log twice. Lines that are not JSON, which a killed
// tuner may leave, are left out, too. All other lines are kept as they are,
// even if they are records of another version.
struct MergedLog {
  std::string text;
  int64_t lines = 0;       // that were kept
  int64_t duplicates = 0;  // that were left out
  // The lines that are not JSON, as `PATH:LINE`.
  std::vector<std::string> damaged;
};

// Returns an error if a file cannot be read.
absl::StatusOr<MergedLog> MergeLogs(const std::vector<std::string>& paths);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_LOG_FILE_H_
