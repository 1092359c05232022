#include "runtime/measure/subprocess.h"

#include <unistd.h>

#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"
#include "runtime/measure/worker_process.h"

namespace assay::runtime {
namespace {

class SubprocessSession : public Session {
 public:
  SubprocessSession(const SubprocessOptions& options, int programs,
                    std::unique_ptr<WorkerProcess> worker, TempDir folder)
      : facts_(options.facts),
        programs_(programs),
        time_limit_s_(options.time_limit_s),
        folder_(std::move(folder)),
        worker_(std::move(worker)) {}

  absl::Status WaitUntilReady() { return worker_->WaitUntilReady(); }

  DeviceFacts facts() const override { return facts_; }
  int threads() const override { return worker_->threads(); }

  absl::Status SetInputs(const NamedTensors& inputs) override {
    const std::string path = JoinPath(folder_.path(), "inputs");
    ASSAY_RETURN_IF_ERROR(WriteTensors(path, inputs));
    return worker_->Step("inputs " + path).status();
  }

  absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) override {
    std::vector<Sample> samples;
    ASSAY_RETURN_IF_ERROR(
        worker_->TakeBlock(block, folder_.path(), time_limit_s_,
                           [&samples](size_t, Sample sample) {
                             samples.push_back(std::move(sample));
                             return absl::OkStatus();
                           }));
    if (block.read_outputs) ASSAY_RETURN_IF_ERROR(ReadOutputs(&samples));
    return samples;
  }

  absl::Status Replace(const Artifact& artifact) override {
    if (programs_ != 2) return Session::Replace(artifact);
    const std::string path = JoinPath(folder_.path(), "replacement");
    ASSAY_RETURN_IF_ERROR(WriteArtifact(path, artifact));
    const absl::Status status = worker_->Step("replace " + path).status();
    unlink(path.c_str());
    return status;
  }

  absl::StatusOr<int64_t> LoadNanos() override { return worker_->LoadNanos(); }

  absl::StatusOr<int64_t> PeakResidentBytes() override {
    return worker_->PeakResidentBytes();
  }

 private:
  // Reads and removes the files of the outputs.
  absl::Status ReadOutputs(std::vector<Sample>* samples) const {
    for (size_t i = 0; i < samples->size(); ++i) {
      const std::string path = OutputsPath(folder_.path(), i);
      ASSAY_ASSIGN_OR_RETURN((*samples)[i].outputs, ReadTensors(path));
      unlink(path.c_str());
    }
    return absl::OkStatus();
  }

  const DeviceFacts facts_;
  const int programs_;
  const double time_limit_s_;
  // The tensor files that both processes use. Removed after the worker has
  // ended.
  const TempDir folder_;
  const std::unique_ptr<WorkerProcess> worker_;
};

}  // namespace

// Returns the path of a file with the artifact. Artifacts that are loaded again
// are not written again.
absl::StatusOr<std::string> SubprocessRunner::FileOf(
    const Artifact& artifact, const std::string& digest) {
  if (!artifacts_.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(artifacts_, TempDir::Create("assay_artifacts"));
  }
  const std::string path =
      JoinPath(artifacts_->path(), digest.empty() ? Digest(artifact) : digest);
  if (!FileExists(path)) ASSAY_RETURN_IF_ERROR(WriteArtifact(path, artifact));
  return path;
}

absl::StatusOr<std::unique_ptr<Session>> SubprocessRunner::Load(
    absl::Span<const Artifact* const> artifacts, const LoadOptions& options) {
  CHECK(artifacts.size() == 1 || artifacts.size() == 2);
  const bool is_pair = artifacts.size() == 2;
  if (is_pair && options_.one_artifact) {
    return absl::UnimplementedError(
        "each process of this runner loads one artifact, not two");
  }
  ASSAY_ASSIGN_OR_RETURN(TempDir folder,
                         TempDir::CreateInMemory("assay_steps"));
  std::vector<std::string> paths;
  for (const Artifact* artifact : artifacts) {
    ASSAY_ASSIGN_OR_RETURN(
        paths.emplace_back(),
        FileOf(*artifact, is_pair ? std::string() : options.artifact_digest));
  }
  WorkerOptions worker_options;
  worker_options.command = options_.command;
  worker_options.time_limit_s = options_.time_limit_s;
  LoadOptions load = options;
  if (!SharesMemory()) load.shared_memory.clear();
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<WorkerProcess> worker,
                         WorkerProcess::Start(worker_options, paths, load));
  auto session = std::make_unique<SubprocessSession>(
      options_, static_cast<int>(artifacts.size()), std::move(worker),
      std::move(folder));
  if (!options.deferred) ASSAY_RETURN_IF_ERROR(session->WaitUntilReady());
  return session;
}

}  // namespace assay::runtime
