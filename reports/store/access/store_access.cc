#include "reports/store/access/store_access.h"

#include <utility>

#include "reports/store/postgres/shared_store.h"
#include "reports/store/store_address.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {

absl::StatusOr<FoundRecords> FindRecords(const std::string& store,
                                         const Query& query) {
  FoundRecords found;
  if (IsPostgresAddress(store)) {
    ASSAY_ASSIGN_OR_RETURN(SharedStore shared, SharedStore::Open(store));
    ASSAY_ASSIGN_OR_RETURN(found.records, shared.Find(query));
    return found;
  }
  ASSAY_ASSIGN_OR_RETURN(StoreIndex index,
                         StoreIndex::Open(FromCallersFolder(store)));
  ASSAY_ASSIGN_OR_RETURN(found.records, index.Find(query));
  ASSAY_ASSIGN_OR_RETURN(found.corrupt_records, index.CorruptRecords());
  return found;
}

absl::StatusOr<History> ReadStore(const std::string& store) {
  if (!IsPostgresAddress(store)) return ReadHistory(FromCallersFolder(store));
  ASSAY_ASSIGN_OR_RETURN(SharedStore shared, SharedStore::Open(store));
  ASSAY_ASSIGN_OR_RETURN(std::vector<Record> records, shared.All());
  return History{RunsOf(std::move(records)), {}};
}

}  // namespace assay::reports
