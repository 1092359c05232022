// open_benchmark: how long it takes to open a store in a folder, to query it
// and to read all of it. Makes a store with the given numbers and prints the
// times.
#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "reports/store/history.h"
#include "reports/store/index.h"
#include "reports/store/record.h"
#include "reports/store/testing/rows.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

struct Flags {
  int nights = 100;
  int cells = 100;
  int samples = 100;
  int repeats = 9;
  double target_ms = 200;
};

// Writes a segment per night, without waiting for the disk after each record.
absl::Status Fill(const Flags& flags, const std::string& folder) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  Rng rng(1);
  for (int night = 0; night < flags.nights; ++night) {
    const std::string segment = absl::StrFormat(
        "%sZ-%016x.jsonl",
        absl::FormatTime("%Y%m%dT000000.000000",
                         absl::FromCivil(absl::CivilDay(2024, 1, 1) + night,
                                         absl::UTCTimeZone()),
                         absl::UTCTimeZone()),
        night);
    std::ofstream file(JoinPath(folder, segment), std::ios::binary);
    for (int cell = 0; cell < flags.cells; ++cell) {
      Record record{segment, "job", absl::StrCat(cell), KillTestHeader(), cell};
      record.result.started_at =
          absl::FormatTime(absl::RFC3339_sec,
                           absl::FromCivil(absl::CivilDay(2024, 1, 1) + night,
                                           absl::UTCTimeZone()),
                           absl::UTCTimeZone());
      Row row = KillTestRow(cell);
      row.timing.samples_ns.clear();
      for (int i = 0; i < flags.samples; ++i) {
        row.timing.samples_ns.push_back(rng.UniformFloat(1e6f, 2e6f));
      }
      record.result.rows.push_back(std::move(row));
      file << FormatRecord(record);
    }
    if (!file.flush()) return absl::InternalError("cannot write " + segment);
  }
  return absl::OkStatus();
}

// Prints the times of `work` and returns their median in milliseconds.
absl::StatusOr<double> Time(const char* what, int repeats,
                            const std::function<absl::Status()>& work) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const absl::Time start = absl::Now();
    ASSAY_RETURN_IF_ERROR(work());
    times.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
  }
  std::sort(times.begin(), times.end());
  std::cout << absl::StrFormat("%-36s median %.1f ms, longest %.1f ms\n", what,
                               times[times.size() / 2], times.back());
  return times[times.size() / 2];
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create());
  const std::string folder = JoinPath(dir.path(), "store");
  ASSAY_RETURN_IF_ERROR(Fill(flags, folder));
  std::cout << flags.nights << " segments, " << flags.nights * flags.cells
            << " records, "
            << int64_t{flags.nights} * flags.cells * flags.samples
            << " samples\n";
  const auto open = [&] { return StoreIndex::Open(folder).status(); };
  ASSAY_RETURN_IF_ERROR(Time("open without an index", 1, open).status());
  ASSAY_ASSIGN_OR_RETURN(const double ms, Time("open", flags.repeats, open));
  ASSAY_RETURN_IF_ERROR(Time("open, and find the rows of a cell", flags.repeats,
                             [&]() -> absl::Status {
                               ASSAY_ASSIGN_OR_RETURN(StoreIndex store,
                                                      StoreIndex::Open(folder));
                               Query query;
                               query.suite = "resnet18";
                               query.model = "model7";
                               return store.Find(query).status();
                             })
                            .status());
  ASSAY_RETURN_IF_ERROR(Time("read all runs", 1, [&] {
                          return ReadHistory(folder).status();
                        }).status());
  return ms <= flags.target_ms ? ExitCode::kPass : ExitCode::kRegression;
}

int Main(int argc, char** argv) {
  CLI::App app("Times how a store in a folder is opened.", "open_benchmark");
  Flags flags;
  app.add_option("--nights", flags.nights, "segments; default 100");
  app.add_option("--cells", flags.cells, "records of a segment; default 100");
  app.add_option("--samples", flags.samples, "of a record; default 100");
  app.add_option("--repeats", flags.repeats, "default 9");
  app.add_option("--target_ms", flags.target_ms,
                 "exit with 1 if opening takes longer; default 200");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
