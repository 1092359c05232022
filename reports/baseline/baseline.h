// Baselines: the accepted times of the cells of a suite on a machine.
//
// `baselines/<suite>/<fingerprint>.csv` holds one line per cell of one machine.
// The files are checked in and reviewed as diffs, so they are sorted, rounded
// to six digits, which no comparison can resolve, and written only by
// `--bless`. reports/stats/compare.h explains what stored times can be used
// for.
//
// The times of emulators are never stored.
#ifndef ASSAY_REPORTS_BASELINE_BASELINE_H_
#define ASSAY_REPORTS_BASELINE_BASELINE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/cell_key.h"
#include "reports/stats/summary.h"

namespace assay::reports {

struct BaselineRow {
  CellKey key;
  // In milliseconds. count, mean, std, median, p99 and robust_sigma are
  // stored; min and max read back as 0.
  stats::Summary timing;
  // Models with the same name but different digests are different models.
  std::string model_digest;
  std::string artifact_digest;
  // State of the machine: `governor=performance ...`.
  std::string state;
  // Origin of the row: digest of the samples (SampleDigest), commit of the
  // source, followed by `+` if it was changed, digest of the program that
  // compiled and measured, which covers its toolchain, and the command with
  // target and options. Commit and command are sufficient to rebuild the
  // artifact.
  std::string sample_digest;
  std::string commit;
  std::string program_digest;
  std::string command;
  // When (`2024-05-01T12:00:00Z`) and why these times were accepted.
  std::string blessed_at;
  std::string reason;
};

using Baseline = std::vector<BaselineRow>;

// The first 16 hex digits of a SHA-256 over the samples.
std::string SampleDigest(const std::vector<double>& samples);

// `<folder>/<suite>/<fingerprint>.csv`.
std::string BaselinePath(const std::string& folder, absl::string_view suite,
                         absl::string_view fingerprint);

// A missing file has no rows. Any other text that FormatBaseline() would not
// write, including a number out of range, is an error that names path, line and
// column. Comment lines (`#`) are ignored, and rows and columns may have any
// order.
absl::StatusOr<Baseline> ReadBaseline(const std::string& path);
absl::StatusOr<Baseline> ParseBaseline(absl::string_view text,
                                       absl::string_view path);

// Sorted by key. CHECK-fails on two rows with one key.
std::string FormatBaseline(Baseline rows);

// Replaces the rows of the file with the keys of `rows`, adds new ones and
// keeps the others. Creates file and folder if necessary. The change is atomic
// and is not made if the present file cannot be read. InvalidArgument for text
// with line breaks.
absl::Status UpdateBaseline(const std::string& path, const Baseline& rows);

// The row with that key, or null.
const BaselineRow* FindRow(const Baseline& baseline, const CellKey& key);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_BASELINE_BASELINE_H_
