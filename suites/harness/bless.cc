#include "suites/harness/bless.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/baseline/baseline.h"
#include "reports/stats/compare.h"
#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"
#include "suites/machine/environment.h"

namespace assay::suites {
namespace {

// Returns true if the times of a row can be a baseline, and sets `*timing`.
bool CanBeBaseline(const reports::Row& row, stats::Summary* timing) {
  const std::optional<stats::Summary> summary = reports::LatencySummary(row);
  if (row.emulated || !summary.has_value() ||
      summary->count < stats::kMinSamples) {
    return false;
  }
  *timing = *summary;
  return true;
}

}  // namespace

absl::Status Bless(const reports::RunResult& result, const Plan& plan,
                   const RunIdentity& identity,
                   const ComparisonOptions& options, std::ostream* out) {
  const auto say = [out](const std::string& text) {
    if (out != nullptr) *out << "\n" << text << "\n";
  };
  bool any = false;
  for (const auto& [suite, old] : plan.baselines) {
    reports::Baseline rows;
    size_t all = 0, disturbed = 0;
    for (const reports::Row& row : result.rows) {
      if (row.suite != suite) continue;
      ++all;
      reports::BaselineRow base;
      if (!CanBeBaseline(row, &base.timing)) continue;
      if (!row.timing.disturbances.empty() && !options.force) {
        ++disturbed;
        continue;
      }
      base.key = row.cell;
      base.model_digest = row.build.model_digest;
      base.artifact_digest = row.build.artifact_digest;
      base.state = ComparableState(plan.environment);
      base.sample_digest = reports::SampleDigest(row.timing.samples_ns);
      base.commit = result.commit;
      base.program_digest = identity.program_digest;
      base.command = row.reproduce;
      base.blessed_at = identity.started_at;
      base.reason = options.bless;
      rows.push_back(std::move(base));
    }
    if (disturbed > 0) {
      say(absl::StrCat("not blessed: the times of ", disturbed,
                       disturbed == 1 ? " row" : " rows",
                       " that other programs disturbed; --force stores them, "
                       "too"));
    }
    if (rows.empty()) continue;
    const std::string path = plan.BaselinePath(suite);
    ASSAY_RETURN_IF_ERROR(reports::UpdateBaseline(path, rows));
    say(absl::StrCat("blessed ", rows.size(), " of ", all, " rows in `", path,
                     "`"));
    any = true;
  }
  if (!any) say("nothing to bless");
  return absl::OkStatus();
}

}  // namespace assay::suites
