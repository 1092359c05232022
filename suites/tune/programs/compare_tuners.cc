// //suites:compare_tuners: repeats searches on measured spaces, to compare
// how many trials the tuners need.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/tune/search/tuners.h"
#include "reports/stats/summary.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/text/text_table.h"
#include "suites/tune/log/log_file.h"
#include "suites/tune/replay/log_spaces.h"
#include "suites/tune/replay/replay.h"

namespace assay::suites {
namespace {

using runtime::TextTable;

constexpr char kDescription[] =
    "Repeats searches on spaces of which all points were measured, to compare "
    "how many trials\nthe tuners need. Nothing is measured.\n";
constexpr char kFooter[] =
    "\nA complete log is made by\n"
    "  ./bazelw run //suites:tune -- --suite=resnet18 --tuner=grid "
    "--trials=100000 --log=FILE\n\n"
    "`default` is the time of the best point as a part of that of the default "
    "point, `reached` how\nmany searches found a point with 95 % of the best "
    "speed, `trials` the median of the trials\nuntil then, `found` the median "
    "of the speed that was found, as a part of the best, and `ratio`\nthe "
    "trials with transfer divided by those without.\n\nExit codes: 0 compared; "
    "2 usage; 3 the log has no complete space.";

// The model-based tuner that learns from other tasks, too.
constexpr char kTransfer[] = "xgb+transfer";

struct Flags {
  std::string log;
  int64_t trials = 100;
  int seeds = 20;
  double min_measured = 0.9;
  bool transfer = false;
};

// The results of a tuner on a space, one per seed.
struct Outcome {
  std::vector<double> trials;  // to kGoodShare; infinite if not reached
  std::vector<double> shares;  // of the speed of the best point, at the end
  double tuner_seconds = 0;
  int64_t all_trials = 0;
};

// `others` are the results from which the tuner learns first.
Outcome Run(const MeasuredSpace& measured, const std::string& tuner_name,
            const std::vector<tune::Examples>& others, const Flags& flags) {
  Outcome outcome;
  for (int i = 1; i <= flags.seeds; ++i) {
    const auto seed = static_cast<uint64_t>(i);
    const auto tuner =
        tune::MakeTuner(tuner_name, measured.space(), seed, others);
    const ReplayResult result =
        Replay(measured, flags.trials, seed, tuner.get());
    outcome.trials.push_back(result.trials.has_value()
                                 ? static_cast<double>(*result.trials)
                                 : std::numeric_limits<double>::infinity());
    outcome.shares.push_back(result.share);
    outcome.tuner_seconds += result.tuner_seconds;
    outcome.all_trials += tuner->num_results();
  }
  return outcome;
}

std::string Trials(double median, int64_t most) {
  return median > static_cast<double>(most) ? absl::StrCat(">", most)
                                            : absl::StrFormat("%.1f", median);
}

// Adds a row for each tuner. `others` are null without transfer.
void AddRows(const LogSpace& space, const OtherExamples* others,
             const Flags& flags, TextTable* table) {
  const MeasuredSpace& measured = space.measured;
  const auto usual = measured.Time(measured.space().default_point());
  std::vector<std::string> about = {
      space.task,
      absl::StrCat(measured.num_points(), "/", measured.space().size()),
      usual.has_value()
          ? absl::StrFormat("%.1f %%", 100 * *measured.Best() / *usual)
          : "failed"};
  double without = 0;  // transfer
  std::vector<std::string> names = tune::TunerNames();
  if (others != nullptr) names.push_back(kTransfer);
  for (const std::string& name : names) {
    const bool transfers = name == kTransfer;
    const Outcome outcome =
        transfers
            ? Run(measured, "xgb", others->For(space.task, space.place), flags)
            : Run(measured, name, {}, flags);
    const double median = stats::Median(outcome.trials);
    if (name == "xgb") without = median;
    const auto reached =
        std::count_if(outcome.trials.begin(), outcome.trials.end(),
                      [](double trials) { return std::isfinite(trials); });
    std::vector<std::string> row = about;
    row.push_back(name);
    row.push_back(absl::StrFormat("%d/%d", reached, outcome.trials.size()));
    row.push_back(Trials(median, flags.trials));
    row.push_back(
        absl::StrFormat("%.1f %%", 100 * stats::Median(outcome.shares)));
    row.push_back(absl::StrFormat(
        "%.2f",
        1e3 * outcome.tuner_seconds / static_cast<double>(outcome.all_trials)));
    row.push_back(transfers ? absl::StrFormat("%.2f", median / without) : "");
    table->AddRow(std::move(row));
    about = {"", "", ""};
  }
}

absl::StatusOr<ExitCode> Compare(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const Log log, ReadLog(FromCallersFolder(flags.log)));
  std::vector<LogSpace> spaces;
  for (LogSpace& space : SpacesOf(log.records)) {
    const double share = static_cast<double>(space.measured.num_points()) /
                         static_cast<double>(space.measured.space().size());
    if (share >= flags.min_measured && space.measured.Best().has_value()) {
      spaces.push_back(std::move(space));
    }
  }
  TextTable table({{"task"},
                   {"points", TextTable::kRight},
                   {"default", TextTable::kRight},
                   {"tuner"},
                   {"reached", TextTable::kRight},
                   {"trials", TextTable::kRight},
                   {"found", TextTable::kRight},
                   {"ms/trial", TextTable::kRight},
                   {"ratio", TextTable::kRight}});
  std::optional<OtherExamples> others;
  if (flags.transfer) others.emplace(spaces);
  for (const LogSpace& space : spaces) {
    AddRows(space, others.has_value() ? &*others : nullptr, flags, &table);
  }
  std::cout << table.ToString();
  for (const LogSpace& space : spaces) {
    std::cout << space.task << ": " << space.anchor << "\n";
  }
  return spaces.empty() ? ExitCode::kInconclusive : ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //suites:compare_tuners --");
  app.footer(kFooter);
  Flags flags;
  app.add_option("--log", flags.log, "a log in which spaces are complete")
      ->type_name("FILE")
      ->required();
  app.add_option("--trials", flags.trials, "of a search; default 100")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}));
  app.add_option("--seeds", flags.seeds,
                 "searches per tuner and space; default 20")
      ->check(CLI::Range(1, 10'000));
  app.add_flag("--transfer", flags.transfer,
               "also let xgb learn from the other spaces of the log");
  app.add_option("--min_measured", flags.min_measured,
                 "spaces of which a smaller part was measured are left out; "
                 "default 0.9")
      ->check(CLI::Range(0.0, 1.0));
  return RunCommand(app, argc, argv, [&] { return Compare(flags); });
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) { return assay::suites::Main(argc, argv); }
