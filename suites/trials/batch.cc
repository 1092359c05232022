#include "suites/trials/batch.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace assay::suites {
namespace {

constexpr char kHeader[] =
    "date,commit,method,regime,processes,trials,budget_s,load_before,"
    "load_after,steal_before,steal_after,duty";

}  // namespace

std::string BatchHeader() { return absl::StrCat(kHeader, "\n"); }

std::string BatchLine(const Batch& b) {
  return absl::StrCat(
      absl::StrJoin(
          {b.date, b.commit, b.method, b.regime, absl::StrCat(b.processes),
           absl::StrCat(b.trials), absl::StrCat(b.budget_s), b.load_before,
           b.load_after, b.steal_before, b.steal_after, absl::StrCat(b.duty)},
          ","),
      "\n");
}

absl::StatusOr<std::vector<Batch>> ParseBatches(absl::string_view text) {
  std::vector<Batch> batches;
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i] == kHeader) continue;
    const std::vector<std::string> f = absl::StrSplit(lines[i], ',');
    Batch b;
    const bool sound = f.size() == 12 && absl::SimpleAtoi(f[4], &b.processes) &&
                       absl::SimpleAtoi(f[5], &b.trials) &&
                       absl::SimpleAtod(f[6], &b.budget_s) &&
                       absl::SimpleAtod(f[11], &b.duty);
    if (!sound) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", i + 1, " is not a batch: `", lines[i], "`"));
    }
    b.date = f[0];
    b.commit = f[1];
    b.method = f[2];
    b.regime = f[3];
    b.load_before = f[7];
    b.load_after = f[8];
    b.steal_before = f[9];
    b.steal_after = f[10];
    batches.push_back(std::move(b));
  }
  return batches;
}

}  // namespace assay::suites
