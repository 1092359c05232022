// Progress: one line on a terminal that says what is being done and how long
// it will still take. Silent where standard error is not a terminal, so that
// logs do not fill with it.
//
//   [2/4] resnet18 on host, fusion off: measuring (about 12 s left)
//
// The estimate takes the rows that are left to be as long as those done; there
// is none during the first row. Nothing runs in the background: a thread that
// draws would be measured along with the model.
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
  // `terminal` is null for silence; it and `clock` outlive the object.
  Progress(std::ostream* terminal, Clock* clock)
      : terminal_(terminal), clock_(clock) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // How many rows there will be.
  void Start(int rows);
  // A new row begins.
  void NextRow(absl::string_view what);
  // The row goes on to something else: "measuring".
  void Step(absl::string_view step);
  // Takes the line away, for other output.
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

// `12 s`, `3 min`, `1.5 h`.
std::string HumanSeconds(double seconds);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_PROGRESS_H_
