#include "ci/bisect/bisect.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ci/bisect/commits/build_inputs.h"
#include "ci/bisect/commits/repository.h"
#include "ci/bisect/ledger.h"
#include "ci/bisect/search/candidates.h"
#include "ci/bisect/search/probes.h"
#include "ci/bisect/search/search.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/text/duration.h"
#include "suites/harness/cell_filter.h"

namespace assay::ci {
namespace {

// Time of a build that is expected before one was timed.
constexpr double kUsualBuildSeconds = 180;

std::string Short(const std::string& hash) { return hash.substr(0, 12); }

void Say(const std::string& text) { std::cerr << text << "\n"; }

void SayMeasurement(const ComparisonRequest& request) {
  Say(absl::StrCat("measuring ", request.cell, ": ", Short(request.run->commit),
                   " beside ", Short(request.base->commit)));
}

// Leaves out commits that the user does not want to be built, and starts no
// build after the time limit.
class LimitedBuilder : public Builder {
 public:
  LimitedBuilder(Builder& builder, const std::vector<std::string>& skipped,
                 std::optional<double> time_limit_s)
      : builder_(builder), time_limit_s_(time_limit_s) {
    for (const std::string& commit : skipped) {
      Build build;
      build.commit = commit;
      build.problem = "it is skipped";
      skipped_[commit] = std::move(build);
    }
  }

  bool IsDone(const std::string& commit) const override {
    return skipped_.count(commit) > 0 || builder_.IsDone(commit);
  }
  absl::StatusOr<const Build*> Get(const std::string& commit) override {
    const auto skipped = skipped_.find(commit);
    if (skipped != skipped_.end()) return &skipped->second;
    const double spent_s = static_cast<double>(MonotonicNanos() - start_) / 1e9;
    if (time_limit_s_.has_value() && spent_s > *time_limit_s_ &&
        !builder_.IsDone(commit)) {
      return absl::DeadlineExceededError(
          "the time is over; the bisection continues when it is started again");
    }
    return builder_.Get(commit);
  }

 private:
  Builder& builder_;
  const std::optional<double> time_limit_s_;
  const int64_t start_ = MonotonicNanos();
  std::map<std::string, Build> skipped_;
};

class Job {
 public:
  explicit Job(const BisectOptions& options) : options_(options) {}

