#include "suites/model_zoo/measure.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "reports/result/run_folder.h"
#include "reports/result/run_result.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"
#include "suites/references/parity.h"

namespace assay::suites {
namespace {

using runtime::ProcessResult;

// Returns the reason that a program gave for its end: the message of
// ReportExitCode(), or else the last lines of its standard error.
std::string LastError(const std::string& err) {
  std::string error;
  for (absl::string_view line : absl::StrSplit(err, '\n')) {
    if (absl::ConsumePrefix(&line, "error: ")) error = std::string(line);
  }
  return error.empty() ? runtime::LastLines(err) : error;
}

bool Crashed(const ProcessResult& ended) {
  return ended.signal != 0 || !runtime::FailedCheck(ended).empty();
}

// Sets the result of a program that did not do its work. `what` is a step, such
// as `compiling`.
void Fail(const std::string& what, const absl::StatusOr<ProcessResult>& ended,
          ZooOutcome* outcome) {
  if (!ended.ok()) {
    outcome->result = absl::IsDeadlineExceeded(ended.status())
                          ? ZooResult::kLate
                          : ZooResult::kFailed;
    outcome->sentence = absl::StrCat(what, ": ", ended.status().message());
  } else if (ended->signal != 0) {
    outcome->result = ZooResult::kCrashed;
    outcome->sentence =
        absl::StrCat(what, " died of signal ", ended->signal,
                     "; it wrote: ", runtime::LastLines(ended->err));
  } else if (Crashed(*ended)) {
    outcome->result = ZooResult::kCrashed;
    outcome->sentence =
        absl::StrCat(what, " failed a check: ", runtime::FailedCheck(*ended));
  } else {
    outcome->result = ZooResult::kFailed;
    outcome->sentence = absl::StrCat(what, " exited with ", ended->exit_code,
                                     ": ", LastError(ended->err));
  }
}

// Returns the flags that both programs have.
std::vector<std::string> CommonFlags(const ZooModel& model,
                                     const std::string& file,
                                     const MeasureOptions& options) {
  std::vector<std::string> flags = {absl::StrCat("--model=", file)};
  for (const std::string& dim : model.dims) {
    flags.push_back(absl::StrCat("--dim=", dim));
  }
  flags.push_back(absl::StrCat("--threads=", options.threads));
  if (!options.max_memory.empty()) {
    flags.push_back(absl::StrCat("--max_memory=", options.max_memory));
  }
  return flags;
}

absl::StatusOr<ProcessResult> RunProgram(const std::string& program,
                                         std::vector<std::string> arguments,
                                         const MeasureOptions& options) {
  arguments.insert(arguments.begin(), program);
  runtime::ProcessOptions process;
  process.timeout_s = options.timeout_s;
  return runtime::RunProcess(arguments, process);
}

// Returns true if compile_model declined the model. It exits with the same code
// for a wrong flag or a missing file, but prints this word for a model alone.
bool IsRefusal(const ProcessResult& ended) {
  return ended.exit_code == static_cast<int>(ExitCode::kUsage) &&
         absl::StripAsciiWhitespace(ended.out) == "refused";
}

// Returns true if the model was compiled.
bool Compile(const std::vector<std::string>& flags,
             const MeasureOptions& options, ZooOutcome* outcome) {
  const absl::StatusOr<ProcessResult> ended =
      RunProgram(options.compile_program, flags, options);
  if (ended.ok() && IsRefusal(*ended)) {
    outcome->result = ZooResult::kRefused;
    outcome->sentence = LastError(ended->err);
    return false;
  }
  if (!ended.ok() || !ended->ok()) {
    Fail("compiling", ended, outcome);
    return false;
  }
  const absl::string_view printed = absl::StripAsciiWhitespace(ended->out);
  double ms = 0;
  if (!absl::SimpleAtod(printed, &ms)) {
    outcome->sentence =
        absl::StrCat("compiling printed no time: `", printed, "`");
    return false;
  }
  outcome->compile_ms = ms;
  outcome->peak_bytes = ended->peak_bytes;
  return true;
}

// Says why times or answers were not compared with those of the reference
// runtime, or that they were although the precision differs. May be empty.
std::string ReferenceRemark(const reports::Row& row) {
  std::vector<std::string> remarks;
  const auto add = [&](absl::string_view what, const std::string& why) {
    if (!why.empty()) remarks.push_back(absl::StrCat(what, ": ", why));
  };
  add("answers not compared", row.correctness.no_second_opinion);
  add("times not compared", row.comparison.no_reference);
  std::set<std::string> precisions;
  for (const auto& [contender, conditions] : row.comparison.parity) {
    const auto precision = conditions.find(kReducedPrecision);
    if (precision != conditions.end()) precisions.insert(precision->second);
  }
  if (precisions.size() > 1) {
    add("reduced precision differs", absl::StrJoin(precisions, " and "));
  }
  return absl::StrJoin(remarks, "; ");
}

void Check(std::vector<std::string> flags, const MeasureOptions& options,
           const std::string& folder, ZooOutcome* outcome) {
  flags.push_back("--fusion=on");
  flags.push_back(absl::StrCat("--out=", folder));
  if (!options.reference.empty()) {
    flags.push_back(absl::StrCat("--reference=", options.reference));
  }
  const absl::StatusOr<ProcessResult> ended =
      RunProgram(options.check_program, std::move(flags), options);
  const absl::StatusOr<reports::Row> row = reports::ReadOnlyRow(folder);
  // The exit code also judges the times, which is of no interest here.
  if (!ended.ok() || Crashed(*ended) || (!row.ok() && !ended->ok())) {
    Fail("measuring", ended, outcome);
    return;
  }
  if (!row.ok()) {
    outcome->sentence =
        absl::StrCat("measuring left no result: ", row.status().message());
    return;
  }
  outcome->sentence = row->reason;
  if (row->verdict == stats::Verdict::kWrongOutput) {
    outcome->result = ZooResult::kWrong;
    return;
  }
  if (row->verdict == stats::Verdict::kInfrastructure) {
    outcome->result = ZooResult::kFailed;
    return;
  }
  outcome->result = ZooResult::kCorrect;
  outcome->ratio = row->comparison.speedup_vs_reference;
  const std::optional<stats::Summary> latency = reports::LatencySummary(*row);
  if (latency.has_value()) outcome->median_ms = latency->median;
  outcome->sentence = ReferenceRemark(*row);
}

}  // namespace

ZooOutcome MeasureModel(const ZooModel& model, const std::string& file,
                        const MeasureOptions& options) {
  ZooOutcome outcome = MissingModel(model, options, "");
  outcome.result = ZooResult::kFailed;
  std::vector<std::string> flags = CommonFlags(model, file, options);
  if (!Compile(flags, options, &outcome)) return outcome;
  const absl::StatusOr<TempDir> folder = TempDir::Create("zoo");
  if (!folder.ok()) {
    outcome.sentence = std::string(folder.status().message());
    return outcome;
  }
  for (const std::string& value : model.input_values) {
    flags.push_back(absl::StrCat("--input_value=", value));
  }
  Check(std::move(flags), options, folder->path(), &outcome);
  return outcome;
}

ZooOutcome MissingModel(const ZooModel& model, const MeasureOptions& options,
                        const std::string& sentence) {
  ZooOutcome outcome;
  outcome.model = model.name;
  outcome.sha256 = model.sha256;
  outcome.dims = absl::StrJoin(model.dims, " ");
  outcome.input_values = absl::StrJoin(model.input_values, " ");
  outcome.threads = options.threads;
  outcome.reference = options.reference;
  outcome.result = ZooResult::kMissing;
  outcome.sentence = sentence;
  return outcome;
}

}  // namespace assay::suites
