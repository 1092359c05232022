// Child: a program of a farm that runs beside this one.
//
//   ASSAY_ASSIGN_OR_RETURN(auto tracker, Child::Start("tracker", {…}, log));
//   ASSAY_ASSIGN_OR_RETURN(const int port,
//                          tracker->WaitForPort(port_file, 10'000'000'000));
//   …
//   tracker->Stop(3'000'000'000);
//
// The program dies with this process, even if this process is killed.
#ifndef ASSAY_RPC_FARM_CHILD_H_
#define ASSAY_RPC_FARM_CHILD_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::rpc {

class Child {
 public:
  // Starts the program `arguments[0]`. What it writes to standard output and
  // standard error is appended to the file `log`. `name` is for messages.
  static absl::StatusOr<std::unique_ptr<Child>> Start(
      const std::string& name, const std::vector<std::string>& arguments,
      const std::string& log);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();  // kills the program

  const std::string& name() const { return name_; }
  pid_t pid() const { return pid_; }

  // Returns OK while the program runs, and then an Unavailable error that says
  // how it ended and quotes its error message or the end of its log.
  absl::Status Check();

  // Waits until the program has written the number of its port to `port_file`,
  // which must not exist before the program is started.
  absl::StatusOr<int> WaitForPort(const std::string& port_file,
                                  int64_t timeout_nanos);

  // Sends SIGTERM, waits until the program has ended, and kills it if it has
  // not ended within `timeout_nanos`. Returns true if it ended by itself.
  bool Stop(int64_t timeout_nanos);

 private:
  Child(std::string name, std::string log, size_t log_start, pid_t pid)
      : name_(std::move(name)),
        log_(std::move(log)),
        log_start_(log_start),
        pid_(pid) {}

  const std::string name_;
  const std::string log_;
  const size_t log_start_;  // bytes that were in the log before
  pid_t pid_;               // -1 after the program has ended
  std::string ending_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_FARM_CHILD_H_