  absl::StatusOr<BisectOutcome> Run() {
    ASSAY_RETURN_IF_ERROR(ReadCommits());
    WorkbenchOptions bench = options_.bench;
    bench.key = {hashes_.front(), hashes_.back()};
    bench.on_build = [this](const std::string& commit) { SayBuild(commit); };
    bench.on_measurement = SayMeasurement;
    ASSAY_ASSIGN_OR_RETURN(bench_, Workbench::Open(std::move(bench)));
    ASSAY_RETURN_IF_ERROR(FindCandidates());
    SayPlan();
    BisectOutcome outcome;
    outcome.folder = bench_->folder();
    if (options_.dry_run) return outcome;
    ASSAY_RETURN_IF_ERROR(BisectCells());
    report_.suite = options_.bench.suite;
    report_.flags = options_.bench.flags;
    report_.builds = bench_->builds();
    report_.building_s = bench_->building_s();
    if (options_.descend) ASSAY_RETURN_IF_ERROR(BisectMerges());
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(outcome.folder, "report.md"),
                                          FormatMarkdown(report_)));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(
        JoinPath(outcome.folder, "report.json"), FormatJson(report_)));
    outcome.report = std::move(report_);
    return outcome;
  }

 private:
  absl::Status ReadCommits() {
    const Repository repository(options_.bench.workspace);
    ASSAY_ASSIGN_OR_RETURN(const std::string good_hash,
                           repository.Resolve(options_.good));
    ASSAY_ASSIGN_OR_RETURN(const Commit good, repository.Get(good_hash));
    ASSAY_ASSIGN_OR_RETURN(const std::string bad,
                           repository.Resolve(options_.bad));
    ASSAY_ASSIGN_OR_RETURN(report_.commits,
                           repository.FirstParents(good.hash, bad));
    report_.commits.insert(report_.commits.begin(), good);
    for (const Commit& commit : report_.commits) {
      hashes_.push_back(commit.hash);
    }
    for (const std::string& name : options_.skip) {
      ASSAY_ASSIGN_OR_RETURN(skipped_.emplace_back(), repository.Resolve(name));
    }
    return absl::OkStatus();
  }

  absl::Status FindCandidates() {
    ASSAY_ASSIGN_OR_RETURN(inputs_, bench_->InputsOf(hashes_, [this](size_t i) {
      Say(absl::StrCat("reading what commit ", i, " of ", hashes_.size() - 1,
                       " is built from"));
    }));
    std::vector<std::string> keys;
    for (const InputDigest& digest : inputs_) keys.push_back(digest.all);
    candidates_ = Collapse(keys);
    ASSAY_ASSIGN_OR_RETURN(ledger_, Ledger::Read(options_.stores, hashes_));
    return absl::OkStatus();
  }

  // The candidates for one cell, of which the ledger may know more.
  std::vector<Candidate> CandidatesFor(const std::string& cell) const {
    std::vector<std::string> keys;
    for (const std::string& hash : hashes_) {
      keys.push_back(ledger_.Find(hash, cell));
    }
    return NarrowByKey(JoinByKey(candidates_, keys), keys);
  }

  // SearchOptions::weights for these candidates: a commit counts less if it
  // leaves `digest` as it is.
  std::vector<double> WeightsOf(const std::vector<Candidate>& candidates,
                                std::string InputDigest::* digest) const {
    std::vector<double> weights;
    for (size_t i = 1; i < candidates.size(); ++i) {
      const auto first = static_cast<size_t>(candidates[i].first);
      const bool same_code =
          inputs_[first].*digest == inputs_[first - 1].*digest;
      weights.push_back(same_code ? kWeightOfOtherChange : 1);
    }
    return weights;
  }

  void SayPlan() {
    const int last = static_cast<int>(candidates_.size()) - 1;
    if (last == 0) {
      Say(absl::StrCat(hashes_.size() - 1,
                       " commits, none of which changes what is built"));
      return;
    }
    Probes probes(hashes_, candidates_, bench_->builder());
    expected_builds_ = ExpectedBuilds(last) - (probes.IsDone(0) ? 1 : 0) -
                       (probes.IsDone(last) ? 1 : 0);
    Say(absl::StrCat(
        hashes_.size() - 1, " commits, of which ", last,
        " change what is built: about ", expected_builds_, " builds, ",
        runtime::HumanSeconds(expected_builds_ * BuildSeconds()),
        ", if one is the culprit; results in `", bench_->folder(), "`"));
  }

  void SayBuild(const std::string& commit) const {
    const auto found = absl::c_find_if(
        report_.commits, [&](const Commit& c) { return c.hash == commit; });
    const int number = bench_->builds() + 1;
    const int left = std::max(1, expected_builds_ - bench_->builds());
    Say(absl::StrCat("build ", number, " of about ",
                     std::max(expected_builds_, number), ": ", Short(commit),
                     " ", found->subject, " (about ",
                     runtime::HumanSeconds(left * BuildSeconds()), " left)"));
  }

  double BuildSeconds() const {
    return bench_->builds() == 0 ? kUsualBuildSeconds
                                 : bench_->building_s() / bench_->builds();
  }

  absl::Status BisectCells() {
    LimitedBuilder builder(bench_->builder(), skipped_, options_.time_limit_s);
    std::vector<std::string> cells;
    for (const std::string& cell :
         ledger_.CellsAt(hashes_.front(), hashes_.back())) {
      if (suites::MatchesCell(options_.bench.cells, cell)) {
        cells.push_back(cell);
      }
    }
    if (cells.empty()) {
      ASSAY_ASSIGN_OR_RETURN(cells, BuildEnds(builder));
    }
    for (const std::string& cell : cells) {
      const std::vector<Candidate> candidates = CandidatesFor(cell);
      CellOptions one = options_.cell;
      one.cell = cell;
      one.weights = WeightsOf(candidates, &InputDigest::code);
      one.kernel_weights = WeightsOf(candidates, &InputDigest::kernels);
      ASSAY_ASSIGN_OR_RETURN(
          CellResult result,
          BisectCell(hashes_, candidates, one, builder, bench_->comparer()));
      report_.cells.push_back(std::move(result));
    }
    return absl::OkStatus();
  }

  // Bisects the branches that culprits merged.
  absl::Status BisectMerges() {
    const Repository repository(options_.bench.workspace);
    // Another job needs the worktree.
    bench_.reset();
    std::set<std::string> merges;
    for (const CellResult& cell : report_.cells) {
      for (const Finding& finding : cell.findings) {
        const Commit& culprit =
            report_.commits[static_cast<size_t>(finding.suspects[0])];
        if (finding.suspects.size() > 1 || !culprit.is_merge() ||
            !merges.insert(culprit.hash).second) {
          continue;
        }
        BisectOptions branch = options_;
        branch.bad = culprit.parents[1];
        ASSAY_ASSIGN_OR_RETURN(
            branch.good,
            repository.MergeBase(culprit.parents[0], culprit.parents[1]));
        branch.bench.out.clear();
        Say(absl::StrCat("bisecting the branch that ", Short(culprit.hash),
                         " merged"));
        ASSAY_ASSIGN_OR_RETURN(BisectOutcome outcome, Bisect(branch));
        outcome.report->merge = culprit.hash;
        report_.branches.push_back(*std::move(outcome.report));
      }
    }
    return absl::OkStatus();
  }

  // Builds both ends, and returns the names of their cells.
  absl::StatusOr<std::vector<std::string>> BuildEnds(Builder& builder) const {
    Probes probes(hashes_, candidates_, builder);
    ASSAY_ASSIGN_OR_RETURN(const Build* good, probes.Get(0));
    if (!good->ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the good end ", Short(good->commit),
                       " cannot be used: ", good->problem));
    }
    ASSAY_ASSIGN_OR_RETURN(const Build* bad, probes.Get(probes.last()));
    std::vector<std::string> cells = Workbench::CellsOf({good, bad});
    if (cells.empty()) {
      return absl::InvalidArgumentError("the ends have no cell to bisect");
    }
    return cells;
  }

  const BisectOptions& options_;
  std::unique_ptr<Workbench> bench_;
  std::vector<std::string> hashes_;
  std::vector<std::string> skipped_;
  std::vector<InputDigest> inputs_;  // of all commits
  std::vector<Candidate> candidates_;
  Ledger ledger_;
  int expected_builds_ = 0;
  BisectReport report_;
};

}  // namespace

