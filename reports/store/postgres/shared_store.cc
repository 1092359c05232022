#include "reports/store/postgres/shared_store.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "reports/store/checked_line.h"
#include "reports/store/postgres/schema.h"
#include "reports/store/postgres/series.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// The conditions and the order are those of StoreIndex.
constexpr char kFind[] = R"(
SELECT encode(id, 'hex'), record FROM records
WHERE series IS NOT NULL AND ($1 = '' OR suite = $1)
  AND ($2 = '' OR model = $2) AND ($3 = '' OR device = $3)
  AND ($4 = '' OR starts_with(source_commit, $4))
  AND ($5 = '' OR started_at >= $5) AND ($6 = '' OR started_at < $6)
ORDER BY started_at, run, segment, segment_offset)";
constexpr char kAll[] = R"(
SELECT encode(id, 'hex'), record FROM records
ORDER BY started_at, run, segment, segment_offset)";
constexpr char kHistory[] = R"(
SELECT started_at, source_commit, median_ms, verdict FROM records
WHERE series = $1 ORDER BY started_at)";

constexpr char kAcknowledgements[] =
    "SELECT encode(id, 'hex'), acknowledgement FROM acknowledgements";
constexpr char kLatestLevels[] = R"(
SELECT cell, machine, median_ms FROM cells CROSS JOIN LATERAL (
  SELECT median_ms FROM records
  WHERE records.series = cells.series AND median_ms IS NOT NULL
  ORDER BY started_at DESC LIMIT 1) AS latest
ORDER BY cell, machine)";

absl::StatusOr<std::vector<Record>> RecordsOf(const Rows& rows) {
  std::vector<Record> records;
  for (int i = 0; i < rows.size(); ++i) {
    const std::string line = rows.Text(i, 1);
    absl::StatusOr<Record> record = ParseRecord(line);
    if (record.ok() && IdOf(line) != rows.Text(i, 0)) {
      record = absl::DataLossError("does not match its id");
    }
    if (!record.ok()) {
      return absl::DataLossError(absl::StrCat("the record `", rows.Text(i, 0),
                                              "` of the database ",
                                              record.status().message()));
    }
    records.push_back(*std::move(record));
  }
  return records;
}

}  // namespace

absl::StatusOr<SharedStore> SharedStore::Open(const std::string& address,
                                              absl::Duration timeout) {
  ASSAY_ASSIGN_OR_RETURN(Connection connection,
                         Connection::Open(address, timeout));
  ASSAY_RETURN_IF_ERROR(PrepareSchema(&connection));
  return SharedStore(std::move(connection));
}

absl::StatusOr<Pushed> SharedStore::Push(const std::string& folder) {
  return reports::Push(folder, &connection_);
}

absl::StatusOr<std::vector<Record>> SharedStore::Find(const Query& query) {
  ASSAY_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_.Run(kFind, {query.suite, query.model, query.device,
                              query.commit, query.since, query.until}));
  return RecordsOf(rows);
}

absl::StatusOr<std::vector<Record>> SharedStore::All() {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, connection_.Run(kAll));
  return RecordsOf(rows);
}

absl::StatusOr<std::vector<HistoryPoint>> SharedStore::HistoryOf(
    const std::string& cell, const std::string& machine) {
  ASSAY_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_.Run(kHistory, {absl::StrCat(SeriesOf(cell, machine))}));
  std::vector<HistoryPoint> points;
  for (int i = 0; i < rows.size(); ++i) {
    std::optional<double> median_ms;
    if (!rows.IsNull(i, 2)) median_ms = rows.Real(i, 2);
    points.push_back(
        {rows.Text(i, 0), rows.Text(i, 1), median_ms, rows.Text(i, 3)});
  }
  return points;
}

absl::StatusOr<std::vector<Acknowledgement>> SharedStore::Acknowledgements() {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, connection_.Run(kAcknowledgements));
  // By time, then by id.
  std::map<std::pair<std::string, std::string>, Acknowledgement> by_time;
  for (int i = 0; i < rows.size(); ++i) {
    absl::StatusOr<Acknowledgement> one = ParseAcknowledgement(rows.Text(i, 1));
    if (!one.ok()) {
      return absl::DataLossError(
          absl::StrCat("the acknowledgement `", rows.Text(i, 0),
                       "` of the database ", one.status().message()));
    }
    by_time[{one->made_at, rows.Text(i, 0)}] = *std::move(one);
  }
  std::vector<Acknowledgement> all;
  for (auto& [key, one] : by_time) all.push_back(std::move(one));
  return all;
}

absl::StatusOr<std::vector<Level>> SharedStore::LatestLevels() {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, connection_.Run(kLatestLevels));
  std::vector<Level> levels;
  for (int i = 0; i < rows.size(); ++i) {
    levels.push_back({rows.Text(i, 0), rows.Text(i, 1), rows.Real(i, 2)});
  }
  return levels;
}

}  // namespace assay::reports
