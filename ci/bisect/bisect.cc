#include "ci/bisect/bisect.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "ci/bisect/bazel_query.h"
#include "ci/bisect/build_inputs.h"
#include "ci/bisect/commit_builder.h"
#include "ci/bisect/repository.h"
#include "ci/bisect/search/candidates.h"
#include "ci/bisect/search/probes.h"
#include "ci/bisect/search/search.h"
#include "ci/bisect/suite_comparer.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"
#include "runtime/text/duration.h"

namespace assay::ci {
namespace {

// Time of a build that is expected before one was timed.
constexpr double kUsualBuildSeconds = 180;

// How likely a change of the harness is to be the culprit, compared with one of
// the compiler or the runtime. Changes of the harness cannot make a program
// slower, except by passing other options to the compiler.
constexpr double kWeightOfOtherChange = 0.05;

std::string ShortDigest(const std::vector<std::string>& parts) {
  return Sha256Hex(absl::StrJoin(parts, "\n")).substr(0, 16);
}

// A file with a line `KEY VALUE` for each entry.
class Notes {
 public:
  static absl::StatusOr<Notes> Open(const std::string& path) {
    Notes notes(path);
    if (!FileExists(path)) return notes;
    ASSAY_ASSIGN_OR_RETURN(notes.text_, ReadFile(path));
    for (const absl::string_view line :
         absl::StrSplit(notes.text_, '\n', absl::SkipEmpty())) {
      const std::pair<std::string, std::string> entry =
          absl::StrSplit(line, absl::MaxSplits(' ', 1));
      notes.entries_.insert(entry);
    }
    return notes;
  }

  const std::string* Find(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  absl::Status Add(const std::string& key, const std::string& value) {
    entries_[key] = value;
    absl::StrAppend(&text_, key, " ", value, "\n");
    return WriteFileAtomic(path_, text_);
  }

 private:
  explicit Notes(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::string text_;
  std::map<std::string, std::string> entries_;
};

class Job {
 public:
  explicit Job(const BisectOptions& options)
      : options_(options), repository_(options.workspace) {}

  absl::StatusOr<BisectOutcome> Run() {
    ASSAY_RETURN_IF_ERROR(ReadCommits());
    ASSAY_RETURN_IF_ERROR(OpenFolders());
    ASSAY_ASSIGN_OR_RETURN(const FolderLock job_lock,
                           FolderLock::Acquire(folder_));
    ASSAY_ASSIGN_OR_RETURN(const FolderLock tree_lock,
                           FolderLock::Acquire(shared_));
    ASSAY_RETURN_IF_ERROR(FindCandidates());
    SayPlan();
    BisectOutcome outcome;
    outcome.folder = folder_;
    if (options_.dry_run) return outcome;
    ASSAY_RETURN_IF_ERROR(BisectCells());
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(folder_, "report.md"),
                                          FormatMarkdown(report_)));
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(folder_, "report.json"), FormatJson(report_)));
    outcome.report = std::move(report_);
    return outcome;
  }

 private:
  absl::Status ReadCommits() {
    ASSAY_ASSIGN_OR_RETURN(const std::string good,
                           repository_.Resolve(options_.good));
    ASSAY_ASSIGN_OR_RETURN(const std::string bad,
                           repository_.Resolve(options_.bad));
    ASSAY_ASSIGN_OR_RETURN(report_.commits,
                           repository_.FirstParents(good, bad));
    Commit first;
    first.hash = good;
    report_.commits.insert(report_.commits.begin(), first);
    for (const Commit& commit : report_.commits) {
      hashes_.push_back(commit.hash);
    }
    return absl::OkStatus();
  }

  absl::Status OpenFolders() {
    ASSAY_ASSIGN_OR_RETURN(const std::string cache, UserCacheDir());
    shared_ =
        JoinPath(JoinPath(cache, "bisect"), ShortDigest({options_.workspace}));
    folder_ = options_.out;
    if (folder_.empty()) {
      std::vector<std::string> job = {hashes_.front(), hashes_.back(),
                                      options_.suite};
      job.insert(job.end(), options_.cells.begin(), options_.cells.end());
      job.insert(job.end(), options_.flags.begin(), options_.flags.end());
      folder_ = JoinPath(shared_, ShortDigest(job));
    }
    for (const char* name : {"builds", "comparisons"}) {
      ASSAY_RETURN_IF_ERROR(MakeDirs(JoinPath(folder_, name)));
    }
    return MakeDirs(shared_);
  }

