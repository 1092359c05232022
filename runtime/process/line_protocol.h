// LineProtocol: starts a program that answers lines of its standard input with
// lines on its standard output, and exchanges lines with the program.
//
//   ASSAY_ASSIGN_OR_RETURN(auto program, LineProtocol::Start({path}, 60));
//   ASSAY_ASSIGN_OR_RETURN(const std::string answer,
//                          program->Request("run 7"));
//
// The destructor kills the program. If this process dies first, Linux kills the
// program.
#ifndef ASSAY_RUNTIME_PROCESS_LINE_PROTOCOL_H_
#define ASSAY_RUNTIME_PROCESS_LINE_PROTOCOL_H_

#include <poll.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/process/interrupt.h"
#include "runtime/process/spawn.h"

namespace assay::runtime {

class LineProtocol {
 public:
  // Starts the program `arguments[0]` with the options of Spawn(). `timeout_s`
  // is the time limit in seconds of each call of ReadLine() and Request() that
  // has no limit of its own. Start() makes this process ignore SIGPIPE. If
  // `interrupt` is not null, it must outlive the object; when it is raised, the
  // current and all later calls return Cancelled.
  static absl::StatusOr<std::unique_ptr<LineProtocol>> Start(
      const std::vector<std::string>& arguments, double timeout_s,
      const SpawnOptions& options = {}, const Interrupt* interrupt = nullptr);
  ~LineProtocol();
  LineProtocol(const LineProtocol&) = delete;
  LineProtocol& operator=(const LineProtocol&) = delete;

  // Reads the next line of the program's output, without the newline. Returns
  // Unavailable if the program has closed its output, DeadlineExceeded if there
  // is no line within the time limit, and ResourceExhausted if the line is
  // longer than 1 MiB. The error names the program and quotes the end of its
  // standard error.
  absl::StatusOr<std::string> ReadLine() { return ReadLine(timeout_s_); }
  absl::StatusOr<std::string> ReadLine(double timeout_s);
  // Writes `line` and a newline to the program, and reads the answer with
  // ReadLine(). The time limit includes the time in which the program reads
  // `line`, which can be longer than the buffer of a pipe.
  absl::StatusOr<std::string> Request(const std::string& line) {
    return Request(line, timeout_s_);
  }
  absl::StatusOr<std::string> Request(const std::string& line,
                                      double timeout_s);

  // Returns how the program ended (see waitpid(2)), once another call has found
  // that it has ended.
  std::optional<int> wait_status() const { return wait_status_; }

 private:
  LineProtocol(std::string program, double timeout_s,
               const Interrupt* interrupt)
      : program_(std::move(program)),
        timeout_s_(timeout_s),
        interrupt_(interrupt) {}

  // A point in time, and the time limit in seconds that it comes from.
  struct Deadline {
    int64_t nanos = 0;
    double timeout_s = 0;
  };

  static Deadline DeadlineIn(double timeout_s);
  // Appends available output to `text`. Returns false at the end of the stream
  // or after an error.
  static bool ReadAvailable(Pipe& pipe, std::string* text);
  absl::StatusOr<std::string> ReadLineUntil(const Deadline& deadline);
  // Waits for a short time until the descriptor of `event` has the event, and
  // returns true if it has it. Reads standard error meanwhile, so that the
  // program can write to it. Returns DeadlineExceeded after the deadline, and
  // Cancelled after the interrupt.
  absl::StatusOr<bool> Await(pollfd event, const Deadline& deadline);
  // Returns an error with the name of the program, `problem`, and the end of
  // the standard error of the program.
  absl::Status Error(absl::StatusCode code, absl::string_view problem) const;
  // Waits for the end of a program that has closed its output, for a short time
  // and not after `deadline_nanos`. Returns an Unavailable error that says how
  // the program ended.
  absl::Status Ended(int64_t deadline_nanos);

  const std::string program_;
  const double timeout_s_;
  const Interrupt* const interrupt_;
  Pipe in_, out_, err_;
  pid_t pid_ = -1;  // -1 after the program has ended
  std::optional<int> wait_status_;
  std::string stderr_;  // end of the standard error of the program
  std::string buffer_;  // output that ReadLine() has not returned yet
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_LINE_PROTOCOL_H_
