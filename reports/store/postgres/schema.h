// PrepareSchema: creates the tables of a store in a PostgreSQL database.
//
//   records           one row per record (reports/store/record.h): its text,
//                     its id, and columns to search by
//   cells             the names of the cells in `records`
//   segments          how much of which segment was pushed (push.h)
//   acknowledgements  one row per acknowledgement, by its id
//   jobs              the queue of jobs (job_queue.h)
//   assay_schema      the version of these tables
//
// Rows of `records` and `acknowledgements` are only ever added.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_SCHEMA_H_
#define ASSAY_REPORTS_STORE_POSTGRES_SCHEMA_H_

#include "absl/status/status.h"
#include "reports/store/postgres/connection.h"

namespace assay::reports {

// Version of the tables; it must be incremented when they change.
constexpr int kPostgresSchema = 1;

// Creates the tables if the database has none. Several processes may call this
// at the same time. Returns FailedPrecondition, with both versions, if the
// tables are of another version.
absl::Status PrepareSchema(Connection* connection);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_SCHEMA_H_
