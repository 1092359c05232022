#include "ci/bisect/workbench.h"

#include <cstdint>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "ci/bisect/commits/bazel_query.h"
#include "ci/bisect/suite_comparer.h"
#include "runtime/base/clock.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::ci {
namespace {

// The first build of the workspace's suite, with all that it downloads.
constexpr double kSuiteBuildSeconds = 3 * 3600;

// Flags of the suite that the bisection sets.
constexpr absl::string_view kOwnFlags[] = {"--against",
                                           "--against_runtime",
                                           "--artifacts",
                                           "--artifacts_runtime",
                                           "--attribute_undecided",
                                           "--attribution_precision",
                                           "--bless",
                                           "--changed_kernels",
                                           "--cells",
                                           "--dump_dir",
                                           "--keep_artifacts",
                                           "--margin",
                                           "--max_budget",
                                           "--node",
                                           "--out",
                                           "--resume",
                                           "--store"};

std::string ShortDigest(const std::vector<std::string>& parts) {
  return Sha256Hex(absl::StrJoin(parts, "\n")).substr(0, 16);
}

absl::Status CheckFlags(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags) {
    const std::string name = flag.substr(0, flag.find('='));
    if (!absl::c_linear_search(kOwnFlags, name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the bisection sets `", name, "` itself",
                     name == "--cells" ? "; use `--cell`" : ""));
  }
  return absl::OkStatus();
}

}  // namespace

// Counts and times the builds.
class Workbench::TimedBuilder : public Builder {
 public:
  explicit TimedBuilder(Workbench& bench) : bench_(bench) {}

  bool IsDone(const std::string& commit) const override {
    return bench_.commits_->IsDone(commit);
  }
  absl::StatusOr<const Build*> Get(const std::string& commit) override {
    const bool was_done = IsDone(commit);
    const int64_t start = MonotonicNanos();
    ASSAY_ASSIGN_OR_RETURN(const Build* build, bench_.commits_->Get(commit));
    if (!was_done) {
      ++bench_.builds_;
      bench_.building_s_ += static_cast<double>(MonotonicNanos() - start) / 1e9;
    }
    return build;
  }

 private:
  Workbench& bench_;
};

class Workbench::LazyComparer : public Comparer {
 public:
  explicit LazyComparer(const Workbench& bench) : bench_(bench) {}

  absl::StatusOr<Comparison> Compare(
      const ComparisonRequest& request) override {
    if (comparer_ == nullptr) ASSAY_RETURN_IF_ERROR(BuildSuite());
    return comparer_->Compare(request);
  }
  bool HasMoreTime() const override {
    return comparer_ == nullptr || comparer_->HasMoreTime();
  }

 private:
  absl::Status BuildSuite() {
    const WorkbenchOptions& options = bench_.options_;
    runtime::ProcessOptions process;
    process.timeout_s = kSuiteBuildSeconds;
    ASSAY_ASSIGN_OR_RETURN(
        const runtime::ProcessResult built,
        runtime::RunProcess(
            {"/usr/bin/env", "-C", options.workspace, "./bazelw", "build",
             "--noshow_progress", absl::StrCat("//suites:", options.suite)},
            process));
    if (!built.ok()) {
      return absl::InternalError(
          absl::StrCat("the suite of the workspace does not build: ",
                       runtime::LastLines(built.err)));
    }
    SuiteComparerOptions compare;
    compare.folder = JoinPath(bench_.folder_, "comparisons");
    compare.program = JoinPath(
        options.workspace, absl::StrCat("bazel-bin/suites/", options.suite));
    compare.flags = options.flags;
    compare.budget_s = options.budget_s;
    compare.on_measurement = options.on_measurement;
    comparer_ = std::make_unique<SuiteComparer>(std::move(compare));
    return absl::OkStatus();
  }

  const Workbench& bench_;
  std::unique_ptr<SuiteComparer> comparer_;
};

Workbench::Workbench(WorkbenchOptions options)
    : options_(std::move(options)), repository_(options_.workspace) {}

