// SummaryCache: the summaries of a store in a folder (row_summary.h), so that
// all nights of all cells are read without parsing their records.
//
// The cache is the SQLite database `summaries.sqlite` in the folder of the
// store. Like the index (reports/store/index.h), it may be deleted at any time:
// segments that are new or have changed are read again. It is a file of its own
// because summarizing a record takes longer than indexing it, and only the site
// needs it. If the file is missing, corrupt or of another version, it is
// rebuilt; if it cannot be written, it is built in memory.
#ifndef ASSAY_REPORTS_STORE_SUMMARY_SUMMARY_CACHE_H_
#define ASSAY_REPORTS_STORE_SUMMARY_SUMMARY_CACHE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/store/record_log.h"
#include "reports/store/summary/row_summary.h"
#include "runtime/sqlite/sqlite.h"

namespace assay::reports {

// The part of a run that a segment has.
struct CachedRun {
  std::string segment;
  // Names the contents of the segment: changes if the segment does.
  std::string state;
  RunSummary summary;
};

class SummaryCache {
 public:
  // Opens the cache and adds what is new in the store, with as many threads as
  // there are processors. Returns NotFound if the folder does not exist.
  static absl::StatusOr<SummaryCache> Open(const std::string& folder);
  // Removes the file, so that it is made again.
  static void Remove(const std::string& folder);

  // Returns all runs, ordered by start time, name and segment. Several threads
  // read them. Returns DataLoss if the cache is damaged.
  absl::StatusOr<std::vector<CachedRun>> ReadRuns();

  absl::StatusOr<std::string> Text(uint32_t number);
  // Calls `use` with several texts.
  absl::Status ReadTexts(
      absl::Span<const uint32_t> numbers,
      absl::FunctionRef<void(uint32_t number, std::string text)> use);

  // Lines that are not valid records, of the segments that were read by this
  // Open().
  const std::vector<CorruptRecord>& corrupt_records() const {
    return corrupt_records_;
  }

  // A place for results that are computed from summaries. Get() returns what
  // was last put under this name, if the key was the same.
  std::optional<std::string> Get(absl::string_view name, absl::string_view key);
  absl::Status Put(absl::string_view name, absl::string_view key,
                   absl::string_view data);

 private:
  SummaryCache(std::string folder, std::string path, runtime::Database database)
      : folder_(std::move(folder)),
        path_(std::move(path)),
        database_(std::move(database)) {}

  static absl::StatusOr<SummaryCache> OpenFile(const std::string& folder,
                                               const std::string& path);
  absl::Status Update();
  absl::Status Forget(const std::string& segment);
  absl::Status Add(const std::string& segment, const std::string& state,
                   std::vector<RunSummary> runs,
                   const std::vector<std::string>& texts);
  absl::StatusOr<uint32_t> NumberOf(const std::string& text);
  // Returns connections with which threads read what this one reads now, at
  // most `count`. There may be none.
  std::vector<runtime::Database> MoreReaders(size_t count);
  // Returns the statement that finds a text or a number, ready to be bound.
  absl::StatusOr<runtime::Statement*> Prepared(
      const char* sql, std::optional<runtime::Statement>* statement);

  std::string folder_;
  std::string path_;  // of the database
  runtime::Database database_;
  // Statements that are used often.
  std::optional<runtime::Statement> find_text_;
  std::optional<runtime::Statement> find_number_;
  std::optional<runtime::Statement> add_text_;
  std::vector<CorruptRecord> corrupt_records_;
  // Numbers of texts by their digests, of those that were needed so far.
  absl::flat_hash_map<std::string, uint32_t> numbers_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SUMMARY_SUMMARY_CACHE_H_
