// Progress: a progress line on a terminal, with the current step and the
// estimated remaining time. Prints nothing if standard error is not a terminal,
// to keep logs short.
//
//   [2/4] resnet18 on host, fusion off: measuring (about 12 s left)
//
// The estimate assumes that the remaining rows take as long as the finished
// ones on average; there is none during the first row. No background thread is
// used, because it would disturb the measurements.
#ifndef ASSAY_SUITES_HARNESS_PROGRESS_H_
#define ASSAY_SUITES_HARNESS_PROGRESS_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/clock.h"

namespace assay::suites {

class Progress {
 public:
  // If `terminal` is null, nothing is printed. Both arguments must outlive the
  // object.
  Progress(std::ostream* terminal, Clock* clock)
      : terminal_(terminal), clock_(clock) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Starts a run of `rows` rows.
  void Start(int rows);
  // Starts the next row.
  void NextRow(absl::string_view what);
  // Prints the current step of the row, for example "measuring".
  void Step(absl::string_view step);
  // Erases the line, before other output.
  void Clear();

 private:
  std::string TimeLeft() const;

  std::ostream* const terminal_;
  Clock* const clock_;
  std::string row_;
  int rows_ = 0;
  int row_number_ = 0;
  int64_t start_ = 0;
  int64_t row_start_ = 0;
  bool drawn_ = false;
};

// Formats a duration as `12 s`, `3 min` or `1.5 h`.
std::string HumanSeconds(double seconds);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_PROGRESS_H_