absl::StatusOr<std::unique_ptr<Workbench>> Workbench::Open(
    WorkbenchOptions options) {
  ASSAY_RETURN_IF_ERROR(CheckFlags(options.flags));
  std::unique_ptr<Workbench> bench(new Workbench(std::move(options)));
  ASSAY_RETURN_IF_ERROR(bench->MakeFolders());
  CommitBuilderOptions build;
  build.folder = JoinPath(bench->folder_, "builds");
  build.tree = bench->Tree();
  build.suite = bench->options_.suite;
  build.flags = bench->options_.flags;
  for (const std::string& cell : bench->options_.cells) {
    build.flags.push_back("--cells=" + cell);
  }
  build.on_build = bench->options_.on_build;
  bench->commits_ =
      std::make_unique<CommitBuilder>(bench->repository_, std::move(build));
  bench->builder_ = std::make_unique<TimedBuilder>(*bench);
  bench->comparer_ = std::make_unique<LazyComparer>(*bench);
  return bench;
}

absl::Status Workbench::MakeFolders() {
  ASSAY_ASSIGN_OR_RETURN(const std::string cache, UserCacheDir());
  shared_ =
      JoinPath(JoinPath(cache, "bisect"), ShortDigest({options_.workspace}));
  folder_ = options_.out;
  if (folder_.empty()) {
    std::vector<std::string> job = options_.key;
    job.push_back(options_.suite);
    for (const auto* list : {&options_.cells, &options_.flags}) {
      job.insert(job.end(), list->begin(), list->end());
    }
    folder_ = JoinPath(shared_, ShortDigest(job));
  }
  for (const char* name : {"builds", "comparisons"}) {
    ASSAY_RETURN_IF_ERROR(MakeDirs(JoinPath(folder_, name)));
  }
  ASSAY_RETURN_IF_ERROR(MakeDirs(shared_));
  ASSAY_ASSIGN_OR_RETURN(FolderLock lock, FolderLock::Acquire(shared_));
  lock_.emplace(std::move(lock));
  return absl::OkStatus();
}

Builder& Workbench::builder() { return *builder_; }
Comparer& Workbench::comparer() { return *comparer_; }

absl::StatusOr<std::vector<InputDigest>> Workbench::InputsOf(
    const std::vector<std::string>& commits,
    const std::function<void(size_t)>& on_read) {
  const std::vector<std::string> targets = {
      absl::StrCat("//suites:", options_.suite),
      "//runtime/tools:bench_artifact"};
  // A line `COMMIT ALL CODE KERNELS` for each commit.
  const std::string path =
      JoinPath(shared_, absl::StrCat("inputs_", ShortDigest(targets)));
  std::map<std::string, InputDigest> known;
  std::string text;
  if (FileExists(path)) {
    ASSAY_ASSIGN_OR_RETURN(text, ReadFile(path));
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      const std::vector<std::string> fields = absl::StrSplit(line, ' ');
      if (fields.size() != 4) continue;
      known[fields[0]] = {fields[1], fields[2], fields[3]};
    }
  }
  InputDigests inputs(repository_, [&](const std::string& commit) {
    return BazelQuery(repository_, Tree(), targets, commit);
  });
  std::vector<InputDigest> digests;
  for (size_t i = 0; i < commits.size(); ++i) {
    const auto found = known.find(commits[i]);
    if (found != known.end()) {
      digests.push_back(found->second);
      continue;
    }
    on_read(i);
    ASSAY_ASSIGN_OR_RETURN(digests.emplace_back(), inputs.DigestOf(commits[i]));
    absl::StrAppend(&text, commits[i], " ", digests.back().all, " ",
                    digests.back().code, " ", digests.back().kernels, "\n");
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, text));
  }
  return digests;
}

std::vector<std::string> Workbench::CellsOf(
    const std::vector<const Build*>& builds) {
  std::vector<std::string> cells;
  for (const Build* build : builds) {
    for (const CellBuild& cell : build->cells) {
      if (!absl::c_linear_search(cells, cell.name)) cells.push_back(cell.name);
    }
  }
  return cells;
}

}  // namespace assay::ci
