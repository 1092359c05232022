// Progress: prints a progress line on a terminal, with the current step and the
// estimated remaining time.
//
//   [2/4] resnet18 on host, fusion off: measuring (about 12 s left)
//
// If several threads measure on devices of a farm (--parallel), the line names
// the device and the row of each thread, and is cut off at the edge of the
// terminal:
//
//   [3/12] rpi3b-1: resnet18 on rpi3b, fusion on · rpi3b-2: mobilenet on …
//
// The estimate assumes that each remaining row takes the mean time of the
// finished rows. During the first row, no estimate is printed. The line changes
// only when a method is called. No background thread updates it, because such a
// thread would disturb the measurements.
//
// Thread-safe. Each thread has its own row: NextRow(), NameBoard(), Step() and
// Leave() are about the row of the thread that calls them.
#ifndef ASSAY_SUITES_HARNESS_PROGRESS_H_
#define ASSAY_SUITES_HARNESS_PROGRESS_H_

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <thread>

#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/clock.h"

namespace assay::suites {

class Progress {
 public:
  // If `terminal` is null, nothing is printed; this keeps logs short if
  // standard error is not a terminal. Both arguments must outlive this object.
  Progress(std::ostream* terminal, Clock* clock)
      : terminal_(terminal), clock_(clock) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Prints on standard error if it is a terminal.
  static Progress OnStandardError();

  // Starts a run of `rows` rows.
  void Start(int rows);
  // Starts the next row. `what` describes the row in the progress line.
  void NextRow(absl::string_view what);
  // Names the device of a farm that measures the row.
  void NameBoard(absl::string_view board);
  // Subtracts the last `rows` rows of this thread from the started rows,
  // because they are measured again.
  void Repeat(int rows);
  // Removes this thread from the line. Call this when it measures no more rows.
  void Leave();
  // Prints `text` alone, for example what the run waits for. The line is cut
  // off at the edge of the terminal.
  void Say(absl::string_view text);
  // Prints the line with the current step of the row, for example "measuring".
  void Step(absl::string_view step);
  // Erases the line. Must be called before other output on the terminal.
  void Clear();

 private:
  struct Row {
    std::string what;
    std::string board;
  };

  // These require the mutex.
  std::string TimeLeft() const;
  std::string Line(absl::string_view step) const;
  void Draw(absl::string_view line);

  std::ostream* const terminal_;
  Clock* const clock_;
  absl::Mutex mutex_;
  std::map<std::thread::id, Row> current_;
  int rows_ = 0;
  int row_number_ = 0;  // rows that were started
  int64_t start_ = 0;
  int64_t row_start_ = 0;
  bool drawn_ = false;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_PROGRESS_H_
