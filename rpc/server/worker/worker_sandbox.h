// WorkerSandbox: confines the worker of each session; see
// runtime/process/confine.h.
//
//   SandboxOptions options;
//   options.command = {"/usr/libexec/assay/bench_artifact"};
//   ASSAY_ASSIGN_OR_RETURN(const WorkerSandbox sandbox,
//                          WorkerSandbox::Create(options, root->path()));
//   facts.state["confinement"] = sandbox.Description();
//   …
//   ASSAY_ASSIGN_OR_RETURN(const auto confinement,
//                          sandbox.Prepare(folder.path(), artifact_paths));
//
// A worker can read its program (with an emulator and what else the command
// line names), the libraries of the system, its artifacts, and nothing else of
// the device; and write only in its folder. It has no network, cannot start
// processes, and does not inherit the environment of the server. Where the
// kernel lacks a part of this, the device still works, and its facts say what
// is missing.
#ifndef ASSAY_RPC_SERVER_WORKER_WORKER_SANDBOX_H_
#define ASSAY_RPC_SERVER_WORKER_WORKER_SANDBOX_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/process/confine.h"

namespace assay::rpc {

// A limit of 0 stands for no limit.
struct SandboxOptions {
  // The command line of the worker before the flags of bench_artifact. Words
  // that are paths of files or folders become absolute, and readable for the
  // worker.
  std::vector<std::string> command;
  // More files and folders that the worker can read, such as a sysroot.
  std::vector<std::string> readable;
  // Private memory of the worker.
  int64_t max_memory_bytes = int64_t{4} << 30;
  // Processor time of a session, over all threads.
  int64_t max_cpu_seconds = 0;
  // Of each file that the worker writes.
  int64_t max_file_bytes = int64_t{1} << 30;
  int64_t max_open_files = 256;
  // Of all processes of the user; root has no limit.
  int64_t max_threads = 4096;
  // The whole environment of the worker: lines `NAME=VALUE`. Workers need none;
  // tests find the processes that they have started by it.
  std::vector<std::string> environment = {};
};

class WorkerSandbox {
 public:
  // Returns NotFound or InvalidArgument if the command or a path cannot be
  // used. `folder` is any existing folder, in which the restrictions are tried.
  static absl::StatusOr<WorkerSandbox> Create(const SandboxOptions& options,
                                              const std::string& folder);

  // The command line with absolute paths.
  const std::vector<std::string>& command() const { return command_; }

  // The restrictions that this device lacks, or `complete`.
  std::string Description() const;

  // The confinement of one worker with these artifacts.
  absl::StatusOr<std::unique_ptr<runtime::PreparedConfinement>> Prepare(
      const std::string& folder,
      const std::vector<std::string>& artifacts) const;

 private:
  WorkerSandbox() = default;

  std::vector<std::string> command_;
  runtime::Confinement confinement_;
  std::vector<std::string> missing_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_WORKER_WORKER_SANDBOX_H_
