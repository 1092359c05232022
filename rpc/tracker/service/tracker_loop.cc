#include "rpc/tracker/service/tracker_loop.h"

#include <chrono>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// MonotonicNanos() and this clock are the same on Linux.
std::chrono::steady_clock::time_point TimePoint(int64_t nanos) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(nanos));
}

}  // namespace

TrackerLoop::TrackerLoop(tracker::LeaseBook book, Options options)
    : book_(std::move(book)),
      options_(std::move(options)),
      thread_([this] { Run(); }) {}

TrackerLoop::~TrackerLoop() { Stop(); }

absl::Status TrackerLoop::Post(Command command) {
  return Add(std::move(command), /*limited=*/true);
}

absl::Status TrackerLoop::PostAlways(Command command) {
  return Add(std::move(command), /*limited=*/false);
}

absl::Status TrackerLoop::Add(Command command, bool limited) {
  bool was_empty = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_ || failed_) {
      return absl::UnavailableError("the tracker is stopping");
    }
    if (limited && !disk_full_.ok()) {
      return absl::UnavailableError(absl::StrCat(
          "the tracker cannot store its state: ", disk_full_.message()));
    }
    const auto size = static_cast<int64_t>(commands_.size());
    if (limited && size >= options_.max_commands) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the tracker is busy: ", size, " calls wait"));
    }
    was_empty = commands_.empty();
    commands_.push_back(std::move(command));
  }
  if (was_empty) wake_.notify_one();
  return absl::OkStatus();
}

void TrackerLoop::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void TrackerLoop::Run() {
  // The first round reserves tokens.
  bool again = true;
  while (true) {
    std::vector<Command> commands;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      const auto ready = [this] { return stopping_ || !commands_.empty(); };
      const int64_t next = again ? 0 : book_.NextEventNanos();
      if (next == kNever) {
        wake_.wait(lock, ready);
      } else if (!again) {
        wake_.wait_until(lock, TimePoint(next), ready);
      }
      if (stopping_ && commands_.empty()) return;
      commands.swap(commands_);
    }
    again = false;
    if (!Round(commands, again)) return;
  }
}

absl::Status TrackerLoop::Store(const Events& events) {
  absl::Status stored = options_.store(events);
  if (!absl::IsResourceExhausted(stored)) return stored;
  const auto note = [this](const absl::Status& status) {
    if (options_.disk_full != nullptr) options_.disk_full(status);
    const std::lock_guard<std::mutex> lock(mutex_);
    disk_full_ = status;
  };
  note(stored);
  while (absl::IsResourceExhausted(stored)) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      const auto stopping = [this] { return stopping_; };
      if (wake_.wait_for(lock, std::chrono::nanoseconds(options_.retry_nanos),
                         stopping)) {
        return stored;
      }
    }
    stored = options_.store(events);
  }
  if (stored.ok()) note(stored);
  return stored;
}

bool TrackerLoop::Round(const std::vector<Command>& commands, bool& again) {
  const int64_t now = MonotonicNanos();
  std::vector<Answer> answers;
  answers.reserve(commands.size());
  for (const Command& command : commands) {
    answers.push_back(command(book_, now));
  }
  const Events events = book_.Advance(now);
  const absl::Status stored = Store(events);
  if (!stored.ok()) {
    std::vector<Command> dropped;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      failed_ = true;
      dropped.swap(commands_);
    }
    options_.fail(stored);
    return false;
  }
  for (const tracker::Event& event : events) {
    if (const auto* wanted = std::get_if<tracker::TokensWanted>(&event)) {
      book_.ConfirmTokens(wanted->until);
      // Requests may have waited for tokens.
      again = true;
    }
  }
  for (const Answer& answer : answers) {
    if (answer) answer();
  }
  if (!events.empty()) again |= options_.handle(events, book_, now);
  return true;
}

}  // namespace assay::rpc
