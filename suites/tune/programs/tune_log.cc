// //suites:tune_log: shows, merges and checks logs of the tuner.
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/device_facts.h"
#include "suites/kernels/roofline.h"
#include "suites/tune/log/log_file.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/log_tool/best_report.h"
#include "suites/tune/log_tool/check_logs.h"
#include "suites/tune/log_tool/log_statistics.h"
#include "suites/tune/page/tuning_page.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Shows, merges and checks logs of the tuner (`//suites:tune`). A log has a "
    "record per line:\na trial of a point of a kernel's search space, the "
    "comparison of a point with the default\npoint, or the comparison of a "
    "tuned network with the untuned one. Only a point whose\ncomparison says "
    "`improved` is used by the compiler, unless a network drops it.\n";
constexpr char kFooter[] =
    "\nExamples:\n"
    "  ./bazelw run //suites:tune_log -- best tuning.jsonl\n"
    "  ./bazelw run //suites:tune_log -- best a.jsonl b.jsonl --device=epyc "
    "--threads=2 --out=best.jsonl\n"
    "  ./bazelw run //suites:tune_log -- stat tuning.jsonl\n"
    "  ./bazelw run //suites:tune_log -- merge a.jsonl b.jsonl "
    "--out=all.jsonl\n"
    "  ./bazelw run //suites:tune_log -- page all.jsonl --out=tuning.html\n"
    "  ./bazelw run //suites:tune_log -- check all.jsonl\n"
    "  ./bazelw run //suites:tune_log -- best --help\n\n"
    "Exit codes: 0 success; 2 usage, a log that does not exist, or, from "
    "`check`, a log with\nproblems; 5 a file cannot be read or written.";
constexpr char kBest[] =
    "The best points of each task, by device and number of threads";
constexpr char kBestFooter[] =
    "\nThe row of a task shows the point that is accepted. If none is, it "
    "shows the point that\ncame closest in a comparison, or else the fastest "
    "of the search, whose time is too good to\nbe true: it is the smallest of "
    "many noisy ones. `point/default` is a ratio of times, with\nits "
    "interval. Records that were measured with other templates than those of "
    "this\ncompiler are not used.\n\nWith --out, the records that matter for "
    "compiling are written to a log of their own: those\nof accepted points, "
    "of default points and of networks. It is small enough to be kept with "
    "the\nsources.";
constexpr char kStat[] =
    "The trials of each task and tuner: results, and how soon it was good";
constexpr char kStatFooter[] =
    "\nThere is a row for each run: a task, a tuner and a seed. `to 95 %` is "
    "the number of the\ntrial that was the first to reach 95 % of the "
    "arithmetic throughput of the run's best trial.";
constexpr char kMerge[] = "Makes one log of several";
constexpr char kMergeFooter[] =
    "\nLines that occur twice are left out, and so are lines that are not "
    "JSON: the traces of\ntuners that were killed. FILE is replaced when it is "
    "complete; it can be one of the logs,\nif no tuner is writing to it.";
constexpr char kCheck[] = "Finds damaged lines, and records that do not fit";
constexpr char kCheckFooter[] =
    "\nA problem is printed with its file and line: a line that is no record, "
    "a record of another\nversion, or one whose parts do not fit each other "
    "or this compiler. Records of older\ntemplates are counted; they are only "
    "of no use.";

constexpr char kPage[] = "Writes an HTML page with the curve of each task";
constexpr char kPageFooter[] =
    "\nThe page is one file that needs no server and no network. On the "
    "machine "
    "of the log, rates\nare also shown as parts of its peak, if "
    "`//suites:peak` has measured it.";

struct Flags {
  std::vector<std::string> logs;
  BestFilter filter;
  std::string format = "table";
  std::string out;
};

absl::StatusOr<std::vector<Log>> ReadLogs(const Flags& flags) {
  std::vector<Log> logs;
  for (const std::string& path : flags.logs) {
    ASSAY_ASSIGN_OR_RETURN(Log log, ReadLog(FromCallersFolder(path)));
    log.path = path;
    logs.push_back(std::move(log));
  }
  return logs;
}

// Returns the records of all logs as one log, and prints a warning for damaged
// lines.
absl::StatusOr<Log> ReadOneLog(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<Log> logs, ReadLogs(flags));
  Log all;
  for (Log& log : logs) {
    if (!log.damaged.empty()) {
      std::cerr << "warning: " << log.damaged.size() << " of the lines of `"
                << log.path << "` are no records; `check` shows them\n";
    }
    absl::c_move(log.records, std::back_inserter(all.records));
    absl::c_move(log.networks, std::back_inserter(all.networks));
  }
  return all;
}

