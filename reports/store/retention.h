// Prune: what of a store is worth keeping.
//
// A record is dropped if its run started more than `keep_days` before `now`,
// and there are `keep_per_cell` newer records of its cell (suite, model,
// device, fusion, tuning, threads) on its machine, and no baseline was made
// with its artifact. A record that ends a run goes with the last of its rows.
// What is not a record stays: nobody knows what it was.
//
// Segments that are being written are left for the next time. Each other one
// is replaced in one step: a crash leaves the old or the new. A copy of the
// store that was not pruned brings what was dropped back when it is merged.
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
  // Digests that baselines name.
  std::set<std::string> blessed;
};

struct Pruned {
  int64_t records = 0;
  int64_t dropped = 0;
  // Of those kept, in the order asked: too young, too few, blessed, of a
  // segment that is in use.
  int64_t young = 0;
  int64_t newest = 0;
  int64_t blessed = 0;
  int64_t in_use = 0;
};

// With `only_say`, nothing is changed.
absl::StatusOr<Pruned> Prune(const std::string& folder,
                             const Retention& retention, absl::Time now,
                             bool only_say);

// The digests in all baselines (reports/baseline) below a folder. No folder,
// no digests.
absl::StatusOr<std::set<std::string>> BlessedArtifacts(
    const std::string& baselines);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RETENTION_H_
