// Bisects drawn histories whose builds and times are exact, to test the search
// apart from the measurements, and to count what it builds.
#include "ci/bisect/testing/stored_history.h"

#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "ci/bisect/search/cell_bisection.h"
#include "ci/bisect/search/comparison.h"
#include "gtest/gtest.h"

namespace assay::ci {
namespace {

constexpr char kCell[] = "net/host/fusion_on/threads_1";

// A build whose slow kernel takes 1 ms, and 0.2 ms more for each culprit, of
// 20 ms. The placement changes the code of all kernels.
Build MakeBuild(const StoredVariant& variant) {
  Build build;
  build.runtime_digest = "runtime";
  CellBuild cell;
  cell.name = kCell;
  cell.row.verdict = stats::Verdict::kNoBaseline;
  for (const char* node : {"slow", "other"}) {
    runtime::KernelCall call;
    call.symbol = node;
    call.sources = {node};
    call.code_digest =
        absl::StrCat(node, variant.placement, " ",
                     std::string(node) == "slow" ? variant.culprits : 0);
    absl::StrAppend(&cell.row.build.artifact_digest, call.code_digest, "+");
    cell.calls.push_back(std::move(call));
  }
  cell.row.build.arena_bytes = variant.culprits;
  build.cells.push_back(std::move(cell));
  return build;
}

class ExactComparer : public Comparer {
 public:
  absl::StatusOr<Comparison> Compare(
      const ComparisonRequest& request) override {
    const auto culprits = [](const Build* build) {
      return static_cast<double>(build->cells[0].row.build.arena_bytes);
    };
    const double change_ms =
        0.2 * (culprits(request.run) - culprits(request.base));
    const double base_ms = 20 + 0.2 * culprits(request.base);
    Comparison comparison;
    reports::PairedComparison& paired = comparison.paired.emplace();
    paired.change = change_ms / base_ms;
    comparison.verdict = paired.change > request.margin
                             ? stats::Verdict::kRegressed
                             : stats::Verdict::kEquivalent;
    if (comparison.verdict == stats::Verdict::kRegressed) {
      reports::Attribution& attribution = paired.attribution.emplace();
      reports::KernelChange slow, other;
      slow.sources = {"slow"};
      slow.base_ms = 1 + 0.2 * culprits(request.base);
      slow.change_ms = attribution.whole_ms = change_ms;
      slow.lower_ms = slow.upper_ms = change_ms;
      other.sources = {"other"};
      other.base_ms = 19;
      attribution.kernels = {slow, other};
    }
    return comparison;
  }
  bool HasMoreTime() const override { return false; }
};

std::string Describe(const StoredHistory& history, const CellResult& result) {
  std::string text = result.reason;
  for (const int culprit : history.culprits()) {
    absl::StrAppend(&text, " culprit ", culprit);
  }
  for (const Finding& finding : result.findings) {
    text += " named";
    for (const int suspect : finding.suspects) {
      absl::StrAppend(&text, " ", suspect,
                      history.IsBroken(suspect) ? " (broken)" : "");
    }
    absl::StrAppend(&text, " between ", finding.before, " and ", finding.after);
  }
  return text;
}

struct Count {
  int right = 0;
  std::vector<int> builds;  // sorted

  int Quantile(double fraction) const {
    return builds[static_cast<size_t>(fraction *
                                      static_cast<double>(builds.size() - 1))];
  }
};

Count BisectAll(int histories, const HistoryShape& shape, bool ledger) {
  const int culprits = shape.culprits;
  std::map<StoredVariant, Build> pool;
  for (int i = 0; i <= culprits; ++i) {
    for (int placement = 0; placement < shape.placements; ++placement) {
      pool[{i, placement}] = MakeBuild({i, placement});
    }
  }
  Count count;
  for (int seed = 1; seed <= histories; ++seed) {
    StoredHistory history(shape, pool, static_cast<uint64_t>(seed));
    const std::vector<Candidate> candidates =
        ledger ? history.CandidatesOfLedger() : history.candidates();
    CellOptions options;
    options.cell = kCell;
    options.kernel_weights = history.WeightsOf(candidates);
    ExactComparer comparer;
    const auto result =
        BisectCell(history.commits(), candidates, options, history, comparer);
    EXPECT_TRUE(result.ok()) << result.status();
    if (!result.ok()) return count;
    bool right = result->findings.size() <= static_cast<size_t>(culprits);
    for (const int culprit : history.culprits()) {
      right &= absl::c_any_of(result->findings, [&](const Finding& finding) {
        return absl::c_linear_search(finding.suspects, culprit);
      });
    }
    for (const Finding& finding : result->findings) {
      // A range has a culprit at its end, and broken commits.
      for (size_t i = 0; i + 1 < finding.suspects.size(); ++i) {
        right &= history.IsBroken(finding.suspects[i]);
      }
    }
    EXPECT_TRUE(right) << "seed " << seed << ": " << Describe(history, *result);
    count.right += right;
    count.builds.push_back(history.builds());
  }
  absl::c_sort(count.builds);
  std::cout << culprits << " culprits" << (ledger ? " with ledger" : "")
            << ": builds with both ends: median " << count.Quantile(0.5)
            << ", 95 % " << count.Quantile(0.95) << ", most "
            << count.builds.back() << "\n";
  return count;
}

TEST(StoredHistoryTest, CulpritsAreFoundWithFewBuilds) {
  const Count count = BisectAll(200, HistoryShape(), /*ledger=*/false);
  // The ends, log2 of the 22 commits that can change kernels, and broken ones.
  EXPECT_LE(count.Quantile(0.5), 8);
  EXPECT_LE(count.Quantile(0.95), 10);
}

TEST(StoredHistoryTest, TwoCulpritsAreFound) {
  HistoryShape shape;
  shape.culprits = 2;
  const Count count = BisectAll(200, shape, /*ledger=*/false);
  EXPECT_LE(count.Quantile(0.5), 12);
}

TEST(StoredHistoryTest, LedgerNeedsTheCulpritAndItsParentOnly) {
  HistoryShape shape;
  // No other commit changes the kernels of the cell.
  shape.changes_code = 0;
  const Count count = BisectAll(200, shape, /*ledger=*/true);
  EXPECT_EQ(count.Quantile(0.5), 2);
}

}  // namespace
}  // namespace assay::ci
