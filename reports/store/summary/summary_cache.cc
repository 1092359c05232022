#include "reports/store/summary/summary_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <future>
#include <thread>

#include "absl/strings/str_cat.h"
#include "reports/result/results_json.h"
#include "reports/store/summary/summarize.h"
#include "reports/store/summary/summary_reader.h"
#include "runtime/base/file.h"
#include "runtime/base/parallel/for_all.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/sqlite/cache_database.h"

namespace assay::reports {
namespace {

using runtime::Database;
using runtime::Statement;

constexpr char kFile[] = "summaries.sqlite";
constexpr char kInMemory[] = ":memory:";
// Version of the tables and of what they contain; increment it when a summary
// changes.
constexpr int kVersion = 1;
constexpr char kTables[] = R"(
CREATE TABLE segments (name TEXT PRIMARY KEY, state TEXT);
CREATE TABLE runs (
  segment TEXT, state TEXT, run TEXT, started_at TEXT, header TEXT, rows BLOB,
  comparisons BLOB, kernels BLOB);
CREATE INDEX runs_by_segment ON runs (segment);
CREATE TABLE texts (number INTEGER PRIMARY KEY, digest TEXT UNIQUE, text TEXT);
CREATE TABLE derived (name TEXT PRIMARY KEY, key TEXT, data BLOB);
)";
// More threads than these do not read the file faster.
constexpr unsigned kMaxReaders = 8;
// The number of segments that are added in one transaction. Other processes
// wait meanwhile.
constexpr int kBatch = 8;

std::optional<std::string> StateOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return absl::StrCat(info.st_size, " ", info.st_mtim.tv_sec, ".",
                      info.st_mtim.tv_nsec);
}

template <typename T>
absl::string_view BytesOf(const std::vector<T>& items) {
  return {reinterpret_cast<const char*>(items.data()),
          items.size() * sizeof(T)};
}

absl::Status Damaged() {
  return absl::DataLossError("the summaries of the store are damaged");
}

template <typename T>
absl::StatusOr<std::vector<T>> ItemsOf(absl::string_view bytes) {
  if (bytes.size() % sizeof(T) != 0) return Damaged();
  std::vector<T> items(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
  return items;
}

// Reads the run that a statement finds.
absl::StatusOr<CachedRun> ReadRun(Statement& one, uint32_t last_text) {
  ASSAY_ASSIGN_OR_RETURN(const bool found, one.Step());
  if (!found)
    return absl::DataLossError("the summaries of the store lack a run");
  CachedRun run;
  run.segment = one.Text(0);
  run.state = one.Text(1);
  run.summary.run = one.Text(2);
  absl::StatusOr<RunResult> header = ParseResultsJson(one.Bytes(3));
  if (!header.ok()) return absl::DataLossError(header.status().message());
  run.summary.header = *std::move(header);
  ASSAY_ASSIGN_OR_RETURN(run.summary.rows, ItemsOf<RowSummary>(one.Bytes(4)));
  ASSAY_ASSIGN_OR_RETURN(run.summary.comparisons,
                         ItemsOf<ComparisonSummary>(one.Bytes(5)));
  ASSAY_ASSIGN_OR_RETURN(run.summary.kernels,
                         ItemsOf<KernelSummary>(one.Bytes(6)));
  for (const RowSummary& row : run.summary.rows) {
    if (row.cell > last_text) return Damaged();
  }
  for (const ComparisonSummary& comparison : run.summary.comparisons) {
    if (comparison.row >= run.summary.rows.size()) return Damaged();
  }
  for (const KernelSummary& kernel : run.summary.kernels) {
    if (kernel.row >= run.summary.rows.size()) return Damaged();
  }
  return run;
}

struct Summarized {
  std::string segment;
  std::string state;
  absl::Status status;
  Summarizer summarizer;
  std::vector<CorruptRecord> corrupt_records;
};

Summarized SummarizeSegment(const std::string& folder, std::string segment,
                            std::string state) {
  Summarized result;
  result.segment = std::move(segment);
  result.state = std::move(state);
  const absl::StatusOr<std::string> text =
      ReadFile(JoinPath(folder, result.segment));
  if (!text.ok()) {
    result.status = text.status();
    return result;
  }
  int64_t line = 0;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    // With the line break, if there is one: a last line without it may be
    // incomplete.
    const absl::string_view bytes =
        absl::string_view(*text).substr(begin, end - begin + 1);
    ++line;
    const auto offset = static_cast<int64_t>(begin);
    begin = end + 1;
    if (bytes.back() == '\n') {
      const std::optional<Record> record =
          ReadForSummary(bytes.substr(0, bytes.size() - 1));
      if (record.has_value()) {
        result.summarizer.Add(*record, offset);
        continue;
      }
    }
    LogContents log = ParseSegment(bytes, result.segment);
    for (const Entry& entry : log.entries) {
      result.summarizer.Add(entry.record, offset);
    }
    for (CorruptRecord& corrupt : log.corrupt_records) {
      corrupt.line = line;
      result.corrupt_records.push_back(std::move(corrupt));
    }
  }
  return result;
}

}  // namespace

