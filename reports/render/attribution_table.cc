#include "reports/render/attribution_table.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace assay::reports {
namespace {

bool IsSignificant(const KernelChange& kernel) {
  return kernel.lower_ms > 0 || kernel.upper_ms < 0;
}

std::string Line(const std::string& base, const std::string& run,
                 double change_ms, const std::string& interval,
                 double share_of_whole, const std::string& what) {
  return absl::StrFormat("%9s %9s %+9.4f %20s %6.1f%%  %s\n", base, run,
                         change_ms, interval, 100 * share_of_whole, what);
}

std::string Milliseconds(double ms) { return absl::StrFormat("%.4f", ms); }

std::string Interval(double lower, double upper) {
  return absl::StrFormat("[%+.4f, %+.4f]", lower, upper);
}

std::string Percent(int64_t base, int64_t run) {
  if (base == 0) return "new";
  return absl::StrFormat(
      "%+.1f %%",
      100 * (static_cast<double>(run) / static_cast<double>(base) - 1));
}

// The kernels without a line of their own.
struct Rest {
  int count = 0;
  double change_ms = 0;
};

}  // namespace

std::string KernelName(const KernelChange& change) {
  const std::vector<std::string>& kernels =
      change.run_kernels.empty() ? change.base_kernels : change.run_kernels;
  std::string name = absl::StrJoin(kernels, " + ");
  if (!change.sources.empty()) {
    absl::StrAppend(&name, " (", absl::StrJoin(change.sources, ", "), ")");
  }
  if (change.same_code) name += ", the same machine code";
  return name;
}

std::string WorkText(const WorkCounts& work) {
  return absl::StrCat(absl::StrReplaceAll(work.change, {{"_", " "}}),
                      ": instructions ",
                      Percent(work.base_instructions, work.run_instructions),
                      ", bytes ", Percent(work.base_bytes, work.run_bytes));
}

std::string AttributionTable(const Row& row) {
  if (!row.comparison.paired.has_value() ||
      !row.comparison.paired->attribution.has_value()) {
    return "";
  }
  const Attribution& attribution = *row.comparison.paired->attribution;
  const double whole = attribution.whole_ms;
  std::string text = absl::StrFormat(
      "%s on %s, %s, threads %d: attribution of the change to kernels, "
      "%d interleaved inferences of each\n",
      row.cell.model, row.cell.device, VariantText(row.cell.variant),
      row.cell.threads, attribution.rounds);
  absl::StrAppendFormat(&text, "%9s %9s %9s %20s %7s  %s\n", "base ms",
                        "run ms", "change", "99 % interval", "%whole",
                        "kernels of the run (nodes)");
  Rest rest[2];  // indexed by same_code
  for (const KernelChange& kernel : attribution.kernels) {
    if (!IsSignificant(kernel)) {
      ++rest[kernel.same_code].count;
      rest[kernel.same_code].change_ms += kernel.change_ms;
      continue;
    }
    text += Line(Milliseconds(kernel.base_ms), Milliseconds(kernel.run_ms),
                 kernel.change_ms, Interval(kernel.lower_ms, kernel.upper_ms),
                 kernel.change_ms / whole, KernelName(kernel));
    if (kernel.work.has_value()) {
      absl::StrAppend(&text, std::string(58, ' '), WorkText(*kernel.work),
                      "\n");
    }
    if (!kernel.cause.empty()) {
      absl::StrAppend(&text, std::string(58, ' '), "since ", kernel.cause,
                      "\n");
    }
  }
  for (const bool same_code : {false, true}) {
    const Rest& more = rest[same_code];
    if (more.count == 0) continue;
    text += Line("", "", more.change_ms, "", more.change_ms / whole,
                 absl::StrCat(more.count, " more",
                              same_code ? " of the same machine code" : "",
                              " without a significant change"));
  }
  const double sum = SumOfChanges(attribution);
  text += Line("", "", sum, "", sum / whole, "all kernels");
  text += Line("", "", whole,
               Interval(attribution.whole_lower_ms, attribution.whole_upper_ms),
               1, "whole inferences");
  return text;
}

}  // namespace assay::reports
