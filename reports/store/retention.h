// Prune: the retention policy of a store.
//
// A record is dropped if its run started more than `keep_days` before `now`,
// and there are `keep_per_cell` newer records of its cell (suite, model,
// device, fusion, threads) on its machine, and its artifact is not in
// any baseline. The final record of a run is dropped with the last of its rows.
// Lines that are not valid records are kept.
//
// Segments that are in use are skipped. Other segments are replaced atomically.
// Merging with a copy of the store that was not pruned restores the dropped
// records.
#ifndef ASSAY_REPORTS_STORE_RETENTION_H_
#define ASSAY_REPORTS_STORE_RETENTION_H_

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay::reports {

struct Retention {
  int keep_days = 365;
  int keep_per_cell = 100;
  // Artifact digests in baselines.
  std::set<std::string> blessed;
};

struct Pruned {
  int64_t records = 0;
  int64_t dropped = 0;
  // Numbers of records kept, by the first reason that applies: not older than
  // keep_days, among the newest keep_per_cell, in a baseline, in a segment that
  // is in use.
  int64_t young = 0;
  int64_t newest = 0;
  int64_t blessed = 0;
  int64_t in_use = 0;
};

// Applies the policy. With `dry_run`, nothing is changed.
absl::StatusOr<Pruned> Prune(const std::string& folder,
                             const Retention& retention, absl::Time now,
                             bool dry_run);

// Returns the artifact digests of all baselines (reports/baseline) below a
// folder, or an empty set if the folder does not exist.
absl::StatusOr<std::set<std::string>> BlessedArtifacts(
    const std::string& baselines);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RETENTION_H_
