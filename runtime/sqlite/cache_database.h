// OpenCache: opens a SQLite database that is only a cache of other files, such
// as the index of a store.
//
// A cache that is corrupt or of another version is removed and made again. One
// that cannot be written is kept in memory.
#ifndef ASSAY_RUNTIME_SQLITE_CACHE_DATABASE_H_
#define ASSAY_RUNTIME_SQLITE_CACHE_DATABASE_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/sqlite/sqlite.h"

namespace assay::runtime {

// Removes the database and the files that SQLite keeps beside it.
void RemoveCache(const std::string& path);

// Creates the tables of a new database, by the SQL statements `tables`. Returns
// DataLoss if the tables are of another version than `version`.
absl::Status PrepareCache(const std::string& tables, int version,
                          Database* database);

// Opens the database `path` by `open`, a function that calls PrepareCache() and
// updates the database. It returns DataLoss if the database must be made again.
template <typename Cache>
absl::StatusOr<Cache> OpenCache(
    const std::string& path,
    absl::FunctionRef<absl::StatusOr<Cache>(const std::string& path)> open) {
  absl::StatusOr<Cache> cache = open(path);
  if (absl::IsDataLoss(cache.status())) {
    RemoveCache(path);
    cache = open(path);
  }
  if (cache.ok() || absl::IsNotFound(cache.status())) return cache;
  return open(":memory:");
}

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_SQLITE_CACHE_DATABASE_H_
