#include "reports/store/postgres/push.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "reports/stats/verdict.h"
#include "reports/store/acknowledgement_log.h"
#include "reports/store/cell_name.h"
#include "reports/store/checked_line.h"
#include "reports/store/postgres/series.h"
#include "reports/store/record_log.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using Json = nlohmann::json;

// A statement has at most this many records and, if it has several, this many
// bytes of them.
constexpr size_t kBatchRecords = 500;
constexpr size_t kBatchBytes = size_t{8} << 20;
// How often a transaction is repeated that the server rolled back.
constexpr int kAttempts = 5;

// In the order of the ids, so that two writers of the same records wait for
// each other and do not lock each other out.
constexpr char kAddRecords[] = R"(
INSERT INTO records
SELECT decode(id, 'hex'), segment, segment_offset, run, started_at,
  source_commit, suite, model, device, series, median_ms, verdict, record
FROM json_to_recordset($1::json) AS r (
  id text, segment text, segment_offset bigint, run text, started_at text,
  source_commit text, suite text, model text, device text, series bigint,
  median_ms double precision, verdict text, record text)
ORDER BY id ON CONFLICT DO NOTHING)";
constexpr char kAddCells[] = R"(
INSERT INTO cells SELECT DISTINCT series, cell, machine
FROM json_to_recordset($1::json) AS r (series bigint, cell text, machine text)
WHERE series IS NOT NULL ORDER BY series ON CONFLICT DO NOTHING)";
constexpr char kSetSegment[] = R"(
INSERT INTO segments VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes,
  digest = excluded.digest WHERE segments.bytes < excluded.bytes)";
constexpr char kAddAcknowledgements[] = R"(
INSERT INTO acknowledgements SELECT decode(id, 'hex'), line
FROM json_to_recordset($1::json) AS r (id text, line text)
ORDER BY id ON CONFLICT DO NOTHING)";
constexpr char kFindSegments[] = R"(
SELECT name, bytes, digest FROM segments
WHERE name IN (SELECT json_array_elements_text($1::json)))";

// The first `bytes` bytes of a segment are in the database.
struct Known {
  size_t bytes = 0;
  std::string digest;
};

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// PostgreSQL has no text with zero bytes.
std::string Plain(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{absl::string_view("\0", 1), "\xef\xbf\xbd"}});
}

absl::StatusOr<std::map<std::string, Known>> FindSegments(
    const std::vector<std::string>& names, Connection* connection) {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows,
                         connection->Run(kFindSegments, {Dump(Json(names))}));
  std::map<std::string, Known> known;
  for (int i = 0; i < rows.size(); ++i) {
    known[rows.Text(i, 0)] = {static_cast<size_t>(rows.Number(i, 1)),
                              rows.Text(i, 2)};
  }
  return known;
}

Json RowOf(const Entry& entry, const std::string& line, size_t offset) {
  const Record& record = entry.record;
  Json row = {{"id", entry.id},
              {"segment", entry.segment},
              {"segment_offset", offset},
              {"run", Plain(record.run)},
              {"started_at", Plain(record.result.started_at)},
              {"source_commit", Plain(record.result.commit)},
              {"record", line}};
  if (record.result.rows.empty()) return row;
  const Row& result = record.result.rows[0];
  const std::string cell = Plain(CellNameOf(result));
  const std::string machine = Plain(result.fingerprint);
  row["suite"] = Plain(result.suite);
  row["model"] = Plain(result.cell.model);
  row["device"] = Plain(result.cell.device);
  row["series"] = SeriesOf(cell, machine);
  row["cell"] = cell;
  row["machine"] = machine;
  row["verdict"] = std::string(stats::VerdictName(result.verdict));
  const std::optional<stats::Summary> timing = LatencySummary(result);
  if (timing.has_value()) row["median_ms"] = timing->median;
  return row;
}

absl::Status PushAcknowledgements(const std::string& folder,
                                  Connection* connection) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> lines,
                         AcknowledgementLines(folder));
  if (lines.empty()) return absl::OkStatus();
  Json rows = Json::array();
  for (const std::string& line : lines) {
    rows.push_back({{"id", std::string(IdOf(line))}, {"line", line}});
  }
  return connection->Run(kAddAcknowledgements, {Dump(rows)}).status();
}

