// PruneArtifacts: removes artifacts from the folder `artifacts` of a store,
// where runs with --follow keep them (runtime/artifact/artifact_store.h), that
// nothing will be compared with.
//
// An artifact is kept if a record in the store has its digest, and
//   - the run of the record started within `keep_days` days before `now`, or
//   - the record is the newest of its cell on its machine that was timed: the
//     next change of the cell is compared with it.
// A run records a row before it keeps the artifact of the row. Artifacts are
// listed before the records are read, so no artifact of a run in progress is
// removed.
#ifndef ASSAY_REPORTS_STORE_ARTIFACT_RETENTION_H_
#define ASSAY_REPORTS_STORE_ARTIFACT_RETENTION_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay::reports {

struct PrunedArtifacts {
  int64_t artifacts = 0;  // all, before
  int64_t dropped = 0;
  int64_t dropped_bytes = 0;
};

// Applies the policy to the store in `folder`. If `dry_run` is true, nothing is
// removed, and the result says what would be.
absl::StatusOr<PrunedArtifacts> PruneArtifacts(const std::string& folder,
                                               int keep_days, absl::Time now,
                                               bool dry_run);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_ARTIFACT_RETENTION_H_
