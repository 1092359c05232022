#include "rpc/server/worker/worker_sandbox.h"

#include <limits.h>
#include <unistd.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// Returns the absolute path of an existing file. Links are kept, because
// programs find their runfiles by their names.
absl::StatusOr<std::string> Absolute(const std::string& path) {
  if (!FileExists(path)) {
    return absl::NotFoundError(absl::StrCat("there is no file `", path, "`"));
  }
  if (path[0] == '/') return path;
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof(folder)) == nullptr) return ErrnoError("find", ".");
  return JoinPath(folder, path);
}

}  // namespace

absl::StatusOr<WorkerSandbox> WorkerSandbox::Create(
    const SandboxOptions& options, const std::string& folder) {
  if (options.command.empty()) {
    return absl::InvalidArgumentError("the command of the worker is empty");
  }
  WorkerSandbox sandbox;
  runtime::Confinement& confinement = sandbox.confinement_;
  confinement.readable = runtime::SystemLibraries();
  for (const std::string& word : options.command) {
    const bool is_path = sandbox.command_.empty() ||
                         (absl::StrContains(word, '/') && FileExists(word));
    std::string absolute = word;
    if (is_path) {
      ASSAY_ASSIGN_OR_RETURN(absolute, Absolute(word));
      confinement.readable.push_back(absolute);
    }
    sandbox.command_.push_back(absolute);
  }
  for (const std::string& path : options.readable) {
    ASSAY_ASSIGN_OR_RETURN(confinement.readable.emplace_back(), Absolute(path));
  }
  confinement.max_data_bytes = options.max_memory_bytes;
  confinement.max_cpu_seconds = options.max_cpu_seconds;
  confinement.max_file_bytes = options.max_file_bytes;
  confinement.max_open_files = options.max_open_files;
  confinement.max_user_threads = options.max_threads;
  confinement.environment = options.environment;
  ASSAY_ASSIGN_OR_RETURN(const auto tried, sandbox.Prepare(folder, {}));
  sandbox.missing_ = tried->missing();
  return sandbox;
}

std::string WorkerSandbox::Description() const {
  if (missing_.empty()) return "complete";
  return absl::StrCat("without ", absl::StrJoin(missing_, "; "));
}

absl::StatusOr<std::unique_ptr<runtime::PreparedConfinement>>
WorkerSandbox::Prepare(const std::string& folder,
                       const std::vector<std::string>& artifacts) const {
  runtime::Confinement confinement = confinement_;
  confinement.folder = folder;
  confinement.readable.insert(confinement.readable.end(), artifacts.begin(),
                              artifacts.end());
  return runtime::PreparedConfinement::Prepare(confinement);
}

}  // namespace assay::rpc
