#include "ci/bisect/report.h"

#include <filesystem>
#include <map>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "ci/bisect/suite_comparer.h"
#include "nlohmann/json.hpp"
#include "reports/render/attribution_table.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/text/duration.h"
#include "runtime/text/shell_word.h"

namespace assay::ci {
namespace {

using Json = nlohmann::ordered_json;

absl::string_view StatusName(CellStatus status) {
  switch (status) {
    case CellStatus::kFound:
      return "found";
    case CellStatus::kSameProgram:
      return "same_program";
    case CellStatus::kNotReproduced:
      return "not_reproduced";
    case CellStatus::kUnusable:
      return "unusable";
  }
  return "";
}

const Commit& At(const BisectReport& report, int commit) {
  return report.commits[static_cast<size_t>(commit)];
}

// The command that compares the culprit with its predecessor again.
std::string Reproduce(const BisectReport& report, const CellResult& cell,
                      const Finding& finding) {
  std::string command = absl::StrCat(
      "./bazelw run //ci:gate -- --base=", At(report, finding.before).hash,
      " --head=", At(report, finding.after).hash, " --suite=", report.suite,
      " ", runtime::ShellWord("--cells=" + PatternOf(cell.cell)));
  for (const std::string& flag : report.flags) {
    if (absl::StartsWith(flag, "--cells")) continue;
    absl::StrAppend(&command, " ", runtime::ShellWord(flag));
  }
  return command;
}

const reports::KernelChange* SlowestKernel(const Finding& finding) {
  if (!finding.comparison.has_value() ||
      !finding.comparison->paired.has_value() ||
      !finding.comparison->paired->attribution.has_value()) {
    return nullptr;
  }
  const reports::Attribution& attribution =
      *finding.comparison->paired->attribution;
  return attribution.kernels.empty() ? nullptr : &attribution.kernels[0];
}

// The number of lines that differ in each stage of the kernel, for example
// `schedule 2 lines, loop IR 10 lines`; empty if nothing is known.
std::string Differences(const std::string& folder) {
  std::string text;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(
           JoinPath(folder, "attribution"), error)) {
    for (const auto& [file, name] :
         std::initializer_list<std::pair<const char*, const char*>>{
             {"schedule.diff", "schedule"},
             {"tir.diff", "loop IR"},
             {"s.diff", "assembly"}}) {
      const auto diff = ReadFile(JoinPath(entry.path().string(), file));
      if (!diff.ok()) continue;
      int lines = 0;
      for (const absl::string_view line : absl::StrSplit(*diff, '\n')) {
        const bool is_header =
            absl::StartsWith(line, "+++") || absl::StartsWith(line, "---");
        if (!is_header && !line.empty() && (line[0] == '+' || line[0] == '-')) {
          ++lines;
        }
      }
      absl::StrAppend(&text, text.empty() ? "" : ", ", name, " ", lines,
                      " lines");
    }
    return absl::StrCat(text, " (`", entry.path().string(), "`)");
  }
  return text;
}

// Text in a cell of a table.
std::string CellText(const std::string& text) {
  return absl::StrReplaceAll(PlainText(text), {{"|", "\\|"}});
}

// A table of the kernels whose time changed, with what is different in them.
std::string KernelTable(const Finding& finding) {
  const reports::Attribution& attribution =
      *finding.comparison->paired->attribution;
  std::string text =
      "\n| change (ms) | of the whole | kernel | work | since |\n"
      "|---|---|---|---|---|\n";
  for (const reports::KernelChange& kernel : attribution.kernels) {
    if (kernel.lower_ms <= 0 && kernel.upper_ms >= 0) continue;
    absl::StrAppendFormat(
        &text, "| %+.4f | %.0f %% | %s | %s | %s |\n", kernel.change_ms,
        100 * kernel.change_ms / attribution.whole_ms,
        CellText(reports::KernelName(kernel)),
        kernel.work.has_value() ? reports::WorkText(*kernel.work) : "",
        CellText(kernel.cause));
  }
  const double sum = reports::SumOfChanges(attribution);
  absl::StrAppendFormat(
      &text,
      "| %+.4f | %.0f %% | all kernels | | |\n| %+.4f | 100 %% | whole "
      "inferences | | |\n\n",
      sum, 100 * sum / attribution.whole_ms, attribution.whole_ms);
  const std::string differences = Differences(finding.comparison->folder);
  if (!differences.empty()) {
    absl::StrAppend(&text, "- what differs in the first: ", differences, "\n");
  }
  return text;
}

std::string Line(const Commit& commit) {
  return absl::StrCat("`", commit.hash.substr(0, 12), "` ", commit.date, " ",
                      PlainText(commit.author), "  \n  ",
                      PlainText(commit.subject), "\n");
}

std::string FindingText(const BisectReport& report, const CellResult& cell,
                        const Finding& finding) {
  std::string text = absl::StrCat("**", finding.change, "**");
  if (!finding.confirmed) text += " (not confirmed beside its parent)";
  text += "\n\n";
  if (finding.suspects.size() > 1) {
    absl::StrAppend(
        &text, "One of ", finding.suspects.size(),
        " commits, because those in between cannot be told apart:", "\n\n");
  }
  for (const int suspect : finding.suspects) {
    absl::StrAppend(&text, "- ", Line(At(report, suspect)));
  }
  if (SlowestKernel(finding) != nullptr) text += KernelTable(finding);
  absl::StrAppend(&text, "- again: `", Reproduce(report, cell, finding), "`\n");
  return text;
}

Json JsonOf(const Commit& commit) {
  return {{"commit", commit.hash},
          {"author", commit.author},
          {"date", commit.date},
          {"subject", commit.subject}};
}

Json JsonOf(const BisectReport& report, const CellResult& cell,
            const Finding& finding) {
  Json json;
  json["suspects"] = Json::array();
  for (const int suspect : finding.suspects) {
    json["suspects"].push_back(JsonOf(At(report, suspect)));
  }
  json["before"] = At(report, finding.before).hash;
  json["after"] = At(report, finding.after).hash;
  json["confirmed"] = finding.confirmed;
  json["error"] = finding.error;
  json["change"] = finding.change;
  json["reproduce"] = Reproduce(report, cell, finding);
  if (finding.comparison.has_value() &&
      finding.comparison->paired.has_value()) {
    const reports::PairedComparison& paired = *finding.comparison->paired;
    json["relative_change"] = paired.change;
    json["lower"] = paired.lower;
    json["upper"] = paired.upper;
    json["folder"] = finding.comparison->folder;
  }
  if (const reports::KernelChange* kernel = SlowestKernel(finding)) {
    json["kernel"] = reports::KernelName(*kernel);
    json["kernel_ms"] = kernel->change_ms;
    json["whole_ms"] = finding.comparison->paired->attribution->whole_ms;
    json["cause"] = kernel->cause;
    if (kernel->work.has_value()) {
      json["work"] = reports::WorkText(*kernel->work);
    }
  }
  return json;
}

Json JsonOf(const BisectReport& report) {
  Json json;
  json["good"] = report.commits.front().hash;
  json["bad"] = report.commits.back().hash;
  if (!report.merge.empty()) json["merge"] = report.merge;
  json["suite"] = report.suite;
  json["builds"] = report.builds;
  json["building_s"] = report.building_s;
  json["cells"] = Json::array();
  for (const CellResult& result : report.cells) {
    Json cell;
    cell["cell"] = result.cell;
    cell["metric"] = MetricName(result.metric);
    cell["status"] = StatusName(result.status);
    cell["reason"] = result.reason;
    cell["candidates"] = result.candidates;
    cell["measurements"] = result.measurements;
    cell["measuring_s"] = result.measuring_s;
    cell["findings"] = Json::array();
    for (const Finding& finding : result.findings) {
      cell["findings"].push_back(JsonOf(report, result, finding));
    }
    json["cells"].push_back(std::move(cell));
  }
  json["branches"] = Json::array();
  for (const BisectReport& branch : report.branches) {
    json["branches"].push_back(JsonOf(branch));
  }
  return json;
}

}  // namespace

