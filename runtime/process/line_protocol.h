// LineProtocol: a running program that answers each line with one line.
//
//   ASSAY_ASSIGN_OR_RETURN(auto program, LineProtocol::Start({path}, 60));
//   ASSAY_ASSIGN_OR_RETURN(const std::string answer, program->Request("run
//   7"));
//
// The destructor kills the program; the kernel kills it if this process dies
// first.
#ifndef ASSAY_RUNTIME_PROCESS_LINE_PROTOCOL_H_
#define ASSAY_RUNTIME_PROCESS_LINE_PROTOCOL_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/process/spawn.h"

namespace assay::runtime {

class LineProtocol {
 public:
  // `timeout_s` is the time limit of each answer.
  static absl::StatusOr<std::unique_ptr<LineProtocol>> Start(
      const std::vector<std::string>& arguments, double timeout_s);
  ~LineProtocol();
  LineProtocol(const LineProtocol&) = delete;
  LineProtocol& operator=(const LineProtocol&) = delete;

  // Reads the next line of the program's output, without the newline.
  // Unavailable if the program has ended, DeadlineExceeded, or
  // ResourceExhausted for a line longer than 1 MiB. All name the program and
  // quote the end of its standard error.
  absl::StatusOr<std::string> ReadLine();
  // Writes a line to the program and reads its answer.
  absl::StatusOr<std::string> Request(const std::string& line);

 private:
  LineProtocol(std::string program, double timeout_s)
      : program_(std::move(program)), timeout_s_(timeout_s) {}

  // Appends available output to `text`; returns false at the end of the stream.
  static bool ReadAvailable(Pipe& pipe, std::string* text);
  // Error with the name of the program and the end of its standard error.
  absl::Status Error(absl::StatusCode code, absl::string_view problem) const;
  // Error that says how the program ended.
  absl::Status Ended(int64_t deadline_nanos);

  const std::string program_;
  const double timeout_s_;
  Pipe in_, out_, err_;
  pid_t pid_ = -1;      // -1 after the program has ended
  std::string stderr_;  // The end of the standard error.
  std::string buffer_;  // Output after the last line that was returned.
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_LINE_PROTOCOL_H_
