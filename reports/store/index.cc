#include "reports/store/index.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/store/checked_line.h"
#include "reports/store/record_head.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/sqlite/cache_database.h"

namespace assay::reports {
namespace {

using runtime::Database;
using runtime::Statement;

constexpr char kFile[] = "index.sqlite";
// Version of the schema; increment it when the tables change.
constexpr int kVersion = 2;
constexpr char kTables[] = R"(
CREATE TABLE segments (
  name TEXT PRIMARY KEY, size INTEGER, changed INTEGER);
CREATE TABLE records (
  id TEXT, segment TEXT, offset INTEGER, bytes INTEGER, run TEXT,
  started_at TEXT, source_commit TEXT, suite TEXT, model TEXT, device TEXT);
CREATE INDEX records_by_segment ON records (segment);
CREATE INDEX records_by_cell ON records (suite, model, device, started_at);
CREATE TABLE corrupt_records (
  segment TEXT, line INTEGER, bytes INTEGER, reason TEXT);
)";
// With MIN(), SQLite takes the other columns from the row of the minimum.
constexpr char kFind[] = R"(
SELECT id, segment, offset, bytes, MIN(rowid) FROM records
WHERE (?1 = '' OR suite = ?1) AND (?2 = '' OR model = ?2)
  AND (?3 = '' OR device = ?3)
  AND (?4 = '' OR substr(source_commit, 1, length(?4)) = ?4)
  AND (?5 = '' OR started_at >= ?5) AND (?6 = '' OR started_at < ?6)
GROUP BY id ORDER BY started_at, run, segment, offset)";

struct State {
  int64_t size = 0;
  int64_t changed = 0;  // nanoseconds
};

std::optional<State> StateOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return State{info.st_size, int64_t{info.st_mtim.tv_sec} * 1'000'000'000 +
                                 info.st_mtim.tv_nsec};
}

// Reads the record at `offset`, or returns an error if it is not there.
absl::StatusOr<Record> ReadAt(const std::string& path, int64_t offset,
                              int64_t bytes, const std::string& id) {
  std::ifstream file(path, std::ios::binary);
  std::string line(static_cast<size_t>(bytes), '\0');
  file.seekg(offset);
  file.read(line.data(), static_cast<std::streamsize>(bytes));
  if (!file) return absl::DataLossError("the segment is too short");
  ASSAY_ASSIGN_OR_RETURN(Record record, ParseRecord(line));
  if (IdOf(line) != id) return absl::DataLossError("the id differs");
  return record;
}

}  // namespace

absl::StatusOr<StoreIndex> StoreIndex::Open(const std::string& folder) {
  // Do not create an index if the folder does not exist.
  ASSAY_RETURN_IF_ERROR(ListSegments(folder).status());
  return runtime::OpenCache<StoreIndex>(
      JoinPath(folder, kFile),
      [&](const std::string& path) { return OpenFile(folder, path); });
}

absl::StatusOr<StoreIndex> StoreIndex::OpenFile(const std::string& folder,
                                                const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(Database database, Database::Open(path));
  StoreIndex index(folder, std::move(database));
  ASSAY_RETURN_IF_ERROR(
      runtime::PrepareCache(kTables, kVersion, &index.database_));
  ASSAY_RETURN_IF_ERROR(index.Update());
  return index;
}