  std::string Tree() const { return JoinPath(shared_, "tree"); }

  // The digests of the inputs of all commits, which are kept for other jobs.
  absl::Status FindCandidates() {
    const std::vector<std::string> targets = {
        absl::StrCat("//suites:", options_.suite),
        "//runtime/tools:bench_artifact"};
    ASSAY_ASSIGN_OR_RETURN(
        Notes notes,
        Notes::Open(
            JoinPath(shared_, absl::StrCat("inputs_", ShortDigest(targets)))));
    InputDigests inputs(repository_, [&](const std::string& commit) {
      return BazelQuery(repository_, Tree(), targets, commit);
    });
    std::vector<std::string> keys;
    std::vector<std::string> code;
    for (size_t i = 0; i < hashes_.size(); ++i) {
      const std::string* known = notes.Find(hashes_[i]);
      if (known == nullptr) {
        Say(absl::StrCat("reading the inputs of the builds, commit ", i + 1,
                         " of ", hashes_.size()));
        ASSAY_ASSIGN_OR_RETURN(const InputDigest digest,
                               inputs.DigestOf(hashes_[i]));
        ASSAY_RETURN_IF_ERROR(
            notes.Add(hashes_[i], absl::StrCat(digest.all, " ", digest.code)));
        known = notes.Find(hashes_[i]);
      }
      const std::pair<std::string, std::string> digests =
          absl::StrSplit(*known, ' ');
      keys.push_back(digests.first);
      code.push_back(digests.second);
    }
    candidates_ = Collapse(keys);
    for (size_t i = 1; i < candidates_.size(); ++i) {
      const auto first = static_cast<size_t>(candidates_[i].first);
      weights_.push_back(code[first] == code[first - 1] ? kWeightOfOtherChange
                                                        : 1);
    }
    return absl::OkStatus();
  }

  void SayPlan() {
    const int last = static_cast<int>(candidates_.size()) - 1;
    if (last == 0) {
      Say(absl::StrCat(hashes_.size() - 1,
                       " commits, none of which changes what is built"));
      return;
    }
    expected_builds_ = ExpectedBuilds(last);
    Say(absl::StrCat(hashes_.size() - 1, " commits, of which ", last,
                     " change what is built: about ", expected_builds_,
                     " builds, ",
                     runtime::HumanSeconds(expected_builds_ * BuildSeconds()),
                     " if one is the culprit; results in `", folder_, "`"));
  }

  double BuildSeconds() const {
    return report_.builds == 0 ? kUsualBuildSeconds
                               : report_.building_s / report_.builds;
  }

  absl::Status BisectCells();
  void Say(const std::string& text) const { std::cerr << text << "\n"; }

  const BisectOptions& options_;
  const Repository repository_;
  std::string shared_;  // folder of all jobs of this workspace
  std::string folder_;
  std::vector<std::string> hashes_;
  std::vector<Candidate> candidates_;
  std::vector<double> weights_;  // SearchOptions::weights
  int expected_builds_ = 0;
  BisectReport report_;
};

// Counts and times the builds of another builder, and leaves out commits.
class TimedBuilder : public Builder {
 public:
  TimedBuilder(Builder& builder, std::set<std::string> skipped,
               BisectReport& report)
      : builder_(builder), skipped_(std::move(skipped)), report_(report) {}

