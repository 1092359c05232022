// simulate: measures how well a history knows why a time changed, and how often
// it tells people without a reason. See --help.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/history/events.h"
#include "reports/history/testing/world.h"
#include "reports/stats/binomial.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/paired_judge.h"
#include "reports/stats/testing/noise.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/random.h"
#include "runtime/base/run_command.h"

namespace assay::reports {
namespace {

constexpr char kHelp[] =
    "Simulates nights of a machine from seeds and prints\n"
    "  causes    of injected changes of code, layout, machine and method: the "
    "share with\n            the right cause\n"
    "  machine   changes of the machine that are published as regressions\n"
    "  code      the share of slow-downs by 1 % that are known after one "
    "night\n"
    "  alerts    published false alerts a month for 1,000 cells, by "
    "autocorrelation\n"
    "  power     shifts that are found within 30 nights, by their size\n"
    "The side-by-side comparisons are simulated with the noise of "
    "reports/stats/testing/noise.h.\n\n"
    "Exit codes: 0 printed; 2 usage.";

struct Flags {
  int64_t seed = 1;
  int64_t events = 200;
  int64_t nights = 200;
  int64_t trials = 1000;
  int64_t months = 300;
  int cells = 200;
  bool heavy_tails = false;
  std::vector<std::string> parts = {"causes", "machine", "code", "alerts",
                                    "power"};
};

// Compares programs side by side, in a suite of `cells` cells.
World::Judge SimulatedJudge(const std::string& noise, int64_t cells,
                            uint64_t seed) {
  auto rng = std::make_shared<Rng>(seed);
  return [noise, cells, rng](double change) {
    constexpr int64_t kMaxLoads = 375;
    constexpr int64_t kRoundsPerLoad = 8;
    stats::PairedOptions options;
    options.log_e_alarm = std::max(
        options.log_e_alarm,
        stats::LogEValueForOneOf(cells, stats::kNightlyFalseDiscoveryRate));
    stats::LoadSource source(stats::NoiseOf(noise), std::expm1(change),
                             kRoundsPerLoad, rng->NextU64());
    stats::PairedJudge judge(options);
    while (true) {
      judge.Add(source.Next());
      const stats::PairedVerdict verdict =
          judge
              .Judge(judge.count() < kMaxLoads ? stats::Budget::kLeft
                                               : stats::Budget::kSpent)
              .verdict;
      if (verdict.final) {
        return SideBySide{verdict.verdict, verdict.change, verdict.lower,
                          verdict.upper, true};
      }
    }
  };
}

std::string Share(int64_t count, int64_t trials) {
  const stats::Proportion limits = stats::ClopperPearson(count, trials, 0.95);
  return absl::StrFormat(
      "%d of %d, %.2f %% [%.2f, %.2f]", count, trials,
      100 * static_cast<double>(count) / static_cast<double>(trials),
      100 * limits.lower, 100 * limits.upper);
}

// Injects events, three nights apart, into one history of 30 cells.
void PrintCauses(const Flags& flags) {
  WorldOptions options;
  options.correlation = 0.5;
  options.drift = 0.005;
  options.seed = static_cast<uint64_t>(flags.seed);
  World world(options, SimulatedJudge("quiet", options.cells, options.seed));
  Rng rng(options.seed);
  struct Injected {
    std::string name;
    std::string cause;
    std::string model;
  };
  std::map<size_t, Injected> injected;  // by night
  world.MeasureNight();
  world.MeasureNight();
  for (int64_t i = 0; i < flags.events; ++i) {
    const int cell = static_cast<int>(rng.UniformInt(0, options.cells - 1));
    const double change = rng.UniformInt(0, 1) == 0 ? 0.05 : -0.05;
    Injected event;
    event.model = absl::StrCat("net", cell);
    switch (i % 4) {
      case 0:
        event.name = event.cause = "code";
        world.ChangeCode(cell, change);
        break;
      case 1:
        event.name = event.cause = "layout";
        world.ChangeLayout(cell, change);
        break;
      case 2:
        event.cause = "machine";
        event.name = i % 8 == 2 ? "machine, recorded" : "machine, unrecorded";
        world.ChangeMachine(i % 8 == 2, change);
        break;
      default:
        event.cause = "method";
        event.name = i % 8 == 3 ? "method, runtime" : "method, policy";
        i % 8 == 3 ? world.ChangeRuntime(change) : world.ChangePolicy(change);
    }
    injected[world.history().size()] = event;
    for (int night = 0; night < 3; ++night) world.MeasureNight();
  }
  const AnalyzedHistory history = AnalyzeHistory(world.history());
  std::map<std::string, std::pair<int64_t, int64_t>> right;  // of all
  int64_t all_right = 0;
  for (const auto& [night, event] : injected) {
    bool found = false;
    for (const Event& e : history.events) {
      const Series& series = history.series[e.series];
      found |= series.metric == Metric::kLatency &&
               series.row->cell.model == event.model &&
               series.points[e.point].run == night &&
               CausesText(e.causes) == event.cause;
    }
    right[event.name].first += found;
    right[event.name].second += 1;
    all_right += found;
  }
  int64_t others = 0, steps = 0;
  for (const Series& series : history.series) {
    if (series.metric != Metric::kLatency) continue;
    steps += static_cast<int64_t>(series.points.size()) - 1;
  }
  for (const Event& e : history.events) {
    const Series& series = history.series[e.series];
    if (series.metric != Metric::kLatency) continue;
    const auto at = injected.find(series.points[e.point].run);
    const bool is_expected =
        at != injected.end() && CausesText(e.causes) == at->second.cause;
    if (!is_expected) ++others;
  }
  absl::PrintF(
      "causes: %d cells, noise 1 %%, autocorrelation 0.5, drift "
      "0.5 %%, changes of 5 %%\n",
      options.cells);
  for (const auto& [name, count] : right) {
    absl::PrintF("  %-20s %s\n", name, Share(count.first, count.second));
  }
  absl::PrintF("  %-20s %s\n", "all", Share(all_right, flags.events));
  absl::PrintF("  other causes         %d of %d nights of cells\n\n", others,
               steps);
}

// The machine drifts, and every 20 nights it is 4 % slower or faster at once,
// in turns with and without a record of it.
void PrintMachine(const Flags& flags) {
  WorldOptions options;
  options.cells = flags.cells;
  options.correlation = 0.5;
  options.drift = 0.005;
  options.seed = static_cast<uint64_t>(flags.seed) + 1;
  World world(options, SimulatedJudge("quiet", options.cells, options.seed));
  for (int64_t night = 0; night < flags.nights; ++night) {
    if (night % 20 == 19) {
      world.ChangeMachine(night % 40 == 19, night % 80 < 40 ? 0.04 : -0.04);
    }
    world.MeasureNight();
  }
  const AnalyzedHistory history = AnalyzeHistory(world.history());
  int64_t machine = 0, published = 0;
  for (const Event& event : history.events) {
    machine += event.causes.Has(Cause::kMachine);
    published += event.published;
  }
  absl::PrintF(
      "machine: %d cells, %d nights, drift 0.5 %% a night, %d jumps "
      "by 4 %%\n  %d events of cells with the cause machine, %d "
      "events published\n\n",
      options.cells, flags.nights, flags.nights / 20, machine, published);
}

// Other code that makes a cell slower by 1 %, or that takes the same time.
void PrintCode(const Flags& flags) {
  absl::PrintF(
      "code: published after the night of a change, in a suite of %d "
      "cells\n",
      flags.cells);
  for (const char* noise : {"quiet", "noisy"}) {
    const World::Judge judge = SimulatedJudge(
        noise, flags.cells, static_cast<uint64_t>(flags.seed) + 2);
    for (const double change : {0.01, 0.0}) {
      int64_t published = 0;
      for (int64_t trial = 0; trial < flags.trials; ++trial) {
        WorldOptions options;
        options.cells = 1;
        options.seed = SeedFor(static_cast<uint64_t>(flags.seed),
                               absl::StrCat(noise, " ", trial));
        World world(options, judge);
        world.MeasureNight();
        world.ChangeCode(0, std::log1p(change));
        world.MeasureNight();
        for (const Event& event : AnalyzeHistory(world.history()).events) {
          published += event.published;
        }
      }
      absl::PrintF("  %-6s %.0f %% slower: %s\n", noise, 100 * change,
                   Share(published, flags.trials));
    }
  }
  absl::PrintF("\n");
}

// The nights before the first test, and the nights of a month.
constexpr size_t kFirstNights = 74;
constexpr size_t kMonth = 30;

void PrintAlerts(const Flags& flags) {
  constexpr int kCells = 1000;
  constexpr int64_t kMonthsOfWorld = 10;
  absl::PrintF(
      "| autocorrelation | months of 1,000 cells | shifts found | published | "
      "published a month | 95 %% limit |\n|---|---|---|---|---|---|\n");
  for (const double correlation : {0.0, 0.2, 0.4, 0.6, 0.8}) {
    int64_t published = 0, shifts = 0, months = 0;
    while (months < flags.months) {
      WorldOptions options;
      options.cells = kCells;
      options.noise = 0.03;
      options.correlation = correlation;
      options.heavy_tails = flags.heavy_tails;
      options.drift = 0.005;
      options.seed = SeedFor(static_cast<uint64_t>(flags.seed),
                             absl::StrCat("alerts ", correlation, " ", months));
      const AnalyzedHistory history = FindEvents(
          LoadSeries(options, kFirstNights + kMonthsOfWorld * kMonth));
      for (const Event& event : history.events) {
        shifts += event.shift.has_value();
        published += event.published;
      }
      months += kMonthsOfWorld;
    }
    // One-sided: the probability of as many or fewer alerts is 5 %.
    const int64_t trials = months * kCells;
    const double limit =
        stats::ClopperPearson(published, trials, 0.9).upper * kCells;
    absl::PrintF("| %.1f | %d | %d | %d | %.3f | %.3f |\n", correlation, months,
                 shifts, published,
                 static_cast<double>(published) / static_cast<double>(months),
                 limit);
    std::fflush(stdout);
  }
  absl::PrintF("\n");
}

void PrintPower(const Flags& flags) {
  absl::PrintF(
      "| autocorrelation | 3 | 4 | 6 | 8 | 10 | 15 |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const double correlation : {0.0, 0.2, 0.4, 0.6, 0.8}) {
    absl::PrintF("| %.1f |", correlation);
    for (const double size : {3.0, 4.0, 6.0, 8.0, 10.0, 15.0}) {
      WorldOptions options;
      options.cells = static_cast<int>(flags.trials);
      options.noise = 0.03;
      options.correlation = correlation;
      options.seed = SeedFor(static_cast<uint64_t>(flags.seed),
                             absl::StrCat("power ", correlation, " ", size));
      int64_t found = 0;
      for (Series& series : LoadSeries(options, kFirstNights + kMonth)) {
        for (size_t i = kFirstNights; i < series.points.size(); ++i) {
          series.points[i].value += size * options.noise;
        }
        std::vector<Series> one;
        one.push_back(std::move(series));
        for (const Event& event : FindEvents(std::move(one)).events) {
          found += event.published;
        }
      }
      absl::PrintF(" %.0f %% |", 100 * static_cast<double>(found) /
                                     static_cast<double>(flags.trials));
      std::fflush(stdout);
    }
    absl::PrintF("\n");
  }
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  const std::map<std::string, void (*)(const Flags&)> parts = {
      {"causes", PrintCauses},
      {"machine", PrintMachine},
      {"code", PrintCode},
      {"alerts", PrintAlerts},
      {"power", PrintPower}};
  for (const std::string& part : flags.parts) parts.at(part)(flags);
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app(kHelp, "simulate");
  Flags flags;
  app.add_option("--part", flags.parts, "parts to print; default all")
      ->delimiter(',')
      ->check(CLI::IsMember({"causes", "machine", "code", "alerts", "power"}));
  app.add_option("--seed", flags.seed, "seed; default 1");
  app.add_option("--events", flags.events, "injected events; default 200")
      ->check(CLI::PositiveNumber);
  app.add_option("--nights", flags.nights, "nights of `machine`; default 200")
      ->check(CLI::PositiveNumber);
  app.add_option("--cells", flags.cells,
                 "cells of `machine`, and of the suite of `code`; default 200")
      ->check(CLI::Range(8, 10000));
  app.add_option("--trials", flags.trials,
                 "trials of `code` and `power`; default 1000")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--months", flags.months,
                 "months of 1,000 cells per autocorrelation; default 300")
      ->check(CLI::PositiveNumber);
  app.add_flag("--heavy_tails", flags.heavy_tails,
               "innovations of `alerts` with Student's t distribution, 4 "
               "degrees of freedom");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