// Writes the records that change what the compiler does.
absl::Status WriteRecords(const Log& log, const BestReport& report,
                          const std::string& path) {
  std::vector<std::string> lines;
  for (const TuningRecord& record : RecordsForCompiler(log.records, report)) {
    lines.push_back(record.ToJson());
  }
  for (const BestOfPlace& place : report.places) {
    for (const NetworkRecord& network : place.networks) {
      lines.push_back(network.ToJson());
    }
  }
  const std::string text = absl::StrJoin(lines, "\n");
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(
      FromCallersFolder(path), lines.empty() ? "" : absl::StrCat(text, "\n")));
  std::cerr << lines.size() << " records written to `" << path << "`\n";
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Best(const Flags& flags) {
  if (flags.format != "table" && flags.format != "json") {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--format` is `", flags.format, "`; it must be `table` or `json`"));
  }
  ASSAY_ASSIGN_OR_RETURN(const Log log, ReadOneLog(flags));
  const BestReport report = MakeBestReport(log, flags.filter);
  std::cout << (flags.format == "json" ? BestJson(report) : BestTable(report));
  if (!flags.out.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteRecords(log, report, flags.out));
  }
  return ExitCode::kPass;
}

absl::StatusOr<ExitCode> Stat(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const Log log, ReadOneLog(flags));
  std::cout << StatisticsTable(MakeLogStatistics(log.records));
  return ExitCode::kPass;
}

absl::StatusOr<ExitCode> Merge(const Flags& flags) {
  std::vector<std::string> paths;
  for (const std::string& path : flags.logs) {
    paths.push_back(FromCallersFolder(path));
  }
  ASSAY_ASSIGN_OR_RETURN(const MergedLog merged, MergeLogs(paths));
  for (const std::string& line : merged.damaged) {
    std::cerr << "warning: " << line << " is not JSON and is left out\n";
  }
  ASSAY_RETURN_IF_ERROR(
      WriteFileAtomic(FromCallersFolder(flags.out), merged.text));
  std::cout << merged.lines << " lines written to `" << flags.out << "`; "
            << merged.duplicates << " duplicates were left out\n";
  return ExitCode::kPass;
}

absl::StatusOr<ExitCode> Check(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Log> logs, ReadLogs(flags));
  const LogCheck check = CheckLogs(logs);
  std::cout << CheckText(check);
  return check.problems.empty() ? ExitCode::kPass : ExitCode::kUsage;
}

absl::StatusOr<ExitCode> Page(const Flags& flags) {
  TuningPageInputs inputs;
  ASSAY_ASSIGN_OR_RETURN(Log log, ReadOneLog(flags));
  inputs.records = std::move(log.records);
  inputs.networks = std::move(log.networks);
  inputs.peaks[runtime::DescribeHost().fingerprint] = StoredPeak().Rates();
  ASSAY_RETURN_IF_ERROR(
      WriteFileAtomic(FromCallersFolder(flags.out), RenderTuningPage(inputs)));
  return ExitCode::kPass;
}

CLI::App* AddCommand(CLI::App& app, const char* name, const char* description,
                     const char* footer, Flags* flags) {
  CLI::App* command = app.add_subcommand(name, description);
  command->footer(footer);
  command->add_option("LOG", flags->logs, "the logs")->required();
  return command;
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //suites:tune_log --");
  app.footer(kFooter);
  app.require_subcommand(1);
  Flags flags;
  CLI::App* best = AddCommand(app, "best", kBest, kBestFooter, &flags);
  best->add_option("--device", flags.filter.device,
                   "only devices whose fingerprint contains this text")
      ->type_name("TEXT");
  best->add_option("--threads", flags.filter.threads,
                   "only records with this number of threads")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  best->add_option("--format", flags.format, "default table")
      ->type_name("table|json");
  best->add_option("--out", flags.out,
                   "also write a log of the records that matter for compiling")
      ->type_name("FILE");
  const CLI::App* stat = AddCommand(app, "stat", kStat, kStatFooter, &flags);
  CLI::App* merge = AddCommand(app, "merge", kMerge, kMergeFooter, &flags);
  merge->add_option("--out", flags.out, "the merged log")
      ->type_name("FILE")
      ->required();
  CLI::App* page = AddCommand(app, "page", kPage, kPageFooter, &flags);
  page->add_option("--out", flags.out, "the page")
      ->type_name("FILE")
      ->required();
  AddCommand(app, "check", kCheck, kCheckFooter, &flags);
  return RunCommand(app, argc, argv, [&]() -> absl::StatusOr<ExitCode> {
    if (best->parsed()) return Best(flags);
    if (stat->parsed()) return Stat(flags);
    if (merge->parsed()) return Merge(flags);
    if (page->parsed()) return Page(flags);
    return Check(flags);
  });
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) { return assay::suites::Run(argc, argv); }