  bool IsDone(const std::string& commit) const override {
    return skipped_.count(commit) > 0 || builder_.IsDone(commit);
  }
  absl::StatusOr<const Build*> Get(const std::string& commit) override {
    if (skipped_.count(commit) > 0) {
      Build& build = skipped_builds_[commit];
      build.commit = commit;
      build.problem = "it is skipped";
      return &build;
    }
    const bool was_done = builder_.IsDone(commit);
    const int64_t start = MonotonicNanos();
    ASSAY_ASSIGN_OR_RETURN(const Build* build, builder_.Get(commit));
    if (!was_done) {
      ++report_.builds;
      report_.building_s += static_cast<double>(MonotonicNanos() - start) / 1e9;
    }
    return build;
  }

 private:
  Builder& builder_;
  const std::set<std::string> skipped_;
  std::map<std::string, Build> skipped_builds_;
  BisectReport& report_;
};

absl::Status Job::BisectCells() {
  report_.suite = options_.suite;
  report_.flags = options_.flags;
  std::set<std::string> skipped;
  for (const std::string& name : options_.skip) {
    ASSAY_ASSIGN_OR_RETURN(const std::string hash, repository_.Resolve(name));
    skipped.insert(hash);
  }
  CommitBuilderOptions build;
  build.folder = JoinPath(folder_, "builds");
  build.tree = Tree();
  build.suite = options_.suite;
  build.flags = options_.flags;
  for (const std::string& cell : options_.cells) {
    build.flags.push_back("--cells=" + cell);
  }
  build.on_build = [this](const std::string& commit) {
    const auto found = absl::c_find_if(
        report_.commits, [&](const Commit& c) { return c.hash == commit; });
    const int left = std::max(1, expected_builds_ - report_.builds);
    Say(absl::StrCat("build ", report_.builds + 1, " of about ",
                     std::max(expected_builds_, report_.builds + 1), ": ",
                     commit.substr(0, 12), " ", found->subject, " (about ",
                     runtime::HumanSeconds(left * BuildSeconds()), " left)"));
  };
  CommitBuilder commits(repository_, build);
  TimedBuilder builder(commits, skipped, report_);

  Probes probes(hashes_, candidates_, builder);
  ASSAY_ASSIGN_OR_RETURN(const Build* good, probes.Get(0));
  ASSAY_ASSIGN_OR_RETURN(const Build* bad, probes.Get(probes.last()));
  std::vector<std::string> cells;
  for (const Build* end : {good, bad}) {
    for (const CellBuild& cell : end->cells) {
      if (!absl::c_linear_search(cells, cell.name)) cells.push_back(cell.name);
    }
  }
  if (cells.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no end has a cell to bisect",
        good->ok() ? "" : absl::StrCat("; the good end: ", good->problem)));
  }

  ASSAY_ASSIGN_OR_RETURN(
      const runtime::ProcessResult built,
      runtime::RunProcess(
          {"/usr/bin/env", "-C", options_.workspace, "./bazelw", "build",
           "--noshow_progress", absl::StrCat("//suites:", options_.suite)},
          {3 * 3600.0}));
  if (!built.ok()) {
    return absl::InternalError(
        absl::StrCat("the suite of the workspace does not build: ",
                     runtime::LastLines(built.err)));
  }
  SuiteComparerOptions compare;
  compare.folder = JoinPath(folder_, "comparisons");
  compare.program = JoinPath(options_.workspace,
                             absl::StrCat("bazel-bin/suites/", options_.suite));
  compare.flags = options_.flags;
  compare.budget_s = options_.budget_s;
  compare.on_measurement = [this](const ComparisonRequest& request) {
    Say(absl::StrCat("measuring ", request.cell, ": ",
                     request.run->commit.substr(0, 12), " beside ",
                     request.base->commit.substr(0, 12)));
  };
  SuiteComparer comparer(compare);
  for (const std::string& cell : cells) {
    CellOptions one;
    one.cell = cell;
    one.metric = options_.metric;
    one.min_change = options_.min_change;
    one.max_error = options_.max_error;
    one.weights = weights_;
    ASSAY_ASSIGN_OR_RETURN(
        CellResult result,
        BisectCell(hashes_, candidates_, one, builder, comparer));
    report_.cells.push_back(std::move(result));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BisectOutcome> Bisect(const BisectOptions& options) {
  return Job(options).Run();
}

}  // namespace assay::ci
