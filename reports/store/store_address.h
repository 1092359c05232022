// IsPostgresAddress: tells the two kinds of stores apart that a flag `--store`
// can name.
#ifndef ASSAY_REPORTS_STORE_STORE_ADDRESS_H_
#define ASSAY_REPORTS_STORE_STORE_ADDRESS_H_

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

// Returns true if `store` is the address of a PostgreSQL database, that is, if
// it begins with `postgres://` or `postgresql://`, and false if it is a folder.
inline bool IsPostgresAddress(absl::string_view store) {
  return absl::StartsWith(store, "postgres://") ||
         absl::StartsWith(store, "postgresql://");
}

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_STORE_ADDRESS_H_