absl::StatusOr<SummaryCache> SummaryCache::Open(const std::string& folder) {
  ASSAY_RETURN_IF_ERROR(ListSegments(folder).status());
  return runtime::OpenCache<SummaryCache>(
      JoinPath(folder, kFile),
      [&](const std::string& path) { return OpenFile(folder, path); });
}

void SummaryCache::Remove(const std::string& folder) {
  runtime::RemoveCache(JoinPath(folder, kFile));
}

absl::StatusOr<SummaryCache> SummaryCache::OpenFile(const std::string& folder,
                                                    const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(Database database, Database::Open(path));
  SummaryCache cache(folder, path, std::move(database));
  ASSAY_RETURN_IF_ERROR(
      runtime::PrepareCache(kTables, kVersion, &cache.database_));
  ASSAY_RETURN_IF_ERROR(cache.Update());
  return cache;
}

absl::Status SummaryCache::Update() {
  std::map<std::string, std::string> known;
  {
    ASSAY_ASSIGN_OR_RETURN(
        Statement all, database_.Prepare("SELECT name, state FROM segments"));
    while (true) {
      ASSAY_ASSIGN_OR_RETURN(const bool row, all.Step());
      if (!row) break;
      known[all.Text(0)] = all.Text(1);
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> segments,
                         ListSegments(folder_));
  std::vector<std::pair<std::string, std::string>> fresh;
  for (const std::string& segment : segments) {
    // Taken before reading, so records appended meanwhile are found next time.
    const std::optional<std::string> state =
        StateOf(JoinPath(folder_, segment));
    if (!state.has_value()) continue;
    const auto old = known.find(segment);
    const bool same = old != known.end() && old->second == *state;
    if (same) {
      known.erase(old);
    } else {
      fresh.emplace_back(segment, *state);
    }
  }
  for (const auto& [gone, state] : known) {
    ASSAY_RETURN_IF_ERROR(Forget(gone));
  }
  // Threads read segments ahead; this one writes them in their order.
  const size_t ahead = std::max(1u, std::thread::hardware_concurrency());
  std::deque<std::future<Summarized>> reading;
  size_t next = 0;
  for (size_t written = 0; written < fresh.size(); ++written) {
    while (next < fresh.size() && reading.size() <= ahead) {
      reading.push_back(
          std::async(std::launch::async, [this, part = fresh[next]] {
            return SummarizeSegment(folder_, part.first, part.second);
          }));
      ++next;
    }
    Summarized part = reading.front().get();
    reading.pop_front();
    if (absl::IsNotFound(part.status)) continue;
    // The store is damaged; the user's flags are not wrong.
    if (!part.status.ok()) return absl::InternalError(part.status.message());
    if (written % kBatch == 0) {
      ASSAY_RETURN_IF_ERROR(database_.Execute("BEGIN IMMEDIATE"));
    }
    ASSAY_RETURN_IF_ERROR(Forget(part.segment));
    std::vector<std::string> texts;
    for (size_t i = 0; i < part.summarizer.texts().size(); ++i) {
      texts.push_back(part.summarizer.texts().Text(static_cast<uint32_t>(i)));
    }
    ASSAY_RETURN_IF_ERROR(Add(part.segment, part.state,
                              std::move(part.summarizer.runs()), texts));
    corrupt_records_.insert(corrupt_records_.end(),
                            part.corrupt_records.begin(),
                            part.corrupt_records.end());
    if (written % kBatch == kBatch - 1 || written + 1 == fresh.size()) {
      ASSAY_RETURN_IF_ERROR(database_.Execute("COMMIT"));
    }
  }
  return absl::OkStatus();
}

absl::Status SummaryCache::Forget(const std::string& segment) {
  for (const char* sql : {"DELETE FROM segments WHERE name = ?1",
                          "DELETE FROM runs WHERE segment = ?1"}) {
    ASSAY_ASSIGN_OR_RETURN(Statement remove, database_.Prepare(sql));
    remove.Bind(1, segment);
    ASSAY_RETURN_IF_ERROR(remove.Run());
  }
  return absl::OkStatus();
}

absl::StatusOr<Statement*> SummaryCache::Prepared(
    const char* sql, std::optional<Statement>* statement) {
  if (!statement->has_value()) {
    ASSAY_ASSIGN_OR_RETURN(Statement prepared, database_.Prepare(sql));
    statement->emplace(std::move(prepared));
  }
  return &**statement;
}

absl::StatusOr<uint32_t> SummaryCache::NumberOf(const std::string& text) {
  const std::string digest = Sha256Hex(text).substr(0, 32);
  const auto known = numbers_.find(digest);
  if (known != numbers_.end()) return known->second;
  ASSAY_ASSIGN_OR_RETURN(
      Statement * find,
      Prepared("SELECT number FROM texts WHERE digest = ?1", &find_number_));
  find->Bind(1, digest);
  ASSAY_ASSIGN_OR_RETURN(bool found, find->Step());
  auto number = static_cast<uint32_t>(found ? find->Number(0) : 0);
  ASSAY_RETURN_IF_ERROR(find->Run());
  if (!found) {
    ASSAY_ASSIGN_OR_RETURN(
        Statement * add,
        Prepared("INSERT INTO texts (digest, text) VALUES (?1, ?2) "
                 "RETURNING number",
                 &add_text_));
    add->Bind(1, digest);
    add->Bind(2, text);
    ASSAY_RETURN_IF_ERROR(add->Step().status());
    number = static_cast<uint32_t>(add->Number(0));
    ASSAY_RETURN_IF_ERROR(add->Run());
  }
  numbers_.emplace(digest, number);
  return number;
}

absl::Status SummaryCache::Add(const std::string& segment,
                               const std::string& state,
                               std::vector<RunSummary> runs,
                               const std::vector<std::string>& texts) {
  std::vector<uint32_t> numbers;
  for (const std::string& text : texts) {
    ASSAY_ASSIGN_OR_RETURN(const uint32_t number, NumberOf(text));
    numbers.push_back(number);
  }
  ASSAY_ASSIGN_OR_RETURN(
      Statement add,
      database_.Prepare("INSERT INTO runs VALUES (?,?,?,?,?,?,?,?)"));
  for (RunSummary& run : runs) {
    for (RowSummary& row : run.rows) {
      for (uint32_t* text :
           {&row.cell, &row.program, &row.method, &row.machine}) {
        *text = numbers[*text];
      }
    }
    for (ComparisonSummary& comparison : run.comparisons) {
      comparison.base = numbers[comparison.base];
    }
    for (KernelSummary& kernel : run.kernels) {
      kernel.name = numbers[kernel.name];
      kernel.kind = numbers[kernel.kind];
    }
    add.Bind(1, segment);
    add.Bind(2, state);
    add.Bind(3, run.run);
    add.Bind(4, run.header.started_at);
    add.Bind(5, ResultsJsonLine(run.header));
    add.BindBytes(6, BytesOf(run.rows));
    add.BindBytes(7, BytesOf(run.comparisons));
    add.BindBytes(8, BytesOf(run.kernels));
    ASSAY_RETURN_IF_ERROR(add.Run());
  }
  ASSAY_ASSIGN_OR_RETURN(
      Statement known, database_.Prepare("INSERT INTO segments VALUES (?,?)"));
  known.Bind(1, segment);
  known.Bind(2, state);
  return known.Run();
}

std::vector<Database> SummaryCache::MoreReaders(size_t count) {
  std::vector<Database> readers;
  if (path_ == kInMemory) return readers;
  while (readers.size() < count) {
    absl::StatusOr<Database> reader = Database::Open(path_);
    if (!reader.ok()) break;
    // A writer that waits until this connection has read all runs keeps others
    // from beginning to read, so they must not wait for it.
    if (!reader->Execute("PRAGMA busy_timeout = 0; BEGIN").ok()) break;
    if (!reader->Execute("SELECT 1 FROM runs LIMIT 1").ok()) break;
    readers.push_back(*std::move(reader));
  }
  return readers;
}

absl::StatusOr<std::vector<CachedRun>> SummaryCache::ReadRuns() {
  // Nobody can change the file until the end of the transaction.
  ASSAY_RETURN_IF_ERROR(database_.Execute("BEGIN"));
  std::vector<int64_t> rows;
  ASSAY_ASSIGN_OR_RETURN(
      Statement all,
      database_.Prepare(
          "SELECT rowid FROM runs ORDER BY started_at, run, segment"));
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool more, all.Step());
    if (!more) break;
    rows.push_back(all.Number(0));
  }
  ASSAY_ASSIGN_OR_RETURN(Statement last,
                         database_.Prepare("SELECT max(number) FROM texts"));
  ASSAY_RETURN_IF_ERROR(last.Step().status());
  const auto last_text = static_cast<uint32_t>(last.Number(0));
  std::vector<Database> more = MoreReaders(
      std::clamp(std::thread::hardware_concurrency(), 1u, kMaxReaders) - 1);
  std::vector<Database*> readers = {&database_};
  for (Database& reader : more) readers.push_back(&reader);
  std::vector<CachedRun> runs(rows.size());
  std::vector<absl::Status> read(readers.size());
  std::atomic<size_t> next = 0;
  ForAll(readers.size(), [&](size_t reader) {
    read[reader] = [&]() -> absl::Status {
      ASSAY_ASSIGN_OR_RETURN(
          Statement one,
          readers[reader]->Prepare(
              "SELECT segment, state, run, header, rows, comparisons, kernels "
              "FROM runs WHERE rowid = ?1"));
      for (size_t i = next++; i < rows.size(); i = next++) {
        one.Bind(1, rows[i]);
        ASSAY_ASSIGN_OR_RETURN(runs[i], ReadRun(one, last_text));
        ASSAY_RETURN_IF_ERROR(one.Run());
      }
      return absl::OkStatus();
    }();
  });
  for (const absl::Status& status : read) ASSAY_RETURN_IF_ERROR(status);
  ASSAY_RETURN_IF_ERROR(all.Run());
  ASSAY_RETURN_IF_ERROR(last.Run());
  ASSAY_RETURN_IF_ERROR(database_.Execute("COMMIT"));
  return runs;
}

