#include "tests/fuzz/mutation_tally.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "runtime/base/exit_code.h"

namespace assay::fuzz {
namespace {

// The exit codes of right ends.
constexpr ExitCode kCodes[] = {ExitCode::kPass, ExitCode::kUsage,
                               ExitCode::kInconclusive, ExitCode::kWrongResult};
constexpr absl::string_view kFirstColumn = "file";

// Returns what is wrong with the output of a program that exited with `code`,
// or an empty string.
std::string OutputProblem(ExitCode code, const runtime::ProcessResult& ended) {
  constexpr absl::string_view kStart = "error: ";
  const std::vector<absl::string_view> lines =
      absl::StrSplit(ended.err, '\n', absl::SkipEmpty());
  const auto errors = std::count_if(
      lines.begin(), lines.end(),
      [&](absl::string_view line) { return absl::StartsWith(line, kStart); });
  if (code != ExitCode::kUsage) {
    if (errors > 0) return "with an error";
    const bool silent = code != ExitCode::kPass && ended.out.empty();
    return silent ? "without a report" : "";
  }
  if (errors != 1) return absl::StrCat("with ", errors, " errors");
  if (!absl::StartsWith(lines.back(), kStart)) {
    return "with an error of several lines";
  }
  return lines.back().size() == kStart.size() ? "without a sentence" : "";
}

std::string Line(size_t width, const Tally& tally) {
  std::string line = absl::StrFormat("%-*s  %9d", static_cast<int>(width),
                                     tally.name, tally.runs);
  for (const ExitCode code : kCodes) {
    const auto found = tally.codes.find(static_cast<int>(code));
    absl::StrAppendFormat(&line, "  %6d",
                          found == tally.codes.end() ? 0 : found->second);
  }
  absl::StrAppendFormat(&line, "  %8d\n", tally.failures);
  return line;
}

}  // namespace

std::string ProblemOf(const absl::StatusOr<runtime::ProcessResult>& ended) {
  if (!ended.ok()) return std::string(ended.status().message());
  const std::string wrote =
      absl::StrCat("; it wrote: ", runtime::LastLines(ended->err));
  if (ended->signal != 0) {
    return absl::StrCat("died of signal ", ended->signal, wrote);
  }
  const std::string exited = absl::StrCat("exited with ", ended->exit_code);
  for (const ExitCode code : kCodes) {
    if (ended->exit_code != static_cast<int>(code)) continue;
    const std::string problem = OutputProblem(code, *ended);
    return problem.empty() ? "" : absl::StrCat(exited, " ", problem, wrote);
  }
  return absl::StrCat(exited, wrote);
}

std::string TallyTable(const std::vector<Tally>& tallies) {
  Tally sum;
  sum.name = "all";
  size_t width = kFirstColumn.size();
  for (const Tally& tally : tallies) {
    width = std::max(width, tally.name.size());
    sum.runs += tally.runs;
    for (const auto& [code, count] : tally.codes) sum.codes[code] += count;
    sum.failures += tally.failures;
  }
  std::string table =
      absl::StrFormat("%-*s  mutations", static_cast<int>(width), kFirstColumn);
  for (const ExitCode code : kCodes) {
    absl::StrAppendFormat(&table, "  exit %d", static_cast<int>(code));
  }
  absl::StrAppend(&table, "  failures\n");
  for (const Tally& tally : tallies) {
    absl::StrAppend(&table, Line(width, tally));
  }
  absl::StrAppend(&table, Line(width, sum));
  return table;
}

}  // namespace assay::fuzz
