// //reports:query: what is in a store of results.
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "reports/command.h"
#include "reports/store/index.h"
#include "reports/store/listing.h"
#include "reports/store/time_limit.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Lists the rows that runs with `--store=FOLDER` recorded, oldest first.\n";
constexpr char kFooter[] =
    "\nExamples:\n"
    "  ./bazelw run //reports:query -- --store=results\n"
    "  ./bazelw run //reports:query -- --store=results --suite=resnet18 "
    "--since=30d\n"
    "  ./bazelw run //reports:query -- --store=results --model=resnet18 "
    "--device=host \\\n      --format=csv > history.csv\n\n"
    "The table and the CSV summarise the samples; the JSON has them all. "
    "Lines of the store\nthat cannot be read are named on standard error and "
    "left out. reports/docs/store.md\nsays what a store is.\n\n"
    "Exit codes: 0 listed, be it nothing; 2 usage, or there is no such "
    "folder; 5 the store\ncannot be read.";

struct Flags {
  std::string store;
  std::string since;
  std::string until;
  std::string format = "table";
  Question question;
};

void Declare(CLI::App& app, Flags* flags) {
  app.add_option("--store", flags->store, "the folder; required")
      ->type_name("FOLDER");
  app.add_option("--suite", flags->question.suite, "only of this suite")
      ->type_name("NAME");
  app.add_option("--model", flags->question.model, "only of this model")
      ->type_name("NAME");
  app.add_option("--device", flags->question.device, "only on this device")
      ->type_name("NAME");
  app.add_option("--commit", flags->question.commit,
                 "only of the commit that begins so")
      ->type_name("HEX");
  app.add_option("--since", flags->since,
                 "only of runs that started then or later: a day, a time, or "
                 "how long\nago")
      ->type_name("2024-05-01|2024-05-01T12:00:00Z|30d|12h");
  app.add_option("--until", flags->until, "only of runs that started before")
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

absl::Status Query(Flags flags) {
  if (flags.store.empty()) {
    return absl::InvalidArgumentError(
        "`--store` is missing; give the folder that runs recorded to (see "
        "`--help`)");
  }
  if (flags.format != "table" && flags.format != "json" &&
      flags.format != "csv") {
    return absl::InvalidArgumentError(
        absl::StrCat("`--format` is `", flags.format,
                     "`; it must be `table`, `json` or `csv`"));
  }
  Question& question = flags.question;
  ASSAY_ASSIGN_OR_RETURN(question.since, Limit("--since", flags.since));
  ASSAY_ASSIGN_OR_RETURN(question.until, Limit("--until", flags.until));
  ASSAY_ASSIGN_OR_RETURN(StoreIndex index,
                         StoreIndex::Open(FromCallersFolder(flags.store)));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Record> records,
                         index.Find(question));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Damage> damages, index.Damages());
  for (const Damage& damage : damages) {
    std::cerr << "warning: " << Describe(damage) << "\n";
  }
  if (flags.format == "json") {
    std::cout << ListingJson(records);
  } else if (flags.format == "csv") {
    std::cout << ListingCsv(records);
  } else {
    std::cout << ListingTable(records);
  }
  return absl::OkStatus();
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //reports:query --");
  app.footer(kFooter);
  Flags flags;
  Declare(app, &flags);
  return RunCommand(app, argc, argv, [&] { return Query(std::move(flags)); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Run(argc, argv); }
