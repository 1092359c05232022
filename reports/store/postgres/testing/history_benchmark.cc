// history_benchmark: how long it takes to read the history of a cell from a
// large PostgreSQL store. Fills the tables with rows that are made by the
// server, whose records are only a few bytes long, and prints the distribution
// of the time of SharedStore::HistoryOf().
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "reports/store/postgres/series.h"
#include "reports/store/postgres/shared_store.h"
#include "reports/store/postgres/testing/server.h"
#include "runtime/base/random.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

struct Flags {
  int cells = 10'000;
  int nights = 1'000;
  int queries = 2'000;
  double target_ms = 50;
};

constexpr char kMachine[] = "x86_64-some-cpu-2c-0123abcd";
constexpr char kAddCells[] = R"(
INSERT INTO cells SELECT series, cell, machine
FROM json_to_recordset($1::json) AS r (series bigint, cell text, machine text))";
constexpr char kIndices[] =
    "SELECT indexname, pg_get_indexdef(indexname::regclass) FROM pg_indexes "
    "WHERE tablename = 'records' AND indexname <> 'records_pkey'";
// In the order in which nights are pushed.
constexpr char kAddRecords[] = R"(
INSERT INTO records
SELECT sha256(int8send(night * 1000000::bigint + row_number() OVER ())),
  'segment-of-night-' || night, row_number() OVER (), 'run-of-night-' || night,
  to_char(timestamp '2024-01-01' + night * interval '1 day',
          'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  md5(night::text), split_part(cell, '/', 1), split_part(cell, '/', 2), 'host',
  series, 10 + random(), 'pass', '-'
FROM generate_series($1::int, $2::int) AS night, cells)";

std::string CellName(int number) {
  return absl::StrFormat("suite%d/model%d/host/fusion_on/threads_2",
                         number % 20, number);
}

double Seconds(absl::Time start) {
  return absl::ToDoubleSeconds(absl::Now() - start);
}

absl::Status AddCells(const Flags& flags, Connection* connection) {
  nlohmann::json cells = nlohmann::json::array();
  for (int i = 0; i < flags.cells; ++i) {
    cells.push_back({{"series", SeriesOf(CellName(i), kMachine)},
                     {"cell", CellName(i)},
                     {"machine", kMachine}});
  }
  return connection->Run(kAddCells, {cells.dump()}).status();
}

// The indices are made when the rows are there, which is faster.
absl::Status Fill(const Flags& flags, Connection* connection) {
  ASSAY_RETURN_IF_ERROR(AddCells(flags, connection));
  ASSAY_ASSIGN_OR_RETURN(const Rows indices, connection->Run(kIndices));
  for (int i = 0; i < indices.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(
        connection->Run("DROP INDEX " + indices.Text(i, 0)).status());
  }
  ASSAY_RETURN_IF_ERROR(
      connection->Run("ALTER TABLE records DROP CONSTRAINT records_pkey")
          .status());
  constexpr int kStep = 50;
  for (int night = 0; night < flags.nights; night += kStep) {
    const int last = std::min(night + kStep, flags.nights) - 1;
    ASSAY_RETURN_IF_ERROR(
        connection->Run(kAddRecords, {absl::StrCat(night), absl::StrCat(last)})
            .status());
  }
  ASSAY_RETURN_IF_ERROR(
      connection->Run("ALTER TABLE records ADD PRIMARY KEY (id)").status());
  for (int i = 0; i < indices.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(connection->Run(indices.Text(i, 1)).status());
  }
  return connection->Run("VACUUM ANALYZE records").status();
}

// Returns the times of queries in milliseconds, in ascending order.
absl::StatusOr<std::vector<double>> Query(const Flags& flags, int queries,
                                          uint64_t seed, SharedStore* store) {
  Rng rng(seed);
  std::vector<double> times;
  for (int i = 0; i < queries; ++i) {
    const std::string cell =
        CellName(static_cast<int>(rng.UniformInt(0, flags.cells - 1)));
    const absl::Time start = absl::Now();
    ASSAY_ASSIGN_OR_RETURN(const auto points, store->HistoryOf(cell, kMachine));
    times.push_back(Seconds(start) * 1e3);
    if (points.size() != static_cast<size_t>(flags.nights)) {
      return absl::InternalError(
          absl::StrCat("`", cell, "` has ", points.size(), " nights"));
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

void Print(const char* when, const std::vector<double>& times) {
  const auto at = [&](double share) {
    return times[static_cast<size_t>(share *
                                     static_cast<double>(times.size() - 1))];
  };
  std::cout << absl::StrFormat(
      "%s: %d histories, p50 %.1f ms, p99 %.1f ms, longest %.1f ms\n", when,
      times.size(), at(0.5), at(0.99), times.back());
}

int64_t BytesOf(const std::string& folder) {
  int64_t bytes = 0;
  std::error_code error;
  std::filesystem::recursive_directory_iterator files(folder, error);
  while (!error && files != std::filesystem::recursive_directory_iterator()) {
    std::error_code gone;
    const auto size = files->file_size(gone);
    if (!gone) bytes += static_cast<int64_t>(size);
    files.increment(error);
  }
  return bytes;
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(
      const auto server,
      PostgresServer::Start({"maintenance_work_mem=512MB", "max_wal_size=4GB",
                             "wal_level=minimal", "max_wal_senders=0"}));
  std::vector<double> cold;
  std::vector<double> warm;
  {
    ASSAY_ASSIGN_OR_RETURN(SharedStore store,
                           SharedStore::Open(server->address()));
    const absl::Time start = absl::Now();
    ASSAY_RETURN_IF_ERROR(Fill(flags, store.connection()));
    std::cout << absl::StrFormat(
        "%d rows: %d cells, %d nights; filled in %.0f s; %.1f GB on disk\n",
        int64_t{flags.cells} * flags.nights, flags.cells, flags.nights,
        Seconds(start), static_cast<double>(BytesOf(server->data())) / 1e9);
  }
  server->Kill();
  ASSAY_RETURN_IF_ERROR(server->Resume());
  ASSAY_ASSIGN_OR_RETURN(SharedStore store,
                         SharedStore::Open(server->address()));
  ASSAY_ASSIGN_OR_RETURN(cold, Query(flags, 200, 1, &store));
  Print("after a start of the server", cold);
  ASSAY_ASSIGN_OR_RETURN(warm, Query(flags, flags.queries, 2, &store));
  Print("then", warm);
  const double p99 = warm[warm.size() * 99 / 100];
  return p99 <= flags.target_ms ? ExitCode::kPass : ExitCode::kRegression;
}

int Main(int argc, char** argv) {
  CLI::App app("Times the history of a cell in a large store.",
               "history_benchmark");
  Flags flags;
  app.add_option("--cells", flags.cells, "default 10000");
  app.add_option("--nights", flags.nights, "default 1000");
  app.add_option("--queries", flags.queries, "default 2000");
  app.add_option("--target_ms", flags.target_ms,
                 "exit with 1 if the p99 is longer; default 50");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
