// //suites:injection: tests whether a slow-down of a network is detected and
// attributed to the right kernel, and whether other builds pass.
#include "suites/injected/injection.h"

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "runtime/measure/device_facts.h"
#include "runtime/process/runfiles.h"
#include "suites/comparison/run_to_verdict.h"
#include "suites/harness/progress.h"
#include "suites/injected/injection_bench.h"
#include "suites/injected/record.h"
#include "suites/injected/slowdown.h"
#include "suites/machine/source_commit.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compares networks with changed builds of themselves, as //ci:gate judges "
    "a commit. A try has a\nslow-down, such as a worse schedule for one "
    "kernel. It is good if the comparison exits with 1,\nnames the kernel and "
    "the stage of the compiler, and the changes of all kernels add up to that "
    "of\nwhole inferences within a tenth. A control has the same kernels at "
    "other addresses. It is good if\nboth builds were measured and the "
    "comparison exits with 0.";
constexpr char kFooter[] =
    "\nEvery try and control is appended to FOLDER/tries.csv as it ends; "
    "report.txt has the tables.\nA run that was stopped continues with the "
    "same flags: what is in tries.csv is not repeated.\nWith the defaults it "
    "takes about half an hour.\n\nExit codes: 0 at least 95 % of the tries "
    "and of the controls in FOLDER were good; 1 fewer;\n2 usage; 5 the "
    "machine failed.";

struct Flags {
  InjectionOptions options;
  std::string out;
  std::string keep;
};

// Returns the folder of checked-in results of this machine, or an empty string
// if the workspace is unknown.
std::string DefaultFolder(const runtime::DeviceFacts& machine) {
  const std::string workspace = WorkspaceFolder();
  if (workspace.empty()) return "";
  return absl::StrCat(workspace, "/reports/injection/", machine.fingerprint);
}

// Runs the injections of the plan that are not in the record.
absl::Status RunAll(const std::vector<Injection>& plan,
                    const runtime::DeviceFacts& machine, InjectionBench* bench,
                    InjectionRecord* record) {
  Progress progress = Progress::OnStandardError();
  progress.Start(static_cast<int>(plan.size()));
  // The source may change while the injections run.
  const std::string commit = SourceCommit(WorkspaceFolder());
  for (Injection injection : plan) {
    progress.NextRow(absl::StrCat(injection.kind, ", ", injection.suite,
                                  ", threads ", injection.threads));
    injection.date = UtcNow();
    injection.commit = commit;
    injection.method = MethodDigest({});
    ASSAY_RETURN_IF_ERROR(bench->Run(&injection));
    ASSAY_RETURN_IF_ERROR(record->file.Append(injection));
    ASSAY_RETURN_IF_ERROR(record->WriteReport(machine).status());
    progress.Clear();
    std::cout << Describe(injection) << std::endl;
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(const Flags& flags, const std::string& program) {
  const runtime::DeviceFacts machine = runtime::DescribeHost();
  const std::string folder =
      flags.out.empty() ? DefaultFolder(machine) : FromCallersFolder(flags.out);
  ASSAY_ASSIGN_OR_RETURN(InjectionRecord record,
                         InjectionRecord::Open(folder, MethodDigest({})));
  std::vector<Injection> plan;
  for (Injection& injection : PlanInjections(flags.options)) {
    if (!record.file.Has(injection)) plan.push_back(std::move(injection));
  }
  if (plan.empty()) {
    std::cout << "nothing to measure: all is in `" << folder
              << "`; --out=FOLDER measures again\n\n";
  }
  ASSAY_ASSIGN_OR_RETURN(const TempDir scratch, TempDir::Create("injection"));
  InjectionBenchOptions options;
  options.find = [&program](const std::string& suite) {
    return runtime::FindRunfile(program, absl::StrCat("assay/suites/", suite));
  };
  options.folder =
      flags.keep.empty() ? scratch.path() : FromCallersFolder(flags.keep);
  options.budget_s = flags.options.budget_s;
  ASSAY_RETURN_IF_ERROR(MakeDirs(options.folder));
  InjectionBench bench(std::move(options));
  ASSAY_RETURN_IF_ERROR(RunAll(plan, machine, &bench, &record));
  ASSAY_ASSIGN_OR_RETURN(const std::string report, record.WriteReport(machine));
  std::cout << "\n" << report;
  return AreGoodEnough(record.file.records()) ? ExitCode::kPass
                                              : ExitCode::kRegression;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::Flags flags;
  CLI::App app(assay::suites::kDescription,
               "./bazelw run //suites:injection --");
  app.footer(assay::suites::kFooter);
  app.add_option("--tries", flags.options.tries, "default 20")
      ->check(CLI::Range(0, 1000));
  app.add_option("--controls", flags.options.controls, "default 20")
      ->check(CLI::Range(0, 1000));
  app.add_option("--kind", flags.options.kinds,
                 "only the tries of these kinds, and their controls; default "
                 "all")
      ->delimiter(',')
      ->check(CLI::IsMember(assay::suites::SlowdownKinds()));
  app.add_option("--threads", flags.options.threads, "default 1,2")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--budget", flags.options.budget_s,
                 "seconds for a verdict; its kernels take up to three times "
                 "as long; default 30")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--out", flags.out,
                 "default reports/injection/MACHINE of the workspace")
      ->type_name("FOLDER");
  app.add_option("--keep", flags.keep,
                 "keep the results and dumps of all runs there")
      ->type_name("FOLDER");
  return assay::RunCommand(app, argc, argv,
                           [&] { return assay::suites::Run(flags, argv[0]); });
}
