// Baselines: the accepted times of the cells of a suite on a machine.
//
// The file `baselines/<suite>/<fingerprint>.csv` holds one line for each cell
// of a suite on one machine. Baselines are version-controlled and reviewed as
// diffs. Therefore the lines are sorted, the times are rounded to six
// significant digits, and only `--bless` writes the files. The rounding error
// is far below the smallest difference that a comparison can detect.
// reports/stats/compare.h explains how a run is compared with a baseline.
//
// `--bless` does not store times that were measured on an emulator.
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
  // Summary of the latencies in milliseconds. The file stores count, mean, std,
  // median, p99 and robust_sigma. min and max are 0 in rows that were read from
  // a file.
  stats::Summary timing;
  // Digest of the model. A row with another model digest describes another
  // model, even if the names of the models are equal.
  std::string model_digest;
  std::string artifact_digest;
  // State of the machine: `governor=performance ...`.
  std::string state;
  // Digest of the samples, as computed by SampleDigest().
  std::string sample_digest;
  // Commit of the source, followed by `+` if the source was modified after the
  // commit.
  std::string commit;
  // Digest of the program that compiled and measured the model. It covers the
  // toolchain of the program.
  std::string program_digest;
  // Command that measured the row, with target and options. `commit` and
  // `command` are sufficient to rebuild the artifact.
  std::string command;
  // Time at which this row was accepted: `2024-05-01T12:00:00Z`.
  std::string blessed_at;
  // Reason why this row was accepted, from the flag `--bless`.
  std::string reason;
};

using Baseline = std::vector<BaselineRow>;

// Returns the first 16 hexadecimal digits of the SHA-256 of the samples, which
// are written as decimal text for this purpose.
std::string SampleDigest(const std::vector<double>& samples);

// Returns `<folder>/<suite>/<fingerprint>.csv`.
std::string BaselinePath(const std::string& folder, absl::string_view suite,
                         absl::string_view fingerprint);

// Reads the baseline in the file `path`. Returns no rows if the file does not
// exist. Returns the errors of ParseBaseline().
absl::StatusOr<Baseline> ReadBaseline(const std::string& path);
// Parses the text of a baseline file. Comment lines (`#`) are ignored. Rows and
// columns may be in any order. Without the column `tuning`, which older files
// lack, no row is tuned. Returns InvalidArgument, with `path` and, if
// known, the line and the column, if
//   - the header lacks another column or has an unknown column;
//   - a line has the wrong number of fields;
//   - a number is malformed or out of range;
//   - two rows have the same key.
absl::StatusOr<Baseline> ParseBaseline(absl::string_view text,
                                       absl::string_view path);

// Returns the text of a baseline file, with the rows sorted by key. CHECK-fails
// if two rows have the same key.
std::string FormatBaseline(Baseline rows);

// Writes `rows` to the file `path`. A row of `rows` replaces the row of the
// file that has the same key. If the file has no such row, the row is added.
// All other rows of the file are kept. Creates the file and its folder if
// necessary. The file is replaced atomically. Returns an error and leaves the
// file unchanged if ReadBaseline() returns an error. Returns InvalidArgument if
// a field contains a line break or a NUL character.
absl::Status UpdateBaseline(const std::string& path, const Baseline& rows);

// Returns the row of `baseline` with the key `key`, or null.
const BaselineRow* FindRow(const Baseline& baseline, const CellKey& key);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_BASELINE_BASELINE_H_