class Pushing {
 public:
  explicit Pushing(Connection* connection) : connection_(connection) {}

  // Adds the records of `text`, a segment of which `known` is in the database.
  absl::Status PushSegment(const std::string& segment, absl::string_view text,
                           const Known& known) {
    size_t begin = 0;
    if (known.bytes <= text.size() &&
        Sha256Hex(text.substr(0, known.bytes)) == known.digest) {
      begin = known.bytes;
    }
    // A line without a line break may be incomplete.
    const size_t end = text.rfind('\n') + 1;
    if (begin >= end) return absl::OkStatus();
    const LogContents contents =
        ParseSegment(text.substr(begin, end - begin), segment);
    Json batch = Json::array();
    size_t bytes = 0;
    for (const Entry& entry : contents.entries) {
      const size_t offset = begin + static_cast<size_t>(entry.offset);
      const absl::string_view line =
          text.substr(offset, static_cast<size_t>(entry.bytes));
      bytes += line.size();
      batch.push_back(RowOf(entry, std::string(line), offset));
      if (batch.size() < kBatchRecords && bytes < kBatchBytes) continue;
      ASSAY_RETURN_IF_ERROR(Add(batch, [] { return absl::OkStatus(); }));
      batch.clear();
      bytes = 0;
    }
    const size_t complete =
        contents.corrupt_records.empty()
            ? end
            : begin + OffsetOfLine(text.substr(begin),
                                   contents.corrupt_records[0].line);
    return Add(batch, [&] {
      return connection_
          ->Run(kSetSegment, {segment, absl::StrCat(complete),
                              Sha256Hex(text.substr(0, complete))})
          .status();
    });
  }

  const Pushed& pushed() const { return pushed_; }

 private:
  // Returns the offset at which a line begins; the first line has number 1.
  static size_t OffsetOfLine(absl::string_view text, int64_t line) {
    size_t offset = 0;
    for (int64_t i = 1; i < line; ++i) offset = text.find('\n', offset) + 1;
    return offset;
  }

  // Adds records, and calls `then`, in one transaction.
  template <typename Then>
  absl::Status Add(const Json& batch, const Then& then) {
    const std::string json = Dump(batch);
    int64_t added = 0;
    const auto work = [&]() -> absl::Status {
      ASSAY_ASSIGN_OR_RETURN(const Rows rows,
                             connection_->Run(kAddRecords, {json}));
      added = rows.affected();
      ASSAY_RETURN_IF_ERROR(connection_->Run(kAddCells, {json}).status());
      return then();
    };
    absl::Status status;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      status = connection_->Transaction(work);
      if (!absl::IsAborted(status)) break;
    }
    ASSAY_RETURN_IF_ERROR(status);
    pushed_.sent += static_cast<int64_t>(batch.size());
    pushed_.added += added;
    return absl::OkStatus();
  }

  Connection* const connection_;
  Pushed pushed_;
};

}  // namespace

absl::StatusOr<Pushed> Push(const std::string& folder, Connection* connection) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> segments,
                         ListSegments(folder));
  ASSAY_ASSIGN_OR_RETURN(const auto all_known,
                         FindSegments(segments, connection));
  ASSAY_RETURN_IF_ERROR(PushAcknowledgements(folder, connection));
  Pushing pushing(connection);
  for (const std::string& segment : segments) {
    const auto at = all_known.find(segment);
    const Known known = at == all_known.end() ? Known() : at->second;
    struct stat info;
    const std::string path = JoinPath(folder, segment);
    if (stat(path.c_str(), &info) != 0) continue;
    if (static_cast<size_t>(info.st_size) == known.bytes) continue;
    const absl::StatusOr<std::string> text = ReadFile(path);
    if (absl::IsNotFound(text.status())) continue;
    // The folder is damaged; the user's flags are not wrong.
    if (!text.ok()) return absl::InternalError(text.status().message());
    ASSAY_RETURN_IF_ERROR(pushing.PushSegment(segment, *text, known));
  }
  return pushing.pushed();
}

}  // namespace assay::reports
