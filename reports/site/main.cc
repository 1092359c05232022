// //reports:site: writes the site of a store.
#include <iostream>
#include <string>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "reports/site/bisections.h"
#include "reports/site/pages/pages.h"
#include "reports/site/site_writer.h"
#include "reports/store/access/store_access.h"
#include "reports/store/store_address.h"
#include "reports/store/summary/store_summary.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Writes the history of a store as a folder of static pages: what needs "
    "attention, and a\npage for each cell, commit, device, bisection and pair "
    "of runs. It needs neither a\nserver nor a network. If the folder has a "
    "site of the store already, only what is new\nis written.\n";
constexpr char kFooter[] =
    "\n  bazel run //reports:site -- --store=/srv/assay --out=/srv/assay/site\n"
    "\n`feed.xml` in the folder is an Atom feed, and `summary.md` a summary "
    "for "
    "a pull request.\nreports/docs/site.md describes the files.\n\n"
    "Exit codes: 0 success; 2 usage, or the store does not exist; 5 the store "
    "cannot be read,\nor the site cannot be written.";

struct Flags {
  std::string store;
  std::string out;
};

absl::StatusOr<StoreSummary> ReadSummary(const std::string& store) {
  if (!IsPostgresAddress(store)) {
    return StoreSummary::Read(FromCallersFolder(store));
  }
  ASSAY_ASSIGN_OR_RETURN(FoundRecords found, FindRecords(store, {}));
  return StoreSummary::Of(std::move(found.records));
}

std::string NameOf(const std::string& store) {
  // An address may name the user.
  if (IsPostgresAddress(store))
    return store.substr(store.find_last_of('/') + 1);
  std::string path = FromCallersFolder(store);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path.substr(path.find_last_of('/') + 1);
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  const absl::Time start = absl::Now();
  ASSAY_ASSIGN_OR_RETURN(const StoreSummary store, ReadSummary(flags.store));
  for (const CorruptRecord& record : store.corrupt_records()) {
    std::cerr << "skipped: " << Describe(record) << "\n";
  }
  SiteInput input;
  input.store = &store;
  input.store_name = NameOf(flags.store);
  input.now = absl::Now();
  ASSAY_ASSIGN_OR_RETURN(AcknowledgementLog log,
                         FindAcknowledgements(flags.store));
  for (const std::string& skipped : log.skipped) {
    std::cerr << "skipped: " << skipped << "\n";
  }
  input.acknowledgements = std::move(log.acknowledgements);
  if (!IsPostgresAddress(flags.store)) {
    ASSAY_ASSIGN_OR_RETURN(
        SiteBisections bisections,
        ReadBisections(JoinPath(FromCallersFolder(flags.store), "bisections")));
    for (const std::string& skipped : bisections.skipped) {
      std::cerr << "skipped: " << skipped << "\n";
    }
    input.bisections = std::move(bisections.reports);
  }
  SiteOptions options;
  options.folder = FromCallersFolder(flags.out);
  for (const site::PageFile& page : site::PageFiles()) {
    options.pages.emplace_back(page.name, page.contents);
  }
  const absl::Status made = MakeDirs(options.folder);
  if (!made.ok()) return absl::UnavailableError(made.message());
  // Two writers would undo what the other has written.
  ASSAY_ASSIGN_OR_RETURN(const FolderLock lock,
                         FolderLock::Acquire(options.folder));
  ASSAY_ASSIGN_OR_RETURN(const SiteSummary written, WriteSite(input, options));
  if (!written.warning.empty()) {
    std::cerr << "warning: " << written.warning << "\n";
  }
  std::cout << absl::StrFormat(
      "%d cells, %d runs, %d cells need attention; wrote %d files, %.1f MB, in "
      "%.1f s\n",
      written.cells, written.runs, written.attention, written.files_written,
      static_cast<double>(written.bytes_written) / 1e6,
      absl::ToDoubleSeconds(absl::Now() - start));
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app(kDescription, "//reports:site");
  app.footer(kFooter);
  app.add_option("--store", flags.store, "store to read; required")
      ->required()
      ->option_text("FOLDER|postgres://USER@HOST/DATABASE");
  app.add_option("--out", flags.out, "folder of the site; required")
      ->required()
      ->option_text("FOLDER");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
