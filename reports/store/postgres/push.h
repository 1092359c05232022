// Push: copies the records (reports/store/record_log.h) and the
// acknowledgements (reports/store/acknowledgement_log.h) of a folder to the
// tables of a PostgreSQL store (schema.h).
//
// Records are named by the digest of their text, so a record is in the database
// once, no matter how often, from which folders and by how many processes at
// the same time it is pushed. If the connection is lost, some records are in
// the database and the others are not; the next Push() adds those.
//
// The database remembers for each segment how many of its first bytes it has,
// with their digest. Only a segment that is longer, or different, is read
// again. Lines that are not valid records stay in the folder and are not
// pushed; the rest of such a segment is read each time.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_PUSH_H_
#define ASSAY_REPORTS_STORE_POSTGRES_PUSH_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "reports/store/postgres/connection.h"

namespace assay::reports {

struct Pushed {
  int64_t sent = 0;   // records
  int64_t added = 0;  // those that were not in the database
};

// The folder may be in use by a writer. `connection` must have the tables.
absl::StatusOr<Pushed> Push(const std::string& folder, Connection* connection);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_PUSH_H_
