#include "suites/harness/progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/text/duration.h"

namespace assay::suites {

// Returns to the first column and erases to the end of the line.
constexpr char kErase[] = "\r\x1b[K";
// The terminal cuts off, or wraps, lines that are too long for it.
constexpr char kTruncate[] = "\x1b[?7l";
constexpr char kWrap[] = "\x1b[?7h";

Progress Progress::OnStandardError() {
  return {isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr,
          Clock::Monotonic()};
}

void Progress::Start(int rows) {
  const absl::MutexLock lock(&mutex_);
  rows_ = rows;
  row_number_ = 0;
  start_ = clock_->NowNanos();
}

void Progress::NextRow(absl::string_view what) {
  const absl::MutexLock lock(&mutex_);
  ++row_number_;
  current_[std::this_thread::get_id()].what = std::string(what);
  row_start_ = clock_->NowNanos();
}

void Progress::NameBoard(absl::string_view board) {
  const absl::MutexLock lock(&mutex_);
  current_[std::this_thread::get_id()].board = std::string(board);
}

void Progress::Leave() {
  const absl::MutexLock lock(&mutex_);
  current_.erase(std::this_thread::get_id());
}

void Progress::Repeat(int rows) {
  const absl::MutexLock lock(&mutex_);
  row_number_ -= rows;
}

void Progress::Step(absl::string_view step) {
  const absl::MutexLock lock(&mutex_);
  Draw(Line(step));
}

std::string Progress::Line(absl::string_view step) const {
  std::string line = absl::StrCat("[", row_number_, "/", rows_, "] ");
  if (current_.size() < 2) {
    const std::string what =
        current_.empty() ? "" : current_.begin()->second.what;
    return absl::StrCat(line, what, ": ", step, TimeLeft());
  }
  // Sorted, so that a device keeps its place in the line.
  std::vector<std::string> rows;
  for (const auto& [thread, row] : current_) {
    rows.push_back(
        absl::StrCat(row.board, row.board.empty() ? "" : ": ", row.what));
  }
  std::sort(rows.begin(), rows.end());
  return absl::StrCat(kTruncate, line, absl::StrJoin(rows, " · "), kWrap);
}

void Progress::Say(absl::string_view text) {
  const absl::MutexLock lock(&mutex_);
  Draw(absl::StrCat(kTruncate, text, kWrap));
}

void Progress::Draw(absl::string_view line) {
  if (terminal_ == nullptr) return;
  *terminal_ << kErase << line << std::flush;
  drawn_ = true;
}

void Progress::Clear() {
  const absl::MutexLock lock(&mutex_);
  if (!drawn_) return;
  *terminal_ << kErase << std::flush;
  drawn_ = false;
}

std::string Progress::TimeLeft() const {
  const int done = row_number_ - 1;
  if (done < 1) return "";
  const double per_row = static_cast<double>(row_start_ - start_) * 1e-9 / done;
  const double in_row =
      static_cast<double>(clock_->NowNanos() - row_start_) * 1e-9;
  const double left =
      std::max(per_row - in_row, 0.0) + per_row * (rows_ - row_number_);
  return absl::StrCat(" (about ", runtime::HumanSeconds(left), " left)");
}

}  // namespace assay::suites
