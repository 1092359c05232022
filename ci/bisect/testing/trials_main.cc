// //ci/bisect/testing:trials: tries bisections whose culprits are known, with
// real artifacts and real measurements.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ci/bisect/commit_builder.h"
#include "ci/bisect/search/cell_bisection.h"
#include "ci/bisect/suite_comparer.h"
#include "ci/bisect/testing/stored_history.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"
#include "suites/machine/source_commit.h"
#include "suites/trials/record_file.h"

namespace assay::ci {
namespace {

constexpr char kDescription[] =
    "Tries bisections of drawn histories (stored_history.h) and prints how "
    "many "
    "name the\nculprit, and how many builds and seconds of measuring they "
    "need.\n";
constexpr char kFooter[] =
    "\nThe artifacts are compiled by a suite of //ci/bisect/testing:"
    "make_history, for example:\n"
    "  ./bazelw run //ci/bisect/testing:make_history\n"
    "  git worktree add /tmp/trial bisect_trial\n"
    "  (cd /tmp/trial && ./bazelw build //suites:full "
    "//runtime/tools:bench_artifact)\n"
    "  ./bazelw run //ci/bisect/testing:trials -- --tree=/tmp/trial \\\n"
    "      --cell=resnet18/host/fusion_on/threads_1 "
    "--work=k010_conv2d_add_relu=0.17 \\\n"
    "      --other_work=k001_max_pool2d=0.05 --out=/tmp/trials --threads=1 "
    "--fusion=on\n\n"
    "Flags that are not listed go to the suite.\n"
    "Results are appended to OUT/trials.csv; a run that was stopped continues."
    "\n\nExit codes: 0 the goals were reached; 1 they were not; 2 usage; 5 the "
    "machine failed.";

struct Flags {
  std::string tree;
  std::string suite = "full";
  std::string cell;
  std::vector<std::string> work;
  std::string other;
  std::vector<std::string> suite_flags;
  std::string out;
  int tries = 100;
  bool ledger = false;
  double budget_s = 10;
  double max_budget_s = 120;
  double min_change = 0.01;
  HistoryShape shape;
};

// The result of one bisection.
struct Try {
  int seed = 0;
  int culprits = 1;
  bool ledger = false;
  // Every culprit was named, alone or, where commits around it are broken, in a
  // range; and nothing else was named.
  bool right = false;
  // A commit was named that is no culprit.
  bool wrong_name = false;
  int candidates = 0;
  int builds = 0;
  int measurements = 0;
  // Time of the measurements, with the starts of the harness, and the part of
  // it in which two programs were loaded and ran side by side.
  double measuring_s = 0;
  double side_by_side_s = 0;
  double change = 0;  // of the first culprit

