// //reports:export: writes the rows of a store for programs that analyse them.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "reports/export/duckdb.h"
#include "reports/export/parquet.h"
#include "reports/store/access/store_access.h"
#include "reports/store/index.h"
#include "reports/store/time_limit.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Writes the rows of a store, with their samples, to a Parquet file for "
    "DuckDB, Spark,\npandas and so on.\n";
constexpr char kFooter[] =
    "\nExamples:\n"
    "  ./bazelw run //reports:export -- --store=results --to=parquet "
    "--out=/tmp/rows.parquet\n"
    "  ./bazelw run //reports:export -- --store=postgres://ci@db/assay "
    "--since=90d \\\n      --to=parquet --out=/tmp/quarter.parquet\n\n"
    "The columns are those of `//reports:query --format=csv`, the name of the "
    "cell and\nthe list `samples_ns`, for example for\n"
    "  SELECT cell, median(s) FROM 'rows.parquet', unnest(samples_ns) AS u(s) "
    "GROUP BY cell\n\n"
    "Exit codes: 0 success; 2 usage, or the folder does not exist; 5 the store "
    "cannot be\nread, the file cannot be written, or DuckDB could not be "
    "downloaded.";

struct Flags {
  std::string store;
  std::string to;
  std::string out;
  std::string since;
  Query query;
};

absl::StatusOr<ExitCode> Export(Flags flags) {
  if (flags.to != "parquet") {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--to` is `", flags.to, "`; the only format is `parquet`"));
  }
  if (!flags.since.empty()) {
    const absl::StatusOr<std::string> since =
        TimeLimit(flags.since, absl::Now());
    if (!since.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--since` ", since.status().message()));
    }
    flags.query.since = *since;
  }
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Duckdb> duckdb, Duckdb::Open());
  ASSAY_ASSIGN_OR_RETURN(const FoundRecords found,
                         FindRecords(flags.store, flags.query));
  for (const CorruptRecord& record : found.corrupt_records) {
    std::cerr << "warning: " << PlainText(Describe(record)) << "\n";
  }
  ASSAY_RETURN_IF_ERROR(
      WriteParquet(found.records, FromCallersFolder(flags.out), duckdb.get()));
  std::cout << "wrote " << found.records.size() << " rows to `" << flags.out
            << "`\n";
  return ExitCode::kPass;
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //reports:export --");
  app.footer(kFooter);
  Flags flags;
  app.add_option("--store", flags.store, "the store")
      ->required()
      ->type_name("FOLDER|postgres://USER@HOST/DATABASE");
  app.add_option("--to", flags.to, "the format")
      ->required()
      ->type_name("parquet");
  app.add_option("--out", flags.out, "the file to write")
      ->required()
      ->type_name("FILE");
  app.add_option("--since", flags.since,
                 "only runs that started at or after a day, a time, or an age")
      ->type_name("2024-05-01|2024-05-01T12:00:00Z|30d|12h");
  app.add_option("--suite", flags.query.suite, "only this suite")
      ->type_name("NAME");
  return RunCommand(app, argc, argv, [&] { return Export(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Run(argc, argv); }
