#include "reports/store/newest_builds.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "reports/store/index.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {

absl::StatusOr<NewestBuilds> NewestBuilds::Read(const std::string& folder,
                                                absl::string_view started_at,
                                                int days) {
  absl::Time start;
  std::string problem;
  if (!absl::ParseTime(absl::RFC3339_full, started_at, &start, &problem)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", started_at, "` is not a time: ", problem));
  }
  absl::StatusOr<StoreIndex> index = StoreIndex::Open(folder);
  if (absl::IsNotFound(index.status())) return NewestBuilds();
  ASSAY_RETURN_IF_ERROR(index.status());
  Query query;
  query.since = absl::FormatTime("%Y-%m-%d", start - absl::Hours(24) * days,
                                 absl::UTCTimeZone());
  ASSAY_ASSIGN_OR_RETURN(std::vector<Record> records, index->Find(query));
  NewestBuilds newest;
  // The records are ordered by time.
  for (Record& record : records) {
    for (Row& row : record.result.rows) {
      if (row.emulated || row.timing.samples_ns.empty()) continue;
      newest.builds_[{row.suite, row.cell, row.fingerprint}] = {
          record.result.started_at, std::move(row.build)};
    }
  }
  return newest;
}

const NewestBuilds::Build* NewestBuilds::Find(
    const std::string& suite, const CellKey& cell,
    const std::string& fingerprint) const {
  const auto at = builds_.find({suite, cell, fingerprint});
  return at == builds_.end() ? nullptr : &at->second;
}

}  // namespace assay::reports
