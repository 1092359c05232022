// cut_network: a site measures for two simulated weeks without its server.
// Prints how many records are lost or there twice when the network is back;
// exits with 1 if any is, or if the merged folder and the database differ.
//
// Two sites measure the same cells every simulated night. The first can always
// push. The second cannot, from the first night to the last. After half of the
// time, its folder is carried to the first site, which merges it by copying.
// In the end, both push, while the server is killed once.
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "reports/store/index.h"
#include "reports/store/postgres/shared_store.h"
#include "reports/store/postgres/testing/compare_stores.h"
#include "reports/store/postgres/testing/server.h"
#include "reports/store/run_log.h"
#include "reports/store/testing/rows.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

namespace fs = std::filesystem;

struct Flags {
  int nights = 14;
  int cells = 50;
};

absl::Status Measure(const std::string& folder, const std::string& site,
                     int night, int cells) {
  RunResult header = KillTestHeader();
  header.started_at = absl::FormatTime(
      absl::RFC3339_sec,
      absl::FromCivil(absl::CivilDay(2024, 5, 1) + night, absl::UTCTimeZone()),
      absl::UTCTimeZone());
  ASSAY_ASSIGN_OR_RETURN(const auto log,
                         RunLog::Open(folder, "job", header, false));
  for (int cell = 0; cell < cells; ++cell) {
    Row row = KillTestRow(cell);
    row.fingerprint = site;
    row.timing.samples_ns[0] += night;
    ASSAY_RETURN_IF_ERROR(log->Append(absl::StrCat(cell), row, {}, cell));
  }
  return log->Finish();
}

absl::Status CopyFiles(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy(from, to,
           fs::copy_options::recursive | fs::copy_options::skip_existing,
           error);
  return error ? absl::InternalError(error.message()) : absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create());
  ASSAY_ASSIGN_OR_RETURN(const auto server, PostgresServer::Start());
  const std::string first = JoinPath(dir.path(), "first");
  const std::string second = JoinPath(dir.path(), "second");
  const std::string nowhere = "postgres:///assay?host=" + dir.path();
  int cut = 0;
  for (int night = 0; night < flags.nights; ++night) {
    ASSAY_RETURN_IF_ERROR(Measure(first, "first", night, flags.cells));
    ASSAY_RETURN_IF_ERROR(Measure(second, "second", night, flags.cells));
    ASSAY_ASSIGN_OR_RETURN(SharedStore store,
                           SharedStore::Open(server->address()));
    ASSAY_RETURN_IF_ERROR(store.Push(first).status());
    if (!SharedStore::Open(nowhere).ok()) ++cut;
    if (night == flags.nights / 2) {
      ASSAY_RETURN_IF_ERROR(CopyFiles(second, first));
    }
  }
  ASSAY_ASSIGN_OR_RETURN(SharedStore lost,
                         SharedStore::Open(server->address()));
  server->Kill();
  if (lost.Push(second).ok()) return absl::InternalError("there is no server");
  ASSAY_RETURN_IF_ERROR(server->Resume());
  ASSAY_ASSIGN_OR_RETURN(SharedStore store,
                         SharedStore::Open(server->address()));
  ASSAY_ASSIGN_OR_RETURN(const Pushed late, store.Push(second));
  ASSAY_RETURN_IF_ERROR(store.Push(first).status());
  ASSAY_RETURN_IF_ERROR(CopyFiles(second, first));
  ASSAY_ASSIGN_OR_RETURN(StoreIndex index, StoreIndex::Open(first));
  ASSAY_ASSIGN_OR_RETURN(const auto merged, index.Find({}));
  ASSAY_ASSIGN_OR_RETURN(const auto found, store.Find({}));
  ASSAY_ASSIGN_OR_RETURN(const StoreDifference difference,
                         CompareStores({first, second}, &store));
  const bool same = merged == found;
  std::cout << "2 sites, " << flags.nights << " nights of " << flags.cells
            << " cells; one site was cut off on " << cut
            << " nights and then sent " << late.sent << " records, of which "
            << late.added << " were new\n"
            << Describe(difference) << "the merged folder and the database are "
            << (same ? "the same" : "different") << "\n";
  return same && difference.lost + difference.twice == 0
             ? ExitCode::kPass
             : ExitCode::kRegression;
}

int Main(int argc, char** argv) {
  CLI::App app("Merges a store after its network was cut.", "cut_network");
  Flags flags;
  app.add_option("--nights", flags.nights, "default 14");
  app.add_option("--cells", flags.cells, "per site; default 50");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
