// //reports:query: lists records of a store of results.
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "reports/result/plain_row.h"
#include "reports/store/access/store_access.h"
#include "reports/store/index.h"
#include "reports/store/listing.h"
#include "reports/store/time_limit.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Lists the rows recorded by runs with `--store`, oldest first.\n";
constexpr char kFooter[] =
    "\nExamples:\n"
    "  ./bazelw run //reports:query -- --store=results\n"
    "  ./bazelw run //reports:query -- --store=results --suite=resnet18 "
    "--since=30d\n"
    "  ./bazelw run //reports:query -- --store=postgres://ci@db/assay\n"
    "  ./bazelw run //reports:query -- --store=results --model=resnet18 "
    "--device=host \\\n      --format=csv > history.csv\n\n"
    "The table and the CSV contain summary statistics, the JSON all samples. "
    "Lines of the\nstore that are not valid records are skipped with a warning "
    "on stderr. The format of a\nstore is described in reports/docs/store.md."
    "\n\n"
    "Exit codes: 0 success; 2 usage, or the folder does not exist; 5 the store "
    "cannot be\nread.";

struct Flags {
  std::string store;
  std::string since;
  std::string until;
  std::string format = "table";
  Query query;
};

void Declare(CLI::App& app, Flags* flags) {
  app.add_option("--store", flags->store, "the store; required")
      ->type_name("FOLDER|postgres://USER@HOST/DATABASE");
  app.add_option("--suite", flags->query.suite, "only this suite")
      ->type_name("NAME");
  app.add_option("--model", flags->query.model, "only this model")
      ->type_name("NAME");
  app.add_option("--device", flags->query.device, "only this device")
      ->type_name("NAME");
  app.add_option("--commit", flags->query.commit,
                 "only commits with this prefix")
      ->type_name("HEX");
  app.add_option("--since", flags->since,
                 "only runs that started at or after a day, a time, or an age")
      ->type_name("2024-05-01|2024-05-01T12:00:00Z|30d|12h");
  app.add_option("--until", flags->until,
                 "only runs that started before this time")
      ->type_name("TIME");
  app.add_option("--format", flags->format, "default table")
      ->type_name("table|json|csv");
}

absl::StatusOr<std::string> Limit(const char* flag, const std::string& text) {
  if (text.empty()) return text;
  absl::StatusOr<std::string> limit = TimeLimit(text, absl::Now());
  if (limit.ok()) return limit;
  return absl::InvalidArgumentError(
      absl::StrCat("`", flag, "` ", limit.status().message()));
}

absl::StatusOr<ExitCode> List(Flags flags) {
  if (flags.store.empty()) {
    return absl::InvalidArgumentError(
        "`--store` is missing; give the folder of a store (see `--help`)");
  }
  if (flags.format != "table" && flags.format != "json" &&
      flags.format != "csv") {
    return absl::InvalidArgumentError(
        absl::StrCat("`--format` is `", flags.format,
                     "`; it must be `table`, `json` or `csv`"));
  }
  Query& query = flags.query;
  ASSAY_ASSIGN_OR_RETURN(query.since, Limit("--since", flags.since));
  ASSAY_ASSIGN_OR_RETURN(query.until, Limit("--until", flags.until));
  ASSAY_ASSIGN_OR_RETURN(FoundRecords found, FindRecords(flags.store, query));
  std::vector<Record>& records = found.records;
  // Earlier versions recorded names as they were.
  for (Record& record : records) {
    for (Row& row : record.result.rows) MakePlain(&row);
  }
  for (const CorruptRecord& record : found.corrupt_records) {
    std::cerr << "warning: " << PlainText(Describe(record)) << "\n";
  }
  if (flags.format == "json") {
    std::cout << ListingJson(records);
  } else if (flags.format == "csv") {
    std::cout << ListingCsv(records);
  } else {
    std::cout << ListingTable(records);
  }
  return ExitCode::kPass;
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //reports:query --");
  app.footer(kFooter);
  Flags flags;
  Declare(app, &flags);
  return RunCommand(app, argc, argv, [&] { return List(std::move(flags)); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Run(argc, argv); }
