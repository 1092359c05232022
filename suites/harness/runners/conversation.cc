#include "suites/harness/runners/conversation.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;

}  // namespace

absl::StatusOr<std::unique_ptr<Conversation>> Conversation::Start(
    const std::vector<std::string>& arguments, double timeout_s) {
  // Who speaks to a program that ended learns it from the call.
  signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<Conversation> talk(new Conversation(arguments[0], timeout_s));
  if (!talk->in_.Open() || !talk->out_.Open()) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  ASSAY_ASSIGN_OR_RETURN(
      talk->pid_, Spawn(arguments, {talk->in_.read_end(),
                                    talk->out_.write_end(), /*err=*/-1}));
  talk->in_.CloseRead();
  talk->out_.CloseWrite();
  return talk;
}

Conversation::~Conversation() {
  if (pid_ >= 0) KillSpawned(pid_);
}

absl::StatusOr<std::string> Conversation::Listen() {
  const int64_t deadline =
      MonotonicNanos() + static_cast<int64_t>(timeout_s_ * 1e9);
  size_t end;
  while ((end = heard_.find('\n')) == std::string::npos) {
    const int64_t left_ms = (deadline - MonotonicNanos()) / 1000000;
    if (left_ms <= 0) {
      return absl::DeadlineExceededError(absl::StrCat(
          "`", program_, "` did not answer within ", timeout_s_, " s"));
    }
    if (heard_.size() > kMostBytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("`", program_, "` wrote a line without end"));
    }
    pollfd fd = {out_.read_end(), POLLIN, 0};
    poll(&fd, 1, static_cast<int>(std::min<int64_t>(left_ms, 1000)));
    if (fd.revents == 0) continue;
    char buffer[1 << 12];
    const ssize_t n = read(out_.read_end(), buffer, sizeof(buffer));
    if (n > 0) heard_.append(buffer, static_cast<size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
      return absl::UnavailableError(
          absl::StrCat("`", program_, "` ended without an answer"));
    }
  }
  std::string line = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  return line;
}

absl::StatusOr<std::string> Conversation::Ask(const std::string& line) {
  const std::string text = line + "\n";
  for (size_t said = 0; said < text.size();) {
    const ssize_t n =
        write(in_.write_end(), text.data() + said, text.size() - said);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return absl::UnavailableError(
          absl::StrCat("`", program_, "` does not listen any more"));
    }
    said += static_cast<size_t>(n);
  }
  return Listen();
}

}  // namespace assay::suites