  static constexpr char kKind[] = "a bisection";
  static constexpr char kColumns[] =
      "seed,culprits,ledger,right,wrong_name,candidates,builds,measurements,"
      "measuring_s,side_by_side_s,change";
  template <typename Self>
  static auto Fields(Self& t) {
    return std::tie(t.seed, t.culprits, t.ledger, t.right, t.wrong_name,
                    t.candidates, t.builds, t.measurements, t.measuring_s,
                    t.side_by_side_s, t.change);
  }
};

bool SameParameters(const Try& a, const Try& b) {
  return a.seed == b.seed && a.culprits == b.culprits && a.ledger == b.ledger;
}

// Compiles the pool, or reads what an earlier run compiled.
absl::StatusOr<std::map<StoredVariant, Build>> MakePool(const Flags& flags) {
  std::map<StoredVariant, Build> pool;
  const auto bin = [&](const std::string& program) {
    return JoinPath(flags.tree, "bazel-bin/" + program);
  };
  for (int culprits = 0; culprits <= flags.shape.culprits; ++culprits) {
    for (int placement = 0; placement < flags.shape.placements; ++placement) {
      const std::string folder =
          JoinPath(flags.out, absl::StrCat("pool/", culprits, "_", placement));
      if (!FileExists(JoinPath(folder, "results.json"))) {
        ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
        std::string work;
        for (int i = 0; i < culprits; ++i) {
          absl::StrAppend(&work, work.empty() ? "" : ",",
                          flags.work[static_cast<size_t>(i)]);
        }
        if (placement > 1) {
          absl::StrAppend(&work, work.empty() ? "" : ",", flags.other);
        }
        std::vector<std::string> command = {
            "/usr/bin/env",
            "ASSAY_EXTRA_WORK=" + work,
            "BUILD_WORKSPACE_DIRECTORY=" + flags.tree,
            bin("suites/" + flags.suite),
            "--out=" + folder,
            "--keep_artifacts",
            "--dump_dir=" + JoinPath(folder, "dump")};
        if (placement == 1) command.push_back("--layout_seed=1");
        command.push_back("--cells=" + PatternOf(flags.cell));
        command.insert(command.end(), flags.suite_flags.begin(),
                       flags.suite_flags.end());
        runtime::ProcessOptions process;
        process.timeout_s = 600;
        std::cerr << "compiling variant " << culprits << "_" << placement
                  << "\n";
        ASSAY_ASSIGN_OR_RETURN(const runtime::ProcessResult result,
                               runtime::RunProcess(command, process));
        ASSAY_ASSIGN_OR_RETURN(const std::string bench,
                               ReadFile(bin("runtime/tools/bench_artifact")));
        ASSAY_RETURN_IF_ERROR(
            WriteFileAtomic(JoinPath(folder, "bench_artifact"), bench));
        if (!FileExists(JoinPath(folder, "results.json"))) {
          return absl::InternalError(absl::StrCat(
              "the suite failed: ", runtime::LastLines(result.err)));
        }
      }
      const StoredVariant variant = {culprits, placement};
      ASSAY_ASSIGN_OR_RETURN(pool[variant], ReadBuild("pool", folder));
    }
  }
  return pool;
}

absl::StatusOr<Try> RunTry(const Flags& flags, int seed,
                           const std::map<StoredVariant, Build>& pool) {
  Try result;
  result.seed = seed;
  result.culprits = flags.shape.culprits;
  result.ledger = flags.ledger;
  StoredHistory history(flags.shape, pool, static_cast<uint64_t>(seed));
  const std::vector<Candidate> candidates =
      flags.ledger ? history.CandidatesOfLedger() : history.candidates();
  // Nothing is measured only once for two bisections.
  ASSAY_ASSIGN_OR_RETURN(const TempDir scratch, TempDir::Create("trial"));
  SuiteComparerOptions compare;
  compare.folder = scratch.path();
  compare.program = JoinPath(suites::WorkspaceFolder(),
                             absl::StrCat("bazel-bin/suites/", flags.suite));
  compare.flags = flags.suite_flags;
  compare.budget_s = flags.budget_s;
  compare.max_budget_s = std::max(flags.max_budget_s, flags.budget_s);
  // It would take more time than the bisection.
  compare.canary = false;
  SuiteComparer comparer(compare);
  CellOptions options;
  options.cell = flags.cell;
  options.metric = Metric::kTime;
  options.min_change = flags.min_change;
  options.kernel_weights = history.WeightsOf(candidates);
  ASSAY_ASSIGN_OR_RETURN(
      const CellResult cell,
      BisectCell(history.commits(), candidates, options, history, comparer));
  result.candidates = cell.candidates;
  result.builds = history.builds();
  result.measurements = cell.measurements;
  result.measuring_s = cell.measuring_s;
  result.side_by_side_s = cell.side_by_side_s;
  int named = 0;
  for (const int culprit : history.culprits()) {
    named += absl::c_any_of(cell.findings, [&](const Finding& finding) {
      return absl::c_linear_search(finding.suspects, culprit);
    });
  }
  for (const Finding& finding : cell.findings) {
    const bool has_culprit =
        absl::c_any_of(history.culprits(), [&](int culprit) {
          return absl::c_linear_search(finding.suspects, culprit);
        });
    result.wrong_name |= !has_culprit;
    // A range is right only if the commits in between are broken.
    for (size_t i = 0; i + 1 < finding.suspects.size(); ++i) {
      if (!history.IsBroken(finding.suspects[i])) result.wrong_name = true;
    }
    if (finding.comparison.has_value() &&
        finding.comparison->paired.has_value() && result.change == 0) {
      result.change = finding.comparison->paired->change;
    }
  }
  result.right = named == flags.shape.culprits && !result.wrong_name;
  if (!result.right) {
    for (const int culprit : history.culprits()) {
      std::cout << "     culprit " << culprit << "\n";
    }
    if (!cell.reason.empty()) std::cout << "     " << cell.reason << "\n";
    for (const Finding& finding : cell.findings) {
      std::cout << "     named " << finding.suspects.front() << " to "
                << finding.suspects.back() << ", "
                << (finding.confirmed ? "" : "not ") << "confirmed, "
                << finding.change << "\n";
    }
  }
  return result;
}

template <typename Value>
Value Quantile(std::vector<Value> values, double fraction) {
  absl::c_sort(values);
  const auto index = static_cast<size_t>(
      fraction * static_cast<double>(values.size() - 1) + 0.5);
  return values[index];
}

absl::StatusOr<ExitCode> Run(Flags flags) {
  flags.shape.culprits = static_cast<int>(flags.work.size());
  if (flags.tree.empty() || flags.cell.empty() || flags.out.empty() ||
      flags.work.empty()) {
    return absl::InvalidArgumentError(
        "`--tree`, `--cell`, `--work` and `--out` are needed; see `--help`");
  }
  flags.out = FromCallersFolder(flags.out);
  ASSAY_RETURN_IF_ERROR(MakeDirs(flags.out));
  ASSAY_ASSIGN_OR_RETURN(const auto pool, MakePool(flags));
  ASSAY_ASSIGN_OR_RETURN(auto file, suites::RecordFile<Try>::Open(
                                        JoinPath(flags.out, "trials.csv")));
  std::vector<Try> tries;
  for (int seed = 1; seed <= flags.tries; ++seed) {
    Try key;
    key.seed = seed;
    key.culprits = flags.shape.culprits;
    key.ledger = flags.ledger;
    const auto known = absl::c_find_if(
        file.records(), [&](const Try& t) { return SameParameters(t, key); });
    if (known != file.records().end()) {
      tries.push_back(*known);
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(Try result, RunTry(flags, seed, pool));
    ASSAY_RETURN_IF_ERROR(file.Append(result));
    std::cout << absl::StrFormat(
                     "%3d  %s  %d candidates, %d builds, %d measurements, "
                     "%.1f s side by side of %.1f s, %+.2f %%",
                     seed, result.right ? "right" : "WRONG", result.candidates,
                     result.builds, result.measurements, result.side_by_side_s,
                     result.measuring_s, 100 * result.change)
              << std::endl;
    tries.push_back(result);
  }
  std::vector<int> builds;
  std::vector<double> seconds, processes;
  for (const Try& one : tries) {
    builds.push_back(one.builds);
    seconds.push_back(one.side_by_side_s);
    processes.push_back(one.measuring_s);
  }
  const auto right =
      absl::c_count_if(tries, [](const Try& t) { return t.right; });
  const auto wrong =
      absl::c_count_if(tries, [](const Try& t) { return t.wrong_name; });
  std::cout << absl::StrFormat(
      "%d of %d right, %d wrong names; builds with both ends: median %d, 95 %% "
      "%d; side by side: median %.1f s, 95 %% %.1f s, most %.1f s; with the "
      "starts of the harness: median %.1f s, 95 %% %.1f s\n",
      right, tries.size(), wrong, Quantile(builds, 0.5), Quantile(builds, 0.95),
      Quantile(seconds, 0.5), Quantile(seconds, 0.95), Quantile(seconds, 1),
      Quantile(processes, 0.5), Quantile(processes, 0.95));
  return right * 100 >= static_cast<int64_t>(tries.size()) * 95 && wrong == 0
             ? ExitCode::kPass
             : ExitCode::kRegression;
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //ci/bisect/testing:trials --");
  app.footer(kFooter);
  Flags flags;
  app.add_option("--tree", flags.tree,
                 "worktree with a suite that can be told to do extra work")
      ->type_name("FOLDER");
  app.add_option("--suite", flags.suite, "a target of suites/; default full")
      ->type_name("NAME");
  app.add_option("--cell", flags.cell, "the cell that becomes slower")
      ->type_name("CELL");
  app.add_option("--work", flags.work,
                 "what each culprit adds; several times for several culprits")
      ->type_name("KERNEL=PART");
  app.add_option("--other_work", flags.other,
                 "what the third variant of the code adds, to a kernel that "
                 "takes little time")
      ->type_name("KERNEL=PART")
      ->required();
  app.add_option("--out", flags.out, "folder of the pool and the results")
      ->type_name("FOLDER");
  app.add_option("--tries", flags.tries, "default 100")
      ->check(CLI::Range(1, 100000));
  app.add_flag("--ledger", flags.ledger,
               "the code of all commits is known from a store");
  app.add_option("--budget", flags.budget_s,
                 "usual seconds of a measurement; default 10")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--max_budget", flags.max_budget_s,
                 "the most seconds of a measurement that is undecided; default "
                 "120")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--min_change", flags.min_change, "default 0.01")
      ->check(CLI::Range(0.0001, 1.0));
  app.allow_extras();
  return RunCommand(app, argc, argv, [&] {
    flags.suite_flags = app.remaining();
    return Run(flags);
  });
}

}  // namespace
}  // namespace assay::ci

int main(int argc, char** argv) { return assay::ci::Main(argc, argv); }