absl::StatusOr<BisectOutcome> Bisect(const BisectOptions& options) {
  return Job(options).Run();
}

absl::StatusOr<StepResult> BisectStep(const BisectOptions& options) {
  const Repository repository(options.bench.workspace);
  ASSAY_ASSIGN_OR_RETURN(const std::string good,
                         repository.Resolve(options.good));
  ASSAY_ASSIGN_OR_RETURN(const std::string commit,
                         repository.Resolve(options.bad));
  if (good == commit) return StepResult::kGood;
  WorkbenchOptions open = options.bench;
  open.key = {good, "step"};
  open.on_build = [](const std::string& hash) {
    Say(absl::StrCat("building ", Short(hash)));
  };
  open.on_measurement = SayMeasurement;
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Workbench> bench,
                         Workbench::Open(std::move(open)));
  const std::vector<std::string> commits = {good, commit};
  const std::vector<Candidate> candidates = {{0, 0}, {1, 1}};
  Probes probes(commits, candidates, bench->builder());
  ASSAY_ASSIGN_OR_RETURN(const Build* base, probes.Get(0));
  ASSAY_ASSIGN_OR_RETURN(const Build* run, probes.Get(1));
  if (base->ok() && !run->ok() &&
      options.cell.metric != std::optional<Metric>(Metric::kOutcome)) {
    Say(absl::StrCat(Short(commit), ": ", run->problem));
    return StepResult::kSkip;
  }
  bool undecided = false;
  for (const std::string& cell : Workbench::CellsOf({base, run})) {
    CellOptions one = options.cell;
    one.cell = cell;
    ASSAY_ASSIGN_OR_RETURN(const CellResult result,
                           BisectCell(commits, candidates, one,
                                      bench->builder(), bench->comparer()));
    for (const Finding& finding : result.findings) {
      Say(absl::StrCat(cell, ": ", finding.change));
      return StepResult::kBad;
    }
    if (!result.reason.empty()) Say(absl::StrCat(cell, ": ", result.reason));
    undecided |= result.status == CellStatus::kUnusable || result.undecided;
  }
  return undecided ? StepResult::kSkip : StepResult::kGood;
}

}  // namespace assay::ci
