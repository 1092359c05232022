#include "reports/store/postgres/schema.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Texts are compared byte by byte, like those of StoreIndex. `cell` is null in
// the final record of a run. The last columns of records_by_series are all that
// a history needs, so that it is read from the index alone.
constexpr const char* kTables[] = {
    "CREATE TABLE assay_schema (version integer NOT NULL)",
    R"(CREATE TABLE records (
  id bytea PRIMARY KEY,
  segment text COLLATE "C" NOT NULL,
  segment_offset bigint NOT NULL,
  run text COLLATE "C" NOT NULL,
  started_at text COLLATE "C" NOT NULL,
  source_commit text COLLATE "C" NOT NULL,
  suite text COLLATE "C",
  model text COLLATE "C",
  device text COLLATE "C",
  series bigint,
  median_ms double precision,
  verdict text COLLATE "C",
  record text COMPRESSION lz4 NOT NULL))",
    R"(CREATE INDEX records_by_series ON records (series, started_at)
  INCLUDE (source_commit, median_ms, verdict) WHERE series IS NOT NULL)",
    R"(CREATE INDEX records_by_row ON records (suite, model, device, started_at)
  WHERE series IS NOT NULL)",
    R"(CREATE TABLE cells (
  series bigint PRIMARY KEY,
  cell text COLLATE "C" NOT NULL,
  machine text COLLATE "C" NOT NULL))",
    R"(CREATE TABLE segments (
  name text COLLATE "C" PRIMARY KEY,
  bytes bigint NOT NULL,
  digest text NOT NULL))",
    R"(CREATE TABLE acknowledgements (
  id bytea PRIMARY KEY,
  acknowledgement text NOT NULL))",
    R"(CREATE TABLE jobs (
  id bigserial PRIMARY KEY,
  queue text NOT NULL,
  name text NOT NULL,
  payload text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  worker text,
  leased_until timestamptz,
  outcome text,
  result text,
  UNIQUE (queue, name)))",
    R"(CREATE INDEX jobs_to_do ON jobs (queue, id) WHERE outcome IS NULL)",
};

// An arbitrary number that stands for the creation of the tables.
constexpr char kLock[] = "SELECT pg_advisory_xact_lock(7093771265188230531)";

// Returns 0 if there are no tables.
absl::StatusOr<int64_t> VersionOf(Connection* connection) {
  ASSAY_ASSIGN_OR_RETURN(
      const Rows exists,
      connection->Run("SELECT to_regclass('assay_schema') IS NOT NULL"));
  if (exists.Text(0, 0) != "t") return 0;
  ASSAY_ASSIGN_OR_RETURN(const Rows version,
                         connection->Run("SELECT version FROM assay_schema"));
  return version.size() == 1 ? version.Number(0, 0) : -1;
}

}  // namespace

absl::Status PrepareSchema(Connection* connection) {
  ASSAY_ASSIGN_OR_RETURN(int64_t version, VersionOf(connection));
  if (version == 0) {
    ASSAY_RETURN_IF_ERROR(connection->Transaction([&]() -> absl::Status {
      ASSAY_RETURN_IF_ERROR(connection->Run(kLock).status());
      ASSAY_ASSIGN_OR_RETURN(version, VersionOf(connection));
      if (version != 0) return absl::OkStatus();
      for (const char* table : kTables) {
        ASSAY_RETURN_IF_ERROR(connection->Run(table).status());
      }
      version = kPostgresSchema;
      return connection
          ->Run("INSERT INTO assay_schema VALUES ($1)", {absl::StrCat(version)})
          .status();
    }));
  }
  if (version == kPostgresSchema) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the tables of the database are of version ", version,
                   ", and this program needs version ", kPostgresSchema));
}

}  // namespace assay::reports