std::string FormatMarkdown(const BisectReport& report) {
  std::string text = absl::StrCat(
      "# Bisection of ", report.commits.front().hash.substr(0, 12), "..",
      report.commits.back().hash.substr(0, 12),
      report.merge.empty()
          ? ""
          : absl::StrCat(", merged by ", report.merge.substr(0, 12)),
      "\n\n");
  for (const CellResult& cell : report.cells) {
    absl::StrAppend(&text, "## ", cell.cell, ", ", MetricName(cell.metric),
                    "\n\n");
    if (!cell.reason.empty()) {
      absl::StrAppend(&text, StatusName(cell.status), ": ", cell.reason,
                      "\n\n");
    }
    for (const Finding& finding : cell.findings) {
      absl::StrAppend(&text, FindingText(report, cell, finding), "\n");
    }
    absl::StrAppendFormat(
        &text, "%d candidates of %d commits, %d measurements (%.0f s)\n\n",
        cell.candidates, report.commits.size() - 1, cell.measurements,
        cell.measuring_s);
  }
  absl::StrAppend(&text, report.builds, " builds in ",
                  runtime::HumanSeconds(report.building_s), "\n");
  for (const BisectReport& branch : report.branches) {
    absl::StrAppend(&text, "\n", FormatMarkdown(branch));
  }
  return text;
}

std::string FormatJson(const BisectReport& report) {
  return JsonOf(report).dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace assay::ci
