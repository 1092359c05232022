// LogFile and ReadLog: append records to a log of the tuner, and read it.
//
//   ASSAY_ASSIGN_OR_RETURN(LogFile log, LogFile::Open(path));
//   ASSAY_RETURN_IF_ERROR(log.Append(record));  // is on disk now
//
// A log is one file with a record per line. Several processes may append to it
// at the same time: each line is written under a lock. A process that is killed
// loses at most the record that it is writing. The part of a line that it
// leaves is completed with a line break by the next Append(), and ReadLog()
// reports it as damaged.
#ifndef ASSAY_SUITES_TUNE_LOG_LOG_FILE_H_
#define ASSAY_SUITES_TUNE_LOG_LOG_FILE_H_

#include <cstdint>
#include <string>
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

  LogFile(LogFile&& other) noexcept;
  LogFile& operator=(LogFile&& other) noexcept;
  ~LogFile();

  // Appends a line, and returns when it is on disk. After an error, for example
  // of a full disk, the file is as before unless the process is killed.
  absl::Status Append(const TuningRecord& record);
  absl::Status Append(const NetworkRecord& record);

 private:
  LogFile(int fd, std::string path);

  absl::Status AppendLine(std::string line);
  absl::Status AppendLocked(std::string line);

  int fd_;
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

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_LOG_FILE_H_