absl::Status StoreIndex::Update() {
  ASSAY_RETURN_IF_ERROR(database_.Execute("BEGIN IMMEDIATE"));
  std::map<std::string, State> known;
  {
    ASSAY_ASSIGN_OR_RETURN(
        Statement all,
        database_.Prepare("SELECT name, size, changed FROM segments"));
    while (true) {
      ASSAY_ASSIGN_OR_RETURN(const bool row, all.Step());
      if (!row) break;
      known[all.Text(0)] = {all.Number(1), all.Number(2)};
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> segments,
                         ListSegments(folder_));
  for (const std::string& segment : segments) {
    // Taken before reading, so records appended meanwhile are found next time.
    const std::optional<State> state = StateOf(JoinPath(folder_, segment));
    if (!state.has_value()) continue;
    const auto old = known.find(segment);
    const bool is_known = old != known.end();
    const bool same = is_known && old->second.size == state->size &&
                      old->second.changed == state->changed;
    if (is_known) known.erase(old);
    if (same) continue;
    if (is_known) ASSAY_RETURN_IF_ERROR(Forget(segment));
    ASSAY_RETURN_IF_ERROR(Add(segment, state->size, state->changed));
  }
  for (const auto& [gone, state] : known) {
    ASSAY_RETURN_IF_ERROR(Forget(gone));
  }
  return database_.Execute("COMMIT");
}

absl::Status StoreIndex::Forget(const std::string& segment) {
  for (const char* sql : {"DELETE FROM segments WHERE name = ?1",
                          "DELETE FROM records WHERE segment = ?1",
                          "DELETE FROM corrupt_records WHERE segment = ?1"}) {
    ASSAY_ASSIGN_OR_RETURN(Statement remove, database_.Prepare(sql));
    remove.Bind(1, segment);
    ASSAY_RETURN_IF_ERROR(remove.Run());
  }
  return absl::OkStatus();
}

absl::Status StoreIndex::Add(const std::string& segment, int64_t size,
                             int64_t changed) {
  const absl::StatusOr<std::string> text = ReadFile(JoinPath(folder_, segment));
  if (absl::IsNotFound(text.status())) return absl::OkStatus();
  // The store is damaged; the user's flags are not wrong.
  if (!text.ok()) return absl::InternalError(text.status().message());
  ASSAY_ASSIGN_OR_RETURN(
      Statement add,
      database_.Prepare("INSERT INTO records VALUES (?,?,?,?,?,?,?,?,?,?)"));
  int64_t line = 1;
  for (size_t begin = 0; begin < text->size(); ++line) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    const absl::string_view bytes =
        absl::string_view(*text).substr(begin, end - begin);
    const IndexedLine at = {segment, static_cast<int64_t>(begin), line};
    if (const std::optional<RecordHead> head = ParseRecordHead(bytes)) {
      ASSAY_RETURN_IF_ERROR(AddRecord(at, bytes, *head, &add));
    } else if (!bytes.empty()) {
      // With the line break, if there is one: a last line without it may be
      // incomplete.
      ASSAY_RETURN_IF_ERROR(AddUnusual(
          at, absl::string_view(*text).substr(begin, end - begin + 1), &add));
    }
    begin = end + 1;
  }
  ASSAY_ASSIGN_OR_RETURN(
      Statement known,
      database_.Prepare("INSERT INTO segments VALUES (?,?,?)"));
  known.Bind(1, segment);
  known.Bind(2, size);
  known.Bind(3, changed);
  return known.Run();
}

absl::Status StoreIndex::AddRecord(const IndexedLine& at,
                                   absl::string_view bytes,
                                   const RecordHead& head, Statement* add) {
  add->Bind(1, IdOf(bytes));
  add->Bind(2, at.segment);
  add->Bind(3, at.offset);
  add->Bind(4, static_cast<int64_t>(bytes.size()));
  add->Bind(5, head.run);
  add->Bind(6, head.started_at);
  add->Bind(7, head.commit);
  add->Bind(8, head.suite);
  add->Bind(9, head.model);
  add->Bind(10, head.device);
  return add->Run();
}

// Adds a line that ParseRecordHead() does not recognize.
absl::Status StoreIndex::AddUnusual(const IndexedLine& at,
                                    absl::string_view line, Statement* add) {
  const LogContents contents = ParseSegment(line, at.segment);
  for (const Entry& entry : contents.entries) {
    const RunResult& result = entry.record.result;
    if (result.rows.empty()) continue;
    const Row& row = result.rows[0];
    ASSAY_RETURN_IF_ERROR(
        AddRecord(at, line.substr(0, static_cast<size_t>(entry.bytes)),
                  {entry.record.run, result.started_at, result.commit,
                   row.suite, row.cell.model, row.cell.device},
                  add));
  }
  for (const CorruptRecord& corrupt : contents.corrupt_records) {
    ASSAY_RETURN_IF_ERROR(AddCorrupt(at, corrupt.bytes, corrupt.reason));
  }
  return absl::OkStatus();
}

