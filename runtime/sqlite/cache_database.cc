#include "runtime/sqlite/cache_database.h"

#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {

void RemoveCache(const std::string& path) {
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    unlink(absl::StrCat(path, suffix).c_str());
  }
}

absl::Status PrepareCache(const std::string& tables, int version,
                          Database* database) {
  ASSAY_RETURN_IF_ERROR(database->Execute("BEGIN IMMEDIATE"));
  ASSAY_ASSIGN_OR_RETURN(Statement found,
                         database->Prepare("PRAGMA user_version"));
  ASSAY_RETURN_IF_ERROR(found.Step().status());
  if (found.Number(0) == 0) {
    ASSAY_RETURN_IF_ERROR(database->Execute(
        absl::StrCat(tables, "PRAGMA user_version = ", version, ";")));
  } else if (found.Number(0) != version) {
    return absl::DataLossError("the cache is of another version");
  }
  ASSAY_RETURN_IF_ERROR(found.Run());
  return database->Execute("COMMIT");
}

}  // namespace assay::runtime
