#include "runtime/measure/subprocess.h"

#include <unistd.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"
#include "runtime/measure/loop_session.h"
#include "runtime/measure/worker_process.h"
#include "runtime/process/subprocess.h"

namespace assay::runtime {
namespace {

constexpr char kSharedMemory[] = "--shared_memory";

// Takes samples with one request or more for each sample. All programs can be
// measured in this way.
class StepSession : public LoopSession {
 public:
  // `worker` must outlive the session. `folder` is for the outputs.
  StepSession(WorkerProcess* worker, std::string folder, double time_limit_s)
      : LoopSession(Clock::Monotonic(), time_limit_s),
        worker_(*worker),
        folder_(std::move(folder)) {}

  int threads() const override { return worker_.threads(); }

 private:
  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool /*poison_outputs*/) override {
    CHECK_EQ(program, 0);
    // The program always poisons its outputs.
    const std::string step = absl::StrCat("run ", number);
    ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                           worker_.Step(step));
    if (nanos.size() != 1 || nanos[0] < 0) return UnexpectedAnswer(step);
    return nanos[0];
  }

  absl::StatusOr<int64_t> TimeRunByCall(
      int program, bool poison_outputs,
      std::vector<int64_t>* call_nanos) override {
    CHECK_EQ(program, 0);
    if (!knows_timed_) return TimeRuns(program, 1, poison_outputs);
    absl::StatusOr<std::vector<int64_t>> nanos = worker_.Step("timed");
    if (!nanos.ok() && IsNoStep(nanos.status())) {
      knows_timed_ = false;
      return TimeRuns(program, 1, poison_outputs);
    }
    if (!nanos.ok()) return nanos.status();
    if (nanos->empty() || nanos->front() < 0) return UnexpectedAnswer("timed");
    call_nanos->assign(nanos->begin() + 1, nanos->end());
    return nanos->front();
  }

  absl::StatusOr<NamedTensors> Outputs(int) override {
    const std::string path = JoinPath(folder_, "outputs");
    ASSAY_RETURN_IF_ERROR(worker_.Step("outputs " + path).status());
    return ReadTensors(path);
  }

  WorkerProcess& worker_;
  const std::string folder_;
  // False for the program of a commit that did not have this step.
  bool knows_timed_ = true;
};

class SubprocessSession : public Session {
 public:
  SubprocessSession(const SubprocessOptions& options, int programs,
                    std::unique_ptr<WorkerProcess> worker, TempDir folder)
      : facts_(options.facts),
        programs_(programs),
        block_limit_s_(options.block_limit_s > 0 ? options.block_limit_s
                                                 : options.time_limit_s),
        folder_(std::move(folder)),
        worker_(std::move(worker)),
        steps_(worker_.get(), folder_.path(), block_limit_s_) {}

  absl::Status WaitUntilReady() { return worker_->WaitUntilReady(); }

  DeviceFacts facts() const override { return facts_; }
  int threads() const override { return worker_->threads(); }

  absl::Status SetInputs(const NamedTensors& inputs) override {
    const std::string path = JoinPath(folder_.path(), "inputs");
    ASSAY_RETURN_IF_ERROR(WriteTensors(path, inputs));
    return worker_->Step("inputs " + path).status();
  }

  absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) override {
    if (!knows_block_.has_value()) {
      const std::string empty = SerializeBlock(Block(), /*outputs_folder=*/"");
      const absl::Status status = worker_->Step("block " + empty).status();
      if (!status.ok() && !IsNoStep(status)) return status;
      knows_block_ = status.ok();
    }
    return *knows_block_ ? TakeBlock(block) : steps_.RunBlock(block);
  }

  absl::StatusOr<std::vector<int64_t>> TimeCalls(int program) override {
    CHECK(program >= 0 && program < programs_);
    // All programs know this request without the index.
    return worker_->Step(program == 0 ? "calls"
                                      : absl::StrCat("calls ", program));
  }

  absl::Status FlushCaches(int64_t bytes) override {
    const absl::Status status =
        worker_->Step(absl::StrCat("flush ", bytes)).status();
    return IsNoStep(status) ? steps_.FlushCaches(bytes) : status;
  }

  absl::Status Replace(const Artifact& artifact) override {
    if (programs_ != 2) return Session::Replace(artifact);
    const std::string path = JoinPath(folder_.path(), "replacement");
    ASSAY_RETURN_IF_ERROR(WriteArtifact(path, artifact));
    const absl::Status status = worker_->Step("replace " + path).status();
    unlink(path.c_str());
    return IsNoStep(status) ? Session::Replace(artifact) : status;
  }

  absl::StatusOr<int64_t> LoadNanos() override { return worker_->LoadNanos(); }

 private:
  absl::StatusOr<std::vector<Sample>> TakeBlock(const Block& block) {
    std::vector<Sample> samples;
    ASSAY_RETURN_IF_ERROR(
        worker_->TakeBlock(block, folder_.path(), block_limit_s_,
                           [&samples](size_t, Sample sample) {
                             samples.push_back(std::move(sample));
                             return absl::OkStatus();
                           }));
    if (block.read_outputs) ASSAY_RETURN_IF_ERROR(ReadOutputs(&samples));
    return samples;
  }

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
  const double block_limit_s_;
  // The tensor files that both processes use. Removed after the worker has
  // ended.
  const TempDir folder_;
  const std::unique_ptr<WorkerProcess> worker_;
  StepSession steps_;
  // Nothing until the first block. False for the program of a commit that did
  // not have this request.
  std::optional<bool> knows_block_;
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

bool SubprocessRunner::SharesMemory() {
  if (!shares_memory_.has_value()) {
    shares_memory_ = false;
    if (options_.command.size() != 1) return false;
    ProcessOptions limit;
    limit.timeout_s = options_.time_limit_s;
    const auto help = RunProcess({options_.command[0], "--help"}, limit);
    shares_memory_ = help.ok() && absl::StrContains(help->out, kSharedMemory);
  }
  return *shares_memory_;
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
  if (!options.shared_memory.empty() && !is_pair && SharesMemory()) {
    worker_options.command.push_back(
        absl::StrCat(kSharedMemory, "=", options.shared_memory));
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<WorkerProcess> worker,
                         WorkerProcess::Start(worker_options, paths, options));
  auto session = std::make_unique<SubprocessSession>(
      options_, static_cast<int>(artifacts.size()), std::move(worker),
      std::move(folder));
  if (options.deferred && !is_pair) return session;
  const absl::Status ready = session->WaitUntilReady();
  // The program of an older commit ends with a usage error.
  if (is_pair && absl::IsUnavailable(ready) &&
      absl::StrContains(ready.message(), "see --help")) {
    return absl::UnimplementedError(absl::StrCat(
        "bench_artifact is too old to load two artifacts: ", ready.message()));
  }
  ASSAY_RETURN_IF_ERROR(ready);
  return session;
}

}  // namespace assay::runtime
