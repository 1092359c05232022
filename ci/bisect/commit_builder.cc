#include "ci/bisect/commit_builder.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reports/result/run_folder.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/file.h"
#include "runtime/base/hash_file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"
#include "suites/harness/cell_filter.h"

namespace assay::ci {
namespace {

// A build that fetches and compiles everything, on a slow machine.
constexpr double kBuildSeconds = 3 * 3600;
constexpr double kSuiteSeconds = 3600;
// Bazel's exit code if a target does not exist or cannot be built. Others are
// problems of the machine.
constexpr int kBazelBuildFailed = 1;
constexpr int kSuiteUsage = 2;

constexpr char kProblem[] = "problem";
constexpr char kRuntime[] = "bench_artifact";

absl::StatusOr<runtime::ProcessResult> RunIn(
    const std::string& folder, double timeout_s,
    const std::vector<std::string>& command) {
  // The program belongs to the worktree, not to the workspace from which the
  // bisection was started.
  std::vector<std::string> all = {"/usr/bin/env", "-C", folder,
                                  "BUILD_WORKSPACE_DIRECTORY=" + folder,
                                  "BUILD_WORKING_DIRECTORY=" + folder};
  all.insert(all.end(), command.begin(), command.end());
  runtime::ProcessOptions options;
  options.timeout_s = timeout_s;
  return runtime::RunProcess(all, options);
}

absl::Status FileError(const std::error_code& error, const std::string& path) {
  return absl::InternalError(
      absl::StrCat("cannot write `", path, "`: ", error.message()));
}

absl::StatusOr<CellBuild> ReadCell(const reports::Row& row,
                                   const std::string& folder) {
  CellBuild cell;
  cell.name = suites::CellName(row.cell.model, row.cell.device,
                               row.cell.variant, row.cell.threads);
  cell.row = row;
  if (row.build.artifact_digest.empty()) return cell;
  auto artifact = runtime::ArtifactStore(reports::ArtifactFolder(folder))
                      .Get(row.build.artifact_digest);
  if (artifact.ok()) {
    cell.calls = std::move(artifact->calls);
  } else if (cell.row.reason.empty()) {
    // For example, because the format of artifacts was another one.
    cell.row.reason = std::string(artifact.status().message());
  }
  return cell;
}

}  // namespace

absl::StatusOr<Build> ReadBuild(const std::string& commit,
                                const std::string& folder) {
  Build build;
  build.commit = commit;
  build.folder = folder;
  if (FileExists(JoinPath(folder, kProblem))) {
    ASSAY_ASSIGN_OR_RETURN(build.problem, ReadFile(JoinPath(folder, kProblem)));
    return build;
  }
  build.runtime = JoinPath(folder, kRuntime);
  Sha256 runtime;
  ASSAY_RETURN_IF_ERROR(HashFile(build.runtime, runtime).status());
  build.runtime_digest = HexOf(runtime.Finish());
  ASSAY_ASSIGN_OR_RETURN(const reports::RunResult result,
                         reports::ReadRunFolder(folder));
  for (const reports::Row& row : result.rows) {
    ASSAY_ASSIGN_OR_RETURN(CellBuild cell, ReadCell(row, folder));
    build.cells.push_back(std::move(cell));
  }
  return build;
}

std::string CommitBuilder::FolderOf(const std::string& commit) const {
  return JoinPath(options_.folder, commit);
}

bool CommitBuilder::IsDone(const std::string& commit) const {
  return builds_.count(commit) > 0 || FileExists(FolderOf(commit));
}

absl::StatusOr<const Build*> CommitBuilder::Get(const std::string& commit) {
  const auto known = builds_.find(commit);
  if (known != builds_.end()) return &known->second;
  const std::string folder = FolderOf(commit);
  if (!FileExists(folder)) {
    if (options_.on_build) options_.on_build(commit);
    ASSAY_RETURN_IF_ERROR(Make(commit, folder));
  }
  ASSAY_ASSIGN_OR_RETURN(Build build, ReadBuild(commit, folder));
  return &builds_.emplace(commit, std::move(build)).first->second;
}

absl::Status CommitBuilder::Make(const std::string& commit,
                                 const std::string& folder) const {
  const std::string partial = folder + ".partial";
  std::error_code error;
  std::filesystem::remove_all(partial, error);
  if (error) return FileError(error, partial);
  ASSAY_RETURN_IF_ERROR(MakeDirs(partial));
  ASSAY_ASSIGN_OR_RETURN(const std::string problem,
                         BuildAndRun(commit, partial));
  if (!problem.empty()) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(partial, kProblem), problem));
  }
  std::filesystem::rename(partial, folder, error);
  if (error) return FileError(error, folder);
  SyncFolder(options_.folder);
  return absl::OkStatus();
}

// Returns one sentence if the commit cannot be built, or the suite cannot run.
absl::StatusOr<std::string> CommitBuilder::BuildAndRun(
    const std::string& commit, const std::string& folder) const {
  ASSAY_RETURN_IF_ERROR(repository_.CheckOut(commit, options_.tree));
  const std::vector<std::string> build = {
      "./bazelw", "build", "--noshow_progress",
      absl::StrCat("//suites:", options_.suite),
      "//runtime/tools:bench_artifact"};
  ASSAY_ASSIGN_OR_RETURN(runtime::ProcessResult result,
                         RunIn(options_.tree, kBuildSeconds, build));
  // Once more, because a download may have failed.
  if (result.exit_code == kBazelBuildFailed) {
    ASSAY_ASSIGN_OR_RETURN(result, RunIn(options_.tree, kBuildSeconds, build));
  }
  const std::string log = JoinPath(folder, "build.log");
  const std::string build_text = result.out + result.err;
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(log, build_text));
  if (result.exit_code == kBazelBuildFailed) {
    return absl::StrCat("it does not build: ", runtime::LastLines(result.err));
  }
  if (!result.ok()) {
    return absl::InternalError(
        absl::StrCat("Bazel failed at commit ", commit, ", exit code ",
                     result.exit_code, ": ", runtime::LastLines(result.err)));
  }
  std::error_code error;
  const std::string program =
      JoinPath(options_.tree, "bazel-bin/runtime/tools/bench_artifact");
  std::filesystem::copy_file(program, JoinPath(folder, kRuntime), error);
  if (error) return FileError(error, JoinPath(folder, kRuntime));

  std::vector<std::string> run = {
      JoinPath(options_.tree, "bazel-bin/suites/" + options_.suite),
      "--out=" + folder, "--keep_artifacts",
      "--dump_dir=" + JoinPath(folder, "dump"), "--repeat=6"};
  run.insert(run.end(), options_.flags.begin(), options_.flags.end());
  ASSAY_ASSIGN_OR_RETURN(result, RunIn(options_.tree, kSuiteSeconds, run));
  ASSAY_RETURN_IF_ERROR(
      WriteFileAtomic(log, build_text + result.out + result.err));
  if (result.exit_code == kSuiteUsage) {
    return absl::StrCat("its suite does not take these flags: ",
                        runtime::LastLines(result.err));
  }
  if (!FileExists(JoinPath(folder, "results.json"))) {
    return absl::StrCat("its suite crashes: ",
                        result.signal != 0
                            ? absl::StrCat("signal ", result.signal)
                            : runtime::LastLines(result.err));
  }
  return "";
}

}  // namespace assay::ci
