#include "reports/store/access/store_access.h"

#include <map>
#include <optional>
#include <utility>

#include "reports/store/cell_name.h"
#include "reports/store/postgres/publisher.h"
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

absl::StatusOr<AcknowledgementLog> FindAcknowledgements(
    const std::string& store) {
  if (!IsPostgresAddress(store)) {
    return ReadAcknowledgements(FromCallersFolder(store));
  }
  ASSAY_ASSIGN_OR_RETURN(SharedStore shared, SharedStore::Open(store));
  AcknowledgementLog log;
  ASSAY_ASSIGN_OR_RETURN(log.acknowledgements, shared.Acknowledgements());
  return log;
}

absl::StatusOr<std::vector<Level>> LatestLevels(const std::string& store) {
  if (IsPostgresAddress(store)) {
    ASSAY_ASSIGN_OR_RETURN(SharedStore shared, SharedStore::Open(store));
    return shared.LatestLevels();
  }
  ASSAY_ASSIGN_OR_RETURN(const FoundRecords found, FindRecords(store, {}));
  std::map<std::pair<std::string, std::string>, double> latest;
  for (const Record& record : found.records) {  // oldest first
    const Row& row = record.result.rows[0];
    const std::optional<stats::Summary> timing = LatencySummary(row);
    if (!timing.has_value()) continue;
    latest[{CellNameOf(row), row.fingerprint}] = timing->median;
  }
  std::vector<Level> levels;
  for (const auto& [key, median_ms] : latest) {
    levels.push_back({key.first, key.second, median_ms});
  }
  return levels;
}

absl::Status AddAcknowledgement(const std::string& store,
                                const Acknowledgement& acknowledgement) {
  if (!IsPostgresAddress(store)) {
    return AppendAcknowledgement(FromCallersFolder(store), acknowledgement);
  }
  ASSAY_ASSIGN_OR_RETURN(Publisher publisher, Publisher::Create(store));
  ASSAY_RETURN_IF_ERROR(
      AppendAcknowledgement(publisher.folder(), acknowledgement));
  publisher.PushNow();
  const std::string warning = publisher.Warning();
  if (warning.empty()) return absl::OkStatus();
  return absl::UnavailableError(warning);
}

}  // namespace assay::reports
