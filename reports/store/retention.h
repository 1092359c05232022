// Prune: removes old records from a store.
//
// A record with a row is dropped if
//   - its run started more than `keep_days` days before `now`,
//   - the store contains at least `keep_per_cell` newer records of its cell
//     (suite, model, device, fusion, tuning, threads) on its machine, and
//   - its artifact is not in any baseline.
// The final record of a run is dropped if the run started more than `keep_days`
// days before `now` and all records of the run with rows are dropped. Lines
// that are not valid records are kept.
//
// Segments (record_log.h) that another process is using are not changed. Each
// other segment from which records are dropped is replaced atomically, or
// removed if nothing is left in it. If the store is merged with a copy that was
// not pruned, the dropped records are restored.
#ifndef ASSAY_REPORTS_STORE_RETENTION_H_
#define ASSAY_REPORTS_STORE_RETENTION_H_

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay::reports {

// The retention policy.
struct Retention {
  int keep_days = 365;
  int keep_per_cell = 100;
  // Digests of the artifacts in baselines.
  std::set<std::string> blessed;
};

// Numbers of records.
struct Pruned {
  int64_t records = 0;  // all records, including duplicates
  int64_t dropped = 0;
  // The next three fields count the records with rows that are kept. Duplicates
  // are counted once. If several reasons apply to a record, it is counted in
  // the first of the fields.

  // The run is not older than `keep_days`.
  int64_t young = 0;
  // The record is one of the newest `keep_per_cell` records of its cell on its
  // machine.
  int64_t newest = 0;
  // The artifact is in a baseline.
  int64_t blessed = 0;
  // Records that are kept only because another process is using their segment.
  int64_t in_use = 0;
};

// Applies the policy to the store in `folder`. If `dry_run` is true, the store
// is not changed, and `dropped` counts the records that would be dropped.
absl::StatusOr<Pruned> Prune(const std::string& folder,
                             const Retention& retention, absl::Time now,
                             bool dry_run);

// Returns the digests of the artifacts in all baselines (reports/baseline) in
// the folder `baselines` and its subfolders. Returns an empty set if the folder
// does not exist.
absl::StatusOr<std::set<std::string>> BlessedArtifacts(
    const std::string& baselines);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RETENTION_H_