absl::StatusOr<std::string> SummaryCache::Text(uint32_t number) {
  ASSAY_ASSIGN_OR_RETURN(
      Statement * find,
      Prepared("SELECT text FROM texts WHERE number = ?1", &find_text_));
  find->Bind(1, int64_t{number});
  ASSAY_ASSIGN_OR_RETURN(const bool found, find->Step());
  std::string text = find->Text(0);
  ASSAY_RETURN_IF_ERROR(find->Run());
  if (!found) {
    return absl::DataLossError("the summaries of the store lack a text");
  }
  return text;
}

absl::Status SummaryCache::ReadTexts(
    absl::Span<const uint32_t> numbers,
    absl::FunctionRef<void(uint32_t number, std::string text)> use) {
  // Else each text would lock the file.
  ASSAY_RETURN_IF_ERROR(database_.Execute("BEGIN"));
  for (const uint32_t number : numbers) {
    ASSAY_ASSIGN_OR_RETURN(std::string text, Text(number));
    use(number, std::move(text));
  }
  return database_.Execute("COMMIT");
}

std::optional<std::string> SummaryCache::Get(absl::string_view name,
                                             absl::string_view key) {
  absl::StatusOr<Statement> find = database_.Prepare(
      "SELECT data FROM derived WHERE name = ?1 AND key = ?2");
  if (!find.ok()) return std::nullopt;
  find->Bind(1, name);
  find->Bind(2, key);
  const absl::StatusOr<bool> found = find->Step();
  if (!found.ok() || !*found) return std::nullopt;
  return std::string(find->Bytes(0));
}

absl::Status SummaryCache::Put(absl::string_view name, absl::string_view key,
                               absl::string_view data) {
  ASSAY_ASSIGN_OR_RETURN(
      Statement put,
      database_.Prepare("INSERT OR REPLACE INTO derived VALUES (?,?,?)"));
  put.Bind(1, name);
  put.Bind(2, key);
  put.BindBytes(3, data);
  return put.Run();
}

}  // namespace assay::reports
