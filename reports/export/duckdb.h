// Duckdb: a DuckDB database in memory, with which rows are written as Parquet.
//
// The library is opened at run time, because it is optional: its npm package
// may not have been downloaded (ci/third_party/npm). The functions that are
// called are declared in duckdb.cc; they belong to the stable part of DuckDB's
// C API. Nothing is loaded over the network.
#ifndef ASSAY_REPORTS_EXPORT_DUCKDB_H_
#define ASSAY_REPORTS_EXPORT_DUCKDB_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

class Duckdb {
 public:
  // A row of texts. A missing text is a null.
  using TextRow = std::vector<std::optional<std::string>>;

  // Returns Unavailable, with the reason, if the library is missing.
  static absl::StatusOr<std::unique_ptr<Duckdb>> Open();
  Duckdb(const Duckdb&) = delete;
  Duckdb& operator=(const Duckdb&) = delete;
  ~Duckdb();

  // Executes a statement and ignores its rows. Returns Internal, with DuckDB's
  // message, if it fails.
  absl::Status Run(const std::string& sql);

  // Executes a query and returns its rows.
  absl::StatusOr<std::vector<TextRow>> Query(const std::string& sql);

  // Appends rows to a table whose columns are all VARCHAR.
  absl::Status Append(const std::string& table,
                      const std::vector<TextRow>& rows);

 private:
  struct Library;
  Duckdb() = default;

  std::unique_ptr<Library> library_;
  void* database_ = nullptr;
  void* connection_ = nullptr;
};

// Returns an SQL literal of a text, and an SQL identifier.
std::string SqlText(absl::string_view text);
std::string SqlName(absl::string_view name);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_EXPORT_DUCKDB_H_
