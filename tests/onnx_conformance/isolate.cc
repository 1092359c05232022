#include "tests/onnx_conformance/isolate.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"

namespace assay::conformance {
namespace {

struct Child {
  int index = 0;
  FILE* result = nullptr;  // status code as one byte, then the message
  FILE* log = nullptr;     // stderr
};

[[noreturn]] void RunChild(const Child& child,
                           const std::function<absl::Status(int)>& body) {
  alarm(kMaxSeconds);
  dup2(fileno(child.log), STDERR_FILENO);
  const absl::Status status = body(child.index);
  std::fputc(static_cast<int>(status.code()), child.result);
  const std::string message(status.message());
  std::fwrite(message.data(), 1, message.size(), child.result);
  std::fflush(child.result);
  // Do not run the parent's exit handlers and static destructors.
  _exit(0);
}

std::string Contents(FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  while (const size_t n = std::fread(buffer, 1, sizeof(buffer), file)) {
    text.append(buffer, n);
  }
  std::fclose(file);
  return text;
}

absl::Status ResultOf(const Child& child, int wait_status) {
  const std::string result = Contents(child.result);
  const std::string log = Contents(child.log);
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 &&
      !result.empty()) {
    return absl::Status(static_cast<absl::StatusCode>(result[0]),
                        result.substr(1));
  }
  if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGALRM) {
    return absl::DeadlineExceededError(
        absl::StrCat("took more than ", kMaxSeconds, " seconds"));
  }
  const std::vector<std::string> lines =
      absl::StrSplit(log, absl::MaxSplits('\n', 1));
  return absl::AbortedError(
      absl::StrCat("crashed",
                   WIFSIGNALED(wait_status)
                       ? absl::StrCat(" by signal ", WTERMSIG(wait_status))
                       : "",
                   lines[0].empty() ? "" : ": ", lines[0]));
}

}  // namespace

std::vector<absl::Status> RunIsolated(
    int count, int jobs, const std::function<absl::Status(int)>& body) {
  std::vector<absl::Status> results(count);
  std::map<pid_t, Child> running;
  int next = 0;
  while (next < count || !running.empty()) {
    if (next < count && static_cast<int>(running.size()) < jobs) {
      // Otherwise the child would write buffered output again.
      std::fflush(nullptr);
      const Child child = {next++, std::tmpfile(), std::tmpfile()};
      CHECK(child.result != nullptr && child.log != nullptr);
      const pid_t pid = fork();
      CHECK_GE(pid, 0) << "cannot fork";
      if (pid == 0) RunChild(child, body);
      running[pid] = child;
      continue;
    }
    int status = 0;
    const pid_t pid = waitpid(-1, &status, 0);
    const auto child = running.find(pid);
    if (child == running.end()) continue;
    results[child->second.index] = ResultOf(child->second, status);
    running.erase(child);
  }
  return results;
}

bool IsCrash(const absl::Status& status) {
  return absl::IsAborted(status) || absl::IsDeadlineExceeded(status);
}

}  // namespace assay::conformance
