#include "suites/harness/testing/fake_rack.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace assay::suites {

class FakeRack::Session : public runtime::Session {
 public:
  Session(FakeRack* rack, const Board& board, int threads,
          const ObserveBlock& observe)
      : rack_(rack), board_(board), threads_(threads), observe_(observe) {}

  runtime::DeviceFacts facts() const override { return board_.facts; }
  int threads() const override { return threads_; }
  absl::Status SetInputs(const runtime::NamedTensors&) override {
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
      const runtime::Block& block) override {
    const absl::Status lost = rack_->NoteBlock(board_.facts.board);
    if (!lost.ok()) return lost;
    std::vector<runtime::Sample> samples;
    for (const runtime::SampleSpec& spec : block.samples) {
      samples.push_back(
          {static_cast<int64_t>(board_.ms * 1e6 * Noise()) * spec.number,
           spec.number,
           {{"y", NDArray::FromVector<float>({1}, {board_.output})}}});
    }
    reports::BlockState state;
    state.samples = static_cast<int>(samples.size());
    state.before.temperature_celsius = board_.ms;
    if (observe_ != nullptr) observe_(state);
    return samples;
  }

 private:
  double Noise() {
    return 1 + rack_->scatter_ *
                   (static_cast<double>(rack_->taken_++ * 7 % 11) / 5 - 1);
  }

  FakeRack* const rack_;
  const Board& board_;
  const int threads_;
  const ObserveBlock& observe_;
};

class FakeRack::Runner : public runtime::Runner {
 public:
  Runner(FakeRack* rack, std::string board, ObserveBlock observe)
      : rack_(rack), board_(std::move(board)), observe_(std::move(observe)) {}
  ~Runner() override { rack_->EndLane(board_); }

  runtime::DeviceFacts facts() const override {
    return board_.empty() ? runtime::DeviceFacts()
                          : rack_->boards_.at(board_).facts;
  }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const>,
      const runtime::LoadOptions& options) override {
    if (board_.empty() || rack_->IsLost(board_)) {
      board_.clear();
      const absl::StatusOr<std::string> next = rack_->Acquire(/*wait=*/false);
      if (!next.ok()) return next.status();
      board_ = *next;
    }
    return std::make_unique<Session>(rack_, rack_->boards_.at(board_),
                                     options.threads, observe_);
  }

 private:
  FakeRack* const rack_;
  std::string board_;
  const ObserveBlock observe_;
};

FakeRack::FakeRack(const std::vector<std::string>& names) {
  double ms = 10;
  for (const std::string& name : names) {
    Board& board = boards_[name];
    board.facts.fingerprint = "aarch64-fake-4c-00000000";
    board.facts.board = name;
    board.ms = ms;
    ms *= 3;
  }
  free_ = names;
}

absl::StatusOr<std::unique_ptr<runtime::Runner>> FakeRack::Lease(
    const ObserveBlock& observe) {
  absl::StatusOr<std::string> board = Acquire(/*wait=*/true);
  if (!board.ok()) return board.status();
  return std::make_unique<Runner>(this, *std::move(board), observe);
}

absl::StatusOr<std::string> FakeRack::Acquire(bool wait) {
  const absl::MutexLock lock(&mutex_);
  const auto ready = [this] { return stopped_ || !free_.empty(); };
  if (wait) mutex_.Await(absl::Condition(&ready));
  if (stopped_) return absl::CancelledError("no board is needed any more");
  if (free_.empty() || (!wait && !lend_again_)) {
    return absl::DeadlineExceededError("no board was free in time");
  }
  std::string board = free_.front();
  free_.erase(free_.begin());
  used_.insert(board);
  lent_.push_back(board);
  most_at_once_ = std::max(most_at_once_, used_.size());
  return board;
}

void FakeRack::EndLane(const std::string& board) {
  const absl::MutexLock lock(&mutex_);
  lane_ended_ |= board.empty();
  if (used_.erase(board) > 0) free_.push_back(board);
}

bool FakeRack::IsLost(const std::string& board) const {
  const absl::MutexLock lock(&mutex_);
  return lost_.count(board) > 0;
}

absl::Status FakeRack::NoteBlock(const std::string& board) {
  const absl::MutexLock lock(&mutex_);
  const auto enough = [this] {
    return static_cast<int>(begun_.size()) >= wait_for_;
  };
  begun_.insert(board);
  const bool waits = wait_for_end_ && boards_.at(board).lost_after == 0;
  const auto ended = [this] { return lane_ended_; };
  if (waits) {
    mutex_.AwaitWithTimeout(absl::Condition(&ended), absl::Seconds(10));
  }
  mutex_.AwaitWithTimeout(absl::Condition(&enough), absl::Seconds(10));
  const int lost_after = boards_.at(board).lost_after;
  if (lost_after > 0 && ++board_blocks_[board] > lost_after) {
    lost_.insert(board);
    used_.erase(board);
  }
  if (lost_.count(board) == 0) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat("the board ", board, " was lost"));
}

void FakeRack::StopWaiting() {
  const absl::MutexLock lock(&mutex_);
  stopped_ = true;
}

std::vector<std::string> FakeRack::lent() const {
  const absl::MutexLock lock(&mutex_);
  return lent_;
}

int FakeRack::most_at_once() const {
  const absl::MutexLock lock(&mutex_);
  return static_cast<int>(most_at_once_);
}

bool FakeRack::all_returned() const {
  const absl::MutexLock lock(&mutex_);
  return used_.empty();
}

}  // namespace assay::suites
