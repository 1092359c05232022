// Baselines: what each cell of a suite took on a machine when somebody last
// said that this is how long it takes.
//
// `baselines/<suite>/<fingerprint>.csv` holds one line per cell of one machine.
// The files are checked in and reviewed as diffs, so they are sorted, rounded
// to six digits and written by one program only, on `--bless`. Rounding is
// below anything the comparison could see. What a stored number is good for,
// and what not, is said in reports/stats/compare.h.
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
  // A model of the same name but another digest is another model.
  std::string model_digest;
  std::string artifact_digest;
  // What may have changed on the machine since: `governor=performance ...`.
  std::string state;
  // Where it came from: which samples (SampleDigest), the source's commit with
  // `+` behind if that was changed, a digest of the program that compiled and
  // measured, so of its toolchain too, and the command, which holds target and
  // options. Commit and command make the artifact again.
  std::string sample_digest;
  std::string commit;
  std::string program_digest;
  std::string command;
  // When (`2024-05-01T12:00:00Z`) and why this was called right.
  std::string blessed_at;
  std::string reason;
};

using Baseline = std::vector<BaselineRow>;

// The first 16 hex digits of a SHA-256 over the samples.
std::string SampleDigest(const std::vector<double>& samples);

// `<folder>/<suite>/<fingerprint>.csv`.
std::string BaselinePath(const std::string& folder, absl::string_view suite,
                         absl::string_view fingerprint);

// No file is no rows. Everything else that is not what FormatBaseline() gives,
// down to the range of each number, is an error that names path and line, and
// the column where one is at fault. Comment lines (`#`) and the order of rows
// and columns are free.
absl::StatusOr<Baseline> ReadBaseline(const std::string& path);
absl::StatusOr<Baseline> ParseBaseline(absl::string_view text,
                                       absl::string_view path);

// Sorted by key. CHECK-fails on two rows with one key.
std::string FormatBaseline(Baseline rows);

// Replaces the rows of the file that have the keys of `rows`, adds those that
// are new, keeps the others. Creates file and folder where needed. The change
// is atomic, and not made if the present file cannot be read. Text with line
// breaks cannot be stored: InvalidArgument.
absl::Status UpdateBaseline(const std::string& path, const Baseline& rows);

// The row with that key, or null.
const BaselineRow* FindRow(const Baseline& baseline, const CellKey& key);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_BASELINE_BASELINE_H_
