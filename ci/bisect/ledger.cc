#include "ci/bisect/ledger.h"

#include "absl/strings/str_cat.h"
#include "reports/result/run_result.h"
#include "reports/stats/verdict.h"
#include "reports/store/index.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/cell_filter.h"

namespace assay::ci {
namespace {

// Returns an empty string if something is unknown.
std::string DigestOf(const reports::Row& row) {
  const reports::BuildFacts& build = row.build;
  if (build.code.empty() || build.runtime_digest.empty()) return "";
  std::string text = absl::StrCat(build.runtime_digest, "\n");
  // The harness, too, determines if an output counts as correct.
  if (row.verdict == stats::Verdict::kWrongOutput ||
      row.verdict == stats::Verdict::kInfrastructure) {
    absl::StrAppend(&text, stats::VerdictName(row.verdict), "\n");
  }
  for (const reports::KernelCode& kernel : build.code) {
    if (kernel.digest.empty()) return "";
    absl::StrAppend(&text, kernel.digest, "\n");
  }
  return Sha256Hex(text);
}

}  // namespace

absl::StatusOr<Ledger> Ledger::Read(const std::vector<std::string>& folders,
                                    const std::vector<std::string>& commits) {
  Ledger ledger;
  for (const std::string& folder : folders) {
    ASSAY_ASSIGN_OR_RETURN(reports::StoreIndex index,
                           reports::StoreIndex::Open(folder));
    for (const std::string& commit : commits) {
      reports::Query query;
      query.commit = commit;
      ASSAY_ASSIGN_OR_RETURN(const std::vector<reports::Record> records,
                             index.Find(query));
      for (const reports::Record& record : records) {
        // `COMMIT+` has changes that were not committed.
        if (record.result.commit != commit) continue;
        for (const reports::Row& row : record.result.rows) {
          const std::string digest = DigestOf(row);
          if (digest.empty()) continue;
          ledger.digests_[commit][suites::CellName(
              row.cell.model, row.cell.device, row.cell.variant,
              row.cell.threads)] = digest;
        }
      }
    }
  }
  return ledger;
}

std::string Ledger::Find(const std::string& commit,
                         const std::string& cell) const {
  const auto cells = digests_.find(commit);
  if (cells == digests_.end()) return "";
  const auto digest = cells->second.find(cell);
  return digest == cells->second.end() ? "" : digest->second;
}

std::vector<std::string> Ledger::CellsAt(const std::string& good,
                                         const std::string& bad) const {
  std::vector<std::string> cells;
  const auto at_good = digests_.find(good);
  if (at_good == digests_.end()) return cells;
  for (const auto& [cell, digest] : at_good->second) {
    if (!Find(bad, cell).empty()) cells.push_back(cell);
  }
  return cells;
}

}  // namespace assay::ci
