#include "runtime/sqlite/cache_database.h"

#include <unistd.h>

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {

void RemoveCache(const std::string& path) {
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    unlink(absl::StrCat(path, suffix).c_str());
  }
}

namespace {

absl::StatusOr<int64_t> VersionOf(Database* database) {
  ASSAY_ASSIGN_OR_RETURN(Statement found,
                         database->Prepare("PRAGMA user_version"));
  ASSAY_RETURN_IF_ERROR(found.Step().status());
  return found.Number(0);
}

}  // namespace

absl::Status PrepareCache(const std::string& tables, int version,
                          Database* database) {
  ASSAY_ASSIGN_OR_RETURN(int64_t found, VersionOf(database));
  if (found == 0) {
    // Another process may be making the tables. Only a new database is locked:
    // the lock waits for all that read the database.
    ASSAY_RETURN_IF_ERROR(database->Execute("BEGIN IMMEDIATE"));
    ASSAY_ASSIGN_OR_RETURN(found, VersionOf(database));
    if (found == 0) {
      ASSAY_RETURN_IF_ERROR(database->Execute(
          absl::StrCat(tables, "PRAGMA user_version = ", version, ";")));
      found = version;
    }
    ASSAY_RETURN_IF_ERROR(database->Execute("COMMIT"));
  }
  if (found != version) {
    return absl::DataLossError("the cache is of another version");
  }
  return absl::OkStatus();
}

}  // namespace assay::runtime
