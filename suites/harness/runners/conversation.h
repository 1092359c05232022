// Conversation: a program that answers line by line.
//
//   ASSAY_ASSIGN_OR_RETURN(auto program, Conversation::Start({path}, 60));
//   ASSAY_ASSIGN_OR_RETURN(const std::string answer, program->Ask("run 7"));
//
// It is killed when the object goes away, and by the kernel if we die first.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_CONVERSATION_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_CONVERSATION_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/runners/spawn.h"

namespace assay::suites {

class Conversation {
 public:
  // An answer may take `timeout_s`.
  static absl::StatusOr<std::unique_ptr<Conversation>> Start(
      const std::vector<std::string>& arguments, double timeout_s);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // The next line that the program writes, without its end. Unavailable if it
  // ended instead, DeadlineExceeded if it took too long, ResourceExhausted for
  // a line beyond a megabyte; each names the program.
  absl::StatusOr<std::string> Listen();
  // Says a line and listens.
  absl::StatusOr<std::string> Ask(const std::string& line);

 private:
  Conversation(std::string program, double timeout_s)
      : program_(std::move(program)), timeout_s_(timeout_s) {}

  const std::string program_;
  const double timeout_s_;
  Pipe in_, out_;
  pid_t pid_ = -1;
  std::string heard_;  // beyond the last line
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_CONVERSATION_H_
