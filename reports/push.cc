// //reports:push: copies the records of a folder to a PostgreSQL store.
#include <iostream>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reports/store/postgres/shared_store.h"
#include "reports/store/store_address.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Copies the records of a folder to a PostgreSQL store. Records that it has "
    "already\nare not copied again, and the folder is not changed.\n";
constexpr char kFooter[] =
    "\nExample:\n"
    "  ./bazelw run //reports:push -- --from=$PWD/results "
    "--store=postgres://ci@db/assay\n\n"
    "Suites with `--store=postgres://USER@HOST/DATABASE` do this after each "
    "row. This\ncommand is for folders that were written without a network. "
    "The database may be\nempty. A password is taken from ~/.pgpass or "
    "$PGPASSFILE.\n\n"
    "Exit codes: 0 success; 2 usage, or the folder does not exist; 5 the "
    "server cannot\nbe reached, or the folder cannot be read.";

struct Flags {
  std::string from;
  std::string store;
};

absl::StatusOr<ExitCode> Copy(const Flags& flags) {
  if (flags.from.empty()) {
    return absl::InvalidArgumentError(
        "`--from` is missing; give the folder of a store (see `--help`)");
  }
  if (!IsPostgresAddress(flags.store)) {
    return absl::InvalidArgumentError(
        "`--store` must be the address of a PostgreSQL database, for example "
        "`postgres://ci@db/assay`");
  }
  ASSAY_ASSIGN_OR_RETURN(SharedStore store, SharedStore::Open(flags.store));
  ASSAY_ASSIGN_OR_RETURN(const Pushed pushed,
                         store.Push(FromCallersFolder(flags.from)));
  std::cout << absl::StrCat("added ", pushed.added, " of ", pushed.sent,
                            " records that were sent\n");
  return ExitCode::kPass;
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //reports:push --");
  app.footer(kFooter);
  Flags flags;
  app.add_option("--from", flags.from, "folder to copy; required")
      ->type_name("FOLDER");
  app.add_option("--store", flags.store, "where to; required")
      ->type_name("postgres://USER@HOST/DATABASE");
  return RunCommand(app, argc, argv, [&] { return Copy(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Run(argc, argv); }