absl::Status StoreIndex::AddCorrupt(const IndexedLine& at, int64_t bytes,
                                    const std::string& reason) {
  ASSAY_ASSIGN_OR_RETURN(
      Statement corrupt,
      database_.Prepare("INSERT INTO corrupt_records VALUES (?,?,?,?)"));
  corrupt.Bind(1, at.segment);
  corrupt.Bind(2, at.line);
  corrupt.Bind(3, bytes);
  corrupt.Bind(4, reason);
  return corrupt.Run();
}

// Moves a record, of which only the head was read before, to the invalid lines.
absl::Status StoreIndex::MoveToCorrupt(const IndexedLine& at, int64_t bytes,
                                       const std::string& reason) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         ReadFile(JoinPath(folder_, at.segment)));
  IndexedLine numbered = at;
  numbered.line =
      1 + std::count(text.begin(),
                     text.begin() + std::min<int64_t>(at.offset, text.size()),
                     '\n');
  ASSAY_ASSIGN_OR_RETURN(
      Statement remove,
      database_.Prepare(
          "DELETE FROM records WHERE segment = ?1 AND offset = ?2"));
  remove.Bind(1, at.segment);
  remove.Bind(2, at.offset);
  ASSAY_RETURN_IF_ERROR(remove.Run());
  return AddCorrupt(numbered, bytes, reason);
}

absl::StatusOr<std::vector<Record>> StoreIndex::Find(const Query& query) {
  absl::StatusOr<std::vector<Record>> records = TryFind(query);
  if (!absl::IsDataLoss(records.status())) return records;
  // The index is corrupt, or a segment was rewritten since it was opened.
  runtime::RemoveCache(JoinPath(folder_, kFile));
  ASSAY_ASSIGN_OR_RETURN(StoreIndex fresh, Open(folder_));
  *this = std::move(fresh);
  return TryFind(query);
}

absl::StatusOr<std::vector<Record>> StoreIndex::TryFind(const Query& query) {
  ASSAY_ASSIGN_OR_RETURN(Statement find, database_.Prepare(kFind));
  int parameter = 0;
  for (const std::string* text : {&query.suite, &query.model, &query.device,
                                  &query.commit, &query.since, &query.until}) {
    find.Bind(++parameter, *text);
  }
  std::vector<Record> records;
  std::vector<std::tuple<IndexedLine, int64_t, std::string>> unreadable;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, find.Step());
    if (!row) break;
    absl::StatusOr<Record> record =
        ReadAt(JoinPath(folder_, find.Text(1)), find.Number(2), find.Number(3),
               find.Text(0));
    if (absl::IsOutOfRange(record.status())) {
      unreadable.push_back({{find.Text(1), find.Number(2), 0},
                            find.Number(3),
                            std::string(record.status().message())});
      continue;
    }
    if (!record.ok()) {
      return absl::DataLossError(
          absl::StrCat("a record in `", JoinPath(folder_, find.Text(1)),
                       "` has moved; if the store is being pruned, try again"));
    }
    records.push_back(*std::move(record));
  }
  for (const auto& [at, bytes, reason] : unreadable) {
    ASSAY_RETURN_IF_ERROR(MoveToCorrupt(at, bytes, reason));
  }
  return records;
}

absl::StatusOr<std::vector<CorruptRecord>> StoreIndex::CorruptRecords() {
  ASSAY_ASSIGN_OR_RETURN(
      Statement all,
      database_.Prepare(
          "SELECT segment, line, bytes, reason FROM corrupt_records "
          "ORDER BY segment, line"));
  std::vector<CorruptRecord> corrupt_records;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, all.Step());
    if (!row) return corrupt_records;
    corrupt_records.push_back(
        {all.Text(0), all.Number(1), all.Number(2), all.Text(3)});
  }
}

}  // namespace assay::reports
