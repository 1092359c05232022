// //reports:acknowledge: records and lists decisions about the levels of cells.
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "reports/store/access/store_access.h"
#include "reports/store/acknowledgement.h"
#include "reports/store/cell_name.h"
#include "reports/store/time_limit.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/text/text_table.h"

namespace assay::reports {
namespace {

using Kind = Acknowledgement::Kind;

constexpr char kDescription[] =
    "Records that the latest level of cells is known, so that it is not "
    "reported every night,\nor lists these decisions.\n";
constexpr char kFooter[] =
    "\nKinds:\n"
    "  acknowledge  the level is known, and somebody works on it\n"
    "  bless        the level is accepted\n"
    "  ignore       no level of these cells is reported\n"
    "  withdraw     earlier decisions about these cells no longer hold\n\n"
    "The first two hold for the latest level of each matching cell on each "
    "machine. When a\nlevel moves by more than --tolerance, it is reported "
    "again. Of several decisions\nabout a cell, the last one that has not "
    "expired holds.\n\n"
    "Examples:\n"
    "  ./bazelw run //reports:acknowledge -- --store=results "
    "--cell='resnet18/*/threads_2' \\\n"
    "      --reason='slower since the new allocator, issue 7' "
    "--until=2030-06-01\n"
    "  ./bazelw run //reports:acknowledge -- --store=postgres://ci@db/assay "
    "--list\n\n"
    "The name of a cell is SUITE/MODEL/DEVICE/VARIANT/threads_N, for example\n"
    "resnet18/resnet18/host/fusion_on/threads_2. In a pattern, * and ? also "
    "match slashes.\n\n"
    "Exit codes: 0 success; 2 usage, no cell matches, or the folder does not "
    "exist; 5 the\nstore cannot be read or written.";

struct Flags {
  std::string store;
  bool list = false;
  std::string kind = "acknowledge";
  std::string until;
  Acknowledgement acknowledgement;
};

void Declare(CLI::App& app, Flags* flags) {
  Acknowledgement& a = flags->acknowledgement;
  const char* user = std::getenv("USER");
  if (user != nullptr) a.author = user;
  app.add_option("--store", flags->store, "the store; required")
      ->type_name("FOLDER|postgres://USER@HOST/DATABASE");
  app.add_option("--cell", a.cell, "the cells")->type_name("PATTERN");
  app.add_option("--reason", a.reason, "why, for those who read it later")
      ->type_name("TEXT");
  app.add_option("--kind", flags->kind, "default acknowledge")
      ->type_name(absl::StrJoin(AcknowledgementKinds(), "|"));
  app.add_option("--until", flags->until, "when it expires; default never")
      ->type_name("2030-06-01|2030-06-01T12:00:00Z");
  app.add_option("--author", a.author, "who decides; default $USER")
      ->type_name("NAME");
  app.add_option("--tolerance", a.tolerance,
                 "a level moves if it changes by more than this fraction; "
                 "default 0.02")
      ->type_name("FRACTION");
  app.add_flag("--list", flags->list, "list all decisions instead");
}

std::string StateOf(const Acknowledgement& a, absl::Time now) {
  if (a.until.empty()) return "-";
  return absl::StrCat(a.until, HasExpired(a, now) ? " (expired)" : "");
}

absl::StatusOr<ExitCode> List(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const AcknowledgementLog log,
                         FindAcknowledgements(flags.store));
  for (const std::string& line : log.skipped) {
    std::cerr << "warning: " << PlainText(line) << "\n";
  }
  runtime::TextTable table({{"made_at"},
                            {"kind"},
                            {"cell"},
                            {"levels", runtime::TextTable::kRight},
                            {"until"},
                            {"author"},
                            {"reason"}});
  const absl::Time now = absl::Now();
  for (const Acknowledgement& a : log.acknowledgements) {
    table.AddRow({PlainText(a.made_at), std::string(KindName(a.kind)),
                  PlainText(a.cell), absl::StrCat(a.levels.size()),
                  PlainText(StateOf(a, now)), PlainText(a.author),
                  PlainText(a.reason)});
  }
  std::cout << table.ToString();
  return ExitCode::kPass;
}

absl::Status Check(const Acknowledgement& a) {
  const std::pair<const char*, const std::string*> required[] = {
      {"--cell", &a.cell}, {"--reason", &a.reason}, {"--author", &a.author}};
  for (const auto& [flag, value] : required) {
    if (value->empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", flag, "` is missing (see `--help`)"));
    }
  }
  if (a.tolerance >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError("`--tolerance` must not be negative");
}

absl::StatusOr<ExitCode> Add(Flags flags) {
  Acknowledgement& a = flags.acknowledgement;
  const absl::StatusOr<Kind> kind = ParseKind(flags.kind);
  if (!kind.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--kind`: ", kind.status().message()));
  }
  a.kind = *kind;
  ASSAY_RETURN_IF_ERROR(Check(a));
  const absl::Time now = absl::Now();
  if (!flags.until.empty()) {
    const absl::StatusOr<std::string> until = TimeLimit(flags.until, now);
    if (!until.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--until` ", until.status().message()));
    }
    a.until = *until;
    if (HasExpired(a, now)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--until` is `", flags.until, "`, which is over"));
    }
  }
  a.made_at = absl::FormatTime(absl::RFC3339_full, now, absl::UTCTimeZone());
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Level> levels,
                         LatestLevels(flags.store));
  for (const Level& level : levels) {
    if (MatchesCellName(a.cell, level.cell)) a.levels.push_back(level);
  }
  if (a.levels.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no cell that was timed matches `--cell=", a.cell, "`"));
  }
  for (const Level& level : a.levels) {
    std::cout << KindName(a.kind) << " " << PlainText(level.cell) << " on "
              << PlainText(level.machine) << " at " << level.median_ms
              << " ms\n";
  }
  ASSAY_RETURN_IF_ERROR(AddAcknowledgement(flags.store, a));
  return ExitCode::kPass;
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //reports:acknowledge --");
  app.footer(kFooter);
  Flags flags;
  Declare(app, &flags);
  return RunCommand(app, argc, argv, [&]() -> absl::StatusOr<ExitCode> {
    if (flags.store.empty()) {
      return absl::InvalidArgumentError("`--store` is missing (see `--help`)");
    }
    return flags.list ? List(flags) : Add(std::move(flags));
  });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Run(argc, argv); }
