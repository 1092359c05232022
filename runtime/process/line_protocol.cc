#include "runtime/process/line_protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::runtime {
namespace {

constexpr size_t kMaxLineBytes = size_t{1} << 20;
constexpr size_t kMaxStderrBytes = size_t{1} << 16;
// A program that has closed its output should end within this time.
constexpr int64_t kEndNanos = int64_t{5} * 1000000000;

}  // namespace

absl::StatusOr<std::unique_ptr<LineProtocol>> LineProtocol::Start(
    const std::vector<std::string>& arguments, double timeout_s,
    const SpawnOptions& options, const Interrupt* interrupt) {
  // write() to a program that has ended must return an error.
  signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<LineProtocol> program(
      new LineProtocol(arguments[0], timeout_s, interrupt));
  if (!program->in_.Open() || !program->out_.Open() || !program->err_.Open()) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  ASSAY_ASSIGN_OR_RETURN(
      program->pid_, Spawn(arguments,
                           {program->in_.read_end(), program->out_.write_end(),
                            program->err_.write_end()},
                           options));
  program->in_.CloseRead();
  program->out_.CloseWrite();
  program->err_.CloseWrite();
  // Request() must not wait without a limit for a program that does not read.
  const int in = program->in_.write_end();
  if (fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK) < 0) {
    return absl::ErrnoToStatus(errno, "cannot configure a pipe");
  }
  return program;
}

LineProtocol::~LineProtocol() {
  if (pid_ >= 0) KillSpawned(pid_);
}

bool LineProtocol::ReadAvailable(Pipe& pipe, std::string* text) {
  char bytes[1 << 12];
  const ssize_t n = read(pipe.read_end(), bytes, sizeof(bytes));
  if (n > 0) text->append(bytes, static_cast<size_t>(n));
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

LineProtocol::Deadline LineProtocol::DeadlineIn(double timeout_s) {
  return {MonotonicNanos() + static_cast<int64_t>(timeout_s * 1e9), timeout_s};
}

absl::StatusOr<bool> LineProtocol::Await(pollfd event,
                                         const Deadline& deadline) {
  if (interrupt_ != nullptr && interrupt_->raised()) {
    return Error(absl::StatusCode::kCancelled, "was interrupted");
  }
  const int64_t left_ms = (deadline.nanos - MonotonicNanos()) / 1000000;
  if (left_ms <= 0) {
    return Error(
        absl::StatusCode::kDeadlineExceeded,
        absl::StrCat("did not answer within ", deadline.timeout_s, " s"));
  }
  // Negative descriptors are ignored.
  pollfd fds[3] = {event,
                   {err_.read_end(), POLLIN, 0},
                   {interrupt_ == nullptr ? -1 : interrupt_->fd(), POLLIN, 0}};
  poll(fds, 3, static_cast<int>(std::min<int64_t>(left_ms, 1000)));
  if (fds[1].revents != 0) {
    if (!ReadAvailable(err_, &stderr_)) err_.CloseRead();
    if (stderr_.size() > kMaxStderrBytes) {
      stderr_.erase(0, stderr_.size() - kMaxStderrBytes);
    }
    return false;
  }
  return fds[0].revents != 0;
}

absl::StatusOr<std::string> LineProtocol::ReadLineUntil(
    const Deadline& deadline) {
  size_t end;
  while ((end = buffer_.find('\n')) == std::string::npos) {
    if (buffer_.size() > kMaxLineBytes) {
      return Error(absl::StatusCode::kResourceExhausted,
                   "wrote a line that is too long");
    }
    ASSAY_ASSIGN_OR_RETURN(const bool readable,
                           Await({out_.read_end(), POLLIN, 0}, deadline));
    if (readable && !ReadAvailable(out_, &buffer_)) {
      return Ended(deadline.nanos);
    }
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

absl::StatusOr<std::string> LineProtocol::ReadLine(double timeout_s) {
  return ReadLineUntil(DeadlineIn(timeout_s));
}

absl::StatusOr<std::string> LineProtocol::Request(const std::string& line,
                                                  double timeout_s) {
  const Deadline deadline = DeadlineIn(timeout_s);
  const std::string text = line + "\n";
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t n =
        write(in_.write_end(), text.data() + sent, text.size() - sent);
    if (n >= 0) {
      sent += static_cast<size_t>(n);
    } else if (errno == EAGAIN) {
      ASSAY_RETURN_IF_ERROR(
          Await({in_.write_end(), POLLOUT, 0}, deadline).status());
    } else if (errno != EINTR) {
      // The program has closed its input; reading reports how it ended.
      break;
    }
  }
  return ReadLineUntil(deadline);
}

absl::Status LineProtocol::Error(absl::StatusCode code,
                                 absl::string_view problem) const {
  return absl::Status(code, absl::StrCat("`", program_, "` ", problem,
                                         "; it wrote: ", LastLines(stderr_)));
}

absl::Status LineProtocol::Ended(int64_t deadline_nanos) {
  std::string how = "ended without an answer";
  const int64_t end = std::min(deadline_nanos, MonotonicNanos() + kEndNanos);
  while (pid_ >= 0) {
    constexpr int64_t kSliceNanos = 20000000;
    const absl::StatusOr<int> status =
        WaitSpawned(pid_, std::min(end, MonotonicNanos() + kSliceNanos));
    if (status.ok()) {
      how = absl::StrCat(DescribeExit(*status), " without an answer");
      wait_status_ = *status;
      pid_ = -1;
    } else if (MonotonicNanos() >= end) {
      break;
    } else if (interrupt_ != nullptr && interrupt_->raised()) {
      return Error(absl::StatusCode::kCancelled, "was interrupted");
    }
  }
  return Error(absl::StatusCode::kUnavailable, how);
}

}  // namespace assay::runtime
