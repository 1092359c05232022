#include "suites/harness/progress.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay::suites {

// Returns to the first column and erases to the end of the line.
constexpr char kErase[] = "\r\x1b[K";

void Progress::Start(int rows) {
  const absl::MutexLock lock(&mutex_);
  rows_ = rows;
  row_number_ = 0;
  start_ = clock_->NowNanos();
}

void Progress::NextRow(absl::string_view what) {
  const absl::MutexLock lock(&mutex_);
  ++row_number_;
  row_ = std::string(what);
  row_start_ = clock_->NowNanos();
}

void Progress::Repeat(int rows) {
  const absl::MutexLock lock(&mutex_);
  row_number_ -= rows;
}

void Progress::Step(absl::string_view step) {
  const absl::MutexLock lock(&mutex_);
  Draw(absl::StrCat("[", row_number_, "/", rows_, "] ", row_, ": ", step,
                    TimeLeft()));
}

void Progress::Say(absl::string_view text) {
  const absl::MutexLock lock(&mutex_);
  Draw(text);
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
  return absl::StrCat(" (about ", HumanSeconds(left), " left)");
}

std::string HumanSeconds(double seconds) {
  if (seconds < 120) return absl::StrFormat("%.0f s", std::ceil(seconds));
  if (seconds < 2 * 3600) return absl::StrFormat("%.0f min", seconds / 60);
  return absl::StrFormat("%.1f h", seconds / 3600);
}

}  // namespace assay::suites
