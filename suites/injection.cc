// //suites:injection: tests whether a slow-down injected into one kernel is
// detected and attributed to that kernel.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/result/results_json.h"
#include "reports/result/run_result.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compiles ResNet-18 with a worse schedule for one kernel, so that the "
    "network is about 3 %\nslower, and judges that against the default, as "
    "//ci:gate judges a commit. A try is good\nif the run ends with exit code "
    "1, names the kernel, and the changes of all kernels add up\nto that of "
    "whole inferences within a tenth. Without the worse schedule it must pass.";
constexpr char kFooter[] =
    "\nExit codes: 0 at least 95 % of the tries were good; 1 fewer; 2 usage; 5 "
    "the machine failed.";

// Maximum relative difference between the sum over kernels and the whole.
constexpr double kTolerance = 0.1;
constexpr double kGoodEnough = 0.95;

// Schedules of strided convolutions with tiles of a single vector of output
// channels, so that the data is read more often than necessary.
struct Injection {
  const char* node;
  const char* config;
};
constexpr Injection kInjections[] = {
    {"layer2.0.conv1", "tile_oc=1"},
    {"layer3.0.conv1", "tile_oc=1"},
    {"layer4.0.conv1", "tile_oc=1"},
};

struct Flags {
  int tries = 20;
  int threads = 1;
  double budget_s = 30;
  std::string out;
};

class Tries {
 public:
  Tries(std::string suite, std::string folder, const Flags& flags)
      : suite_(std::move(suite)), folder_(std::move(folder)), flags_(flags) {}

  absl::Status MakeBase() {
    ASSAY_ASSIGN_OR_RETURN(
        const int code,
        Suite("base", {"--keep_artifacts", "--dump_dir=" + Path("base/dump")}));
    if (code == 0) return absl::OkStatus();
    return absl::InternalError(
        absl::StrCat("the suite without a change exited with ", code));
  }

  absl::Status Reverted() {
    ASSAY_ASSIGN_OR_RETURN(const int code,
                           Suite("reverted", {"--against=" + Path("base")}));
    std::cout << "reverted: exit code " << code << "\n";
    if (code == 0) return absl::OkStatus();
    return absl::InternalError("what did not change does not pass");
  }

  // Returns true if the slow-down was detected, the kernel was named, and the
  // changes of all kernels add up to the whole within kTolerance.
  absl::StatusOr<bool> Try(int number) {
    const Injection& injection =
        kInjections[static_cast<size_t>(number) % std::size(kInjections)];
    const std::string name = absl::StrCat("try_", number);
    ASSAY_ASSIGN_OR_RETURN(
        const int code, Suite(name, {absl::StrCat("--schedule=", injection.node,
                                                  "=", injection.config),
                                     absl::StrCat("--seed=", number),
                                     "--against=" + Path("base"),
                                     absl::StrCat("--budget=", flags_.budget_s),
                                     "--dump_dir=" + Path(name + "/dump")}));
    ASSAY_ASSIGN_OR_RETURN(const std::string text,
                           ReadFile(Path(name + "/results.json")));
    ASSAY_ASSIGN_OR_RETURN(const reports::RunResult result,
                           reports::ParseResultsJson(text));
    return Judge(number, injection, code, result.rows.at(0));
  }

 private:
  std::string Path(const std::string& name) const {
    return JoinPath(folder_, name);
  }

  // Runs the suite and returns its exit code.
  absl::StatusOr<int> Suite(const std::string& name,
                            const std::vector<std::string>& flags) const {
    std::vector<std::string> command = {
        suite_, "--fusion=on", "--repeat=6", "--out=" + Path(name),
        absl::StrCat("--threads=", flags_.threads)};
    command.insert(command.end(), flags.begin(), flags.end());
    runtime::ProcessOptions options;
    options.timeout_s = 600 + 8 * flags_.budget_s;
    ASSAY_ASSIGN_OR_RETURN(const runtime::ProcessResult process,
                           runtime::RunProcess(command, options));
    const int code = process.exit_code;
    if (process.signal == 0 && code <= 4 && code != 2) return code;
    return absl::InternalError(absl::StrCat("the suite failed; it wrote: ",
                                            runtime::LastLines(process.err)));
  }

  static bool Judge(int number, const Injection& injection, int code,
                    const reports::Row& row) {
    std::cout << absl::StrFormat("%3d  %-15s  exit code %d", number,
                                 injection.node, code);
    if (!row.comparison.paired.has_value() ||
        !row.comparison.paired->attribution.has_value() ||
        row.comparison.paired->attribution->kernels.empty()) {
      std::cout << "  " << row.reason << std::endl;
      return false;
    }
    const reports::Attribution& found = *row.comparison.paired->attribution;
    const std::vector<std::string>& sources = found.kernels[0].sources;
    const bool named = std::find(sources.begin(), sources.end(),
                                 injection.node) != sources.end();
    const double sum = reports::SumOfChanges(found);
    const double off = sum / found.whole_ms - 1;
    const bool good = code == 1 && named && std::abs(off) <= kTolerance;
    std::cout << absl::StrFormat(
                     "  %+.1f %%, %s, kernels %+.3f of %+.3f ms (%+.0f %%), %d "
                     "rounds%s",
                     100 * row.comparison.paired->change,
                     named ? "named" : "not named", sum, found.whole_ms,
                     100 * off, found.rounds, good ? "" : "  <- not good")
              << std::endl;
    return good;
  }

  const std::string suite_;
  const std::string folder_;
  const Flags& flags_;
};

absl::StatusOr<ExitCode> Run(const Flags& flags, const std::string& program) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string suite,
      runtime::FindRunfile(program, "assay/suites/resnet18"));
  ASSAY_ASSIGN_OR_RETURN(const TempDir scratch, TempDir::Create());
  Tries tries(suite, flags.out.empty() ? scratch.path() : flags.out, flags);
  ASSAY_RETURN_IF_ERROR(tries.MakeBase());
  int good = 0;
  for (int i = 0; i < flags.tries; ++i) {
    ASSAY_ASSIGN_OR_RETURN(const bool is_good, tries.Try(i));
    good += is_good;
  }
  ASSAY_RETURN_IF_ERROR(tries.Reverted());
  std::cout << good << " of " << flags.tries << " tries were good\n";
  return good >= kGoodEnough * flags.tries ? ExitCode::kPass
                                           : ExitCode::kRegression;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::Flags flags;
  CLI::App app(assay::suites::kDescription,
               "./bazelw run //suites:injection --");
  app.footer(assay::suites::kFooter);
  app.add_option("--tries", flags.tries, "default 20")
      ->check(CLI::Range(1, 1000));
  app.add_option("--threads", flags.threads, "0 for all; default 1")
      ->check(CLI::Range(0, 1024));
  app.add_option("--budget", flags.budget_s,
                 "seconds for a verdict; its kernels take up to three times "
                 "as long; default 30")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--out", flags.out, "keep the reports of all runs there")
      ->type_name("FOLDER");
  return assay::RunCommand(app, argc, argv, [&] {
    flags.out = assay::FromCallersFolder(flags.out);
    return assay::suites::Run(flags, argv[0]);
  });
}
