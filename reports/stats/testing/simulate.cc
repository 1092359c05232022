// simulate: evaluates the verdicts of paired_verdict.h by simulation with
// synthetic noise (noise.h). It prints the rate of false alarms, the power and
// the number of loads until a verdict, the coverage of the intervals, the
// accuracy of the minimum detectable change, the effect of other parameters,
// the number of alerts of a suite per night, and how often a slower tail is
// reported (tail_sequence.h). Rates have 95 % confidence limits. The output is
// a deterministic function of the flags.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_format.h"
#include "reports/stats/binomial.h"
#include "reports/stats/summary.h"
#include "reports/stats/testing/noise.h"
#include "reports/stats/testing/simulation.h"
#include "reports/stats/testing/tail_trials.h"

namespace assay::stats {
namespace {

std::string Share(int64_t count, int64_t trials) {
  const Proportion limits = ClopperPearson(count, trials, 0.95);
  return absl::StrFormat(
      "%6.2f%% [%5.2f, %6.2f]",
      100 * static_cast<double>(count) / static_cast<double>(trials),
      100 * limits.lower, 100 * limits.upper);
}

int64_t At(const std::vector<int64_t>& sorted, int percent) {
  return sorted[(sorted.size() - 1) * static_cast<size_t>(percent) / 100];
}

// Prints the variation of 600 consecutive samples, to compare with a machine.
void PrintScatter(const std::vector<Noise>& noises, uint64_t seed) {
  absl::PrintF("scatter: of 600 consecutive times, and of medians of 30\n");
  for (const Noise& noise : noises) {
    NoiseSource source(noise, seed);
    std::vector<double> times;
    std::vector<double> medians;
    for (int block = 0; block < 20; ++block) {
      std::vector<double> samples;
      for (int i = 0; i < 30; ++i) {
        samples.push_back(std::exp(source.Next(0, i % 2 == 1)));
      }
      medians.push_back(Percentile(samples, 50));
      times.insert(times.end(), samples.begin(), samples.end());
    }
    const Summary summary = Summarize(times);
    absl::PrintF("  %-15s std/mean %5.1f%%  medians p10 to p90 %5.1f%%\n",
                 noise.name, 100 * summary.std / summary.mean,
                 100 * (Percentile(medians, 90) / Percentile(medians, 10) - 1));
  }
}

void PrintVerdicts(const std::vector<Noise>& noises,
                   const Experiment& experiment) {
  absl::PrintF(
      "\nverdicts: margin %.1f%%, level %.1f%%, at most %d loads, %d trials\n",
      100 * experiment.options.margin, 100 * experiment.options.level,
      experiment.max_loads, experiment.trials);
  absl::PrintF("  %-15s %6s  %-25s %-25s %-25s %-25s %-25s %s\n", "noise",
               "change", "regressed", "improved", "equivalent", "inconclusive",
               "interval covers", "loads: median, p95");
  for (const Noise& noise : noises) {
    for (const double change : {0.0, 0.005, 0.01, 0.02, 0.05}) {
      Experiment e = experiment;
      e.noise = noise;
      e.change = change;
      const Tally t = RunTrials(e);
      absl::PrintF("  %-15s %5.1f%%  %-25s %-25s %-25s %-25s %-25s %d, %d\n",
                   noise.name, 100 * change, Share(t.regressed, t.trials),
                   Share(t.improved, t.trials), Share(t.equivalent, t.trials),
                   Share(t.inconclusive, t.trials), Share(t.covered, t.trials),
                   At(t.loads, 50), At(t.loads, 95));
      std::fflush(stdout);
    }
  }
}

// Prints the table of false alarms in reports/docs/verdict.md.
void PrintAlarms(const std::vector<Noise>& noises,
                 const Experiment& experiment) {
  absl::PrintF("\n| noise | regressed %% | improved %% | either %% |\n");
  absl::PrintF("|---|---|---|---|\n");
  for (const Noise& noise : noises) {
    Experiment e = experiment;
    e.noise = noise;
    e.change = 0;
    const Tally t = RunTrials(e);
    const auto cell = [&t](int64_t count) {
      const Proportion limits = ClopperPearson(count, t.trials, 0.95);
      return absl::StrFormat(
          "%.2f [%.2f, %.2f]",
          100 * static_cast<double>(count) / static_cast<double>(t.trials),
          100 * limits.lower, 100 * limits.upper);
    };
    absl::PrintF("| %s | %s | %s | %s |\n", noise.name, cell(t.regressed),
                 cell(t.improved), cell(t.regressed + t.improved));
    std::fflush(stdout);
  }
}

void PrintCoverage(const std::vector<Noise>& noises,
                   const Experiment& experiment) {
  constexpr int64_t kFixedLoads = 125;
  absl::PrintF(
      "\ncoverage at nominal %.1f%% for an unchanged program: of the fixed "
      "interval for %d loads, of the sequence at that time, and of the "
      "sequence "
      "after every load up to %d loads\n",
      100 * experiment.options.level, kFixedLoads, experiment.max_loads);
  for (const Noise& noise : noises) {
    Experiment e = experiment;
    e.noise = noise;
    const Coverage c = RunCoverage(e, kFixedLoads);
    absl::PrintF("  %-15s %s width %.2f%%  %s width %.2f%%  always %s\n",
                 noise.name, Share(c.fixed, c.trials), 100 * c.fixed_width,
                 Share(c.sequence, c.trials), 100 * c.sequence_width,
                 Share(c.always, c.trials));
    std::fflush(stdout);
  }
}

void PrintDetection(const std::vector<Noise>& noises,
                    const Experiment& experiment) {
  absl::PrintF(
      "\ndetectable: reported after %d loads of an unchanged program (median, "
      "p10, p90), and the rate at which a change of that median is detected at "
      "the end and at any time\n",
      experiment.max_loads);
  for (const Noise& noise : noises) {
    Experiment e = experiment;
    e.noise = noise;
    const Detection d = RunDetection(e);
    absl::PrintF("  %-15s %.2f%% (%.2f%%, %.2f%%)  seen %s  ever %s\n",
                 noise.name, 100 * d.claimed, 100 * d.claimed_p10,
                 100 * d.claimed_p90, Share(d.seen_at_end, d.trials),
                 Share(d.seen_ever, d.trials));
    std::fflush(stdout);
  }
}

void PrintConcentrations(const std::vector<Noise>& noises,
                         const Experiment& experiment) {
  absl::PrintF("\nconcentration: detected, and loads: median, p95\n");
  for (const Noise& noise : noises) {
    for (const double concentration : {0.5, 1.0, 2.0, 4.0, 6.0, 12.0, 25.0}) {
      absl::PrintF("  %-15s a %4.1f", noise.name, concentration);
      for (const double change : {0.01, 0.02, 0.05}) {
        Experiment e = experiment;
        e.noise = noise;
        e.change = change;
        e.options.concentration = concentration;
        const Tally t = RunTrials(e);
        absl::PrintF("  +%.0f%%: %s %3d, %3d", 100 * change,
                     Share(t.regressed, t.trials), At(t.loads, 50),
                     At(t.loads, 95));
      }
      absl::PrintF("\n");
      std::fflush(stdout);
    }
  }
}

void PrintNights(const std::vector<Noise>& noises, const Experiment& experiment,
                 int64_t nights, int64_t cells) {
  constexpr double kFdr = 0.05;
  absl::PrintF(
      "\nnights: %d nights of %d cells, none changed or 20 slower by 3%%, "
      "false "
      "discovery rate %.0f%%\n",
      nights, cells, 100 * kFdr);
  for (const Noise& noise : noises) {
    Experiment e = experiment;
    e.noise = noise;
    e.change = 0.03;
    const Nights none = RunNights(e, nights, cells, 0, kFdr);
    absl::PrintF("  %-15s nights with an alert %s, without control %s\n",
                 noise.name, Share(none.with_alert, none.nights),
                 Share(none.with_regressed, none.nights));
    std::fflush(stdout);
    const Nights some = RunNights(e, nights, cells, 20, kFdr);
    absl::PrintF("  %-15s of %d alerts false %s; found %s\n", "", some.alerts,
                 some.alerts > 0 ? Share(some.false_alerts, some.alerts) : "-",
                 Share(some.alerts - some.false_alerts, some.changed_cells));
    std::fflush(stdout);
  }
}

void PrintTails(const std::vector<Noise>& noises,
                const Experiment& experiment) {
  absl::PrintF(
      "\ntails: a share of the inferences is slower by 30%%, %d trials\n"
      "  %-15s %6s %6s %7s  %s\n",
      experiment.trials, "noise", "share", "loads", "rounds", "reported");
  for (const Noise& noise : noises) {
    for (const double share : {0.0, 0.03, 0.1}) {
      for (const int64_t loads : {50, 100, 200}) {
        TailExperiment tail;
        tail.noise = noise;
        tail.share = share;
        tail.slower = 1.3;
        tail.loads = loads;
        tail.rounds_per_load = experiment.rounds_per_load;
        tail.e_alarm = std::exp(experiment.options.log_e_alarm);
        tail.trials = experiment.trials;
        tail.seed = experiment.seed;
        absl::PrintF("  %-15s %5.0f%% %6d %7d  %s\n", noise.name, 100 * share,
                     loads, tail.rounds_per_load,
                     Share(RunTailTrials(tail), tail.trials));
        std::fflush(stdout);
      }
    }
  }
}

int Run(int argc, char** argv) {
  CLI::App app("Evaluates verdicts from paired loads by simulation.");
  Experiment experiment;
  std::vector<std::string> names;
  std::vector<std::string> parts;
  int64_t nights = 20;
  int64_t cells = 400;
  std::vector<std::string> all_names;
  for (const Noise& noise : AllNoises()) all_names.push_back(noise.name);
  app.add_option("--noise", names, "noises to simulate (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(all_names));
  app.add_option("--print", parts,
                 "sections (default: all but alarms, concentration, "
                 "nights and tails)")
      ->delimiter(',')
      ->check(CLI::IsMember({"scatter", "verdicts", "coverage", "detection",
                             "concentration", "nights", "alarms", "tails"}));
  app.add_option("--trials", experiment.trials)->check(CLI::PositiveNumber);
  app.add_option("--loads", experiment.max_loads, "budget of a trial in loads")
      ->check(CLI::Range(125, 1'000'000));
  app.add_option("--rounds", experiment.rounds_per_load, "rounds per load")
      ->check(CLI::Range(2, 256));
  app.add_option("--seed", experiment.seed);
  app.add_option("--margin", experiment.options.margin)
      ->check(CLI::PositiveNumber);
  app.add_option("--level", experiment.options.level)
      ->check(CLI::Range(0.5, 0.9999));
  double alarm = 400;
  app.add_option("--alarm", alarm, "e-value required for an alarm")
      ->check(CLI::PositiveNumber);
  app.add_option("--concentration", experiment.options.concentration)
      ->check(CLI::PositiveNumber);
  app.add_option("--nights", nights)->check(CLI::PositiveNumber);
  app.add_option("--cells", cells)->check(CLI::Range(20, 1'000'000));
  CLI11_PARSE(app, argc, argv);

  experiment.options.log_e_alarm = std::log(alarm);
  if (parts.empty()) parts = {"scatter", "verdicts", "coverage", "detection"};
  std::vector<Noise> noises;
  for (const std::string& name : names) noises.push_back(NoiseOf(name));
  if (names.empty()) noises = AllNoises();
  for (const std::string& part : parts) {
    if (part == "scatter") {
      PrintScatter(noises, experiment.seed);
    } else if (part == "verdicts") {
      PrintVerdicts(noises, experiment);
    } else if (part == "alarms") {
      PrintAlarms(noises, experiment);
    } else if (part == "coverage") {
      PrintCoverage(noises, experiment);
    } else if (part == "detection") {
      PrintDetection(noises, experiment);
    } else if (part == "concentration") {
      PrintConcentrations(noises, experiment);
    } else if (part == "tails") {
      PrintTails(noises, experiment);
    } else {
      PrintNights(noises, experiment, nights, cells);
    }
  }
  return 0;
}

}  // namespace
}  // namespace assay::stats

int main(int argc, char** argv) { return assay::stats::Run(argc, argv); }
