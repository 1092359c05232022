#include "runtime/measure/subprocess.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/loop_session.h"
#include "runtime/process/line_protocol.h"

namespace assay::runtime {
namespace {

class SubprocessSession : public LoopSession {
 public:
  SubprocessSession(const SubprocessOptions& options, TempDir folder,
                    std::unique_ptr<LineProtocol> program, int threads)
      : LoopSession(Clock::Monotonic(), options.time_limit_s),
        facts_(options.facts),
        folder_(std::move(folder)),
        program_(std::move(program)),
        threads_(threads) {}

  // Waits until the program has loaded the artifact.
  absl::Status WaitUntilReady() {
    if (ready_) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const std::string line, program_->ReadLine());
    if (!absl::StartsWith(line, "ready ") ||
        !absl::SimpleAtoi(line.substr(6), &threads_) || threads_ < 1) {
      return absl::InternalError(absl::StrCat("bench_artifact wrote `", line,
                                              "` instead of `ready THREADS`"));
    }
    ready_ = true;
    return absl::OkStatus();
  }

  DeviceFacts facts() const override { return facts_; }
  int threads() const override { return threads_; }

  absl::Status SetInputs(const NamedTensors& inputs) override {
    const std::string path = JoinPath(folder_.path(), "inputs");
    ASSAY_RETURN_IF_ERROR(WriteTensors(path, inputs));
    return Step("inputs " + path).status();
  }

  absl::StatusOr<std::vector<int64_t>> TimeCalls(int program) override {
    CHECK_EQ(program, 0);
    return Step("calls");
  }

 private:
  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool /*poison_outputs*/) override {
    CHECK_EQ(program, 0);
    // The program always poisons its outputs.
    const std::string step = absl::StrCat("run ", number);
    ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos, Step(step));
    if (nanos.size() != 1 || nanos[0] < 0) return UnexpectedAnswer(step);
    return nanos[0];
  }

  absl::StatusOr<int64_t> TimeRunByCall(
      int program, bool poison_outputs,
      std::vector<int64_t>* call_nanos) override {
    CHECK_EQ(program, 0);
    if (!knows_timed_) return TimeRuns(program, 1, poison_outputs);
    absl::StatusOr<std::vector<int64_t>> nanos = Step("timed");
    if (!nanos.ok() &&
        absl::StrContains(nanos.status().message(), "`timed` is no step")) {
      knows_timed_ = false;
      return TimeRuns(program, 1, poison_outputs);
    }
    if (!nanos.ok()) return nanos.status();
    if (nanos->empty() || nanos->front() < 0) return UnexpectedAnswer("timed");
    call_nanos->assign(nanos->begin() + 1, nanos->end());
    return nanos->front();
  }

  absl::StatusOr<NamedTensors> Outputs(int) override {
    const std::string path = JoinPath(folder_.path(), "outputs");
    ASSAY_RETURN_IF_ERROR(Step("outputs " + path).status());
    return ReadTensors(path);
  }

  static absl::Status UnexpectedAnswer(const std::string& step) {
    return absl::InternalError(absl::StrCat(
        "bench_artifact gave an unexpected answer to `", step, "`"));
  }

  // Returns the numbers of the answer.
  absl::StatusOr<std::vector<int64_t>> Step(const std::string& step) {
    ASSAY_RETURN_IF_ERROR(WaitUntilReady());
    ASSAY_ASSIGN_OR_RETURN(const std::string answer, program_->Request(step));
    const std::vector<std::string> words =
        absl::StrSplit(answer, ' ', absl::SkipEmpty());
    if (words.empty() || words[0] != "ok") {
      return absl::InternalError(
          absl::StrCat("bench_artifact, asked to `", step, "`: ", answer));
    }
    std::vector<int64_t> numbers;
    for (size_t i = 1; i < words.size(); ++i) {
      numbers.push_back(0);
      if (!absl::SimpleAtoi(words[i], &numbers.back())) {
        return UnexpectedAnswer(step);
      }
    }
    return numbers;
  }

  const DeviceFacts facts_;
  // Removed after the program has ended.
  const TempDir folder_;
  const std::unique_ptr<LineProtocol> program_;
  int threads_;  // as requested until the program is ready
  bool ready_ = false;
  // False for the program of a commit that did not have this step.
  bool knows_timed_ = true;
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
  if (artifacts.size() != 1) {
    return absl::UnimplementedError(
        "bench_artifact runs one artifact; two cannot share its memory");
  }
  ASSAY_ASSIGN_OR_RETURN(TempDir folder,
                         TempDir::CreateInMemory("assay_steps"));
  ASSAY_ASSIGN_OR_RETURN(const std::string model,
                         FileOf(*artifacts[0], options.artifact_digest));
  std::vector<std::string> command = options_.command;
  command.insert(command.end(), {"--steps", "--artifact=" + model,
                                 absl::StrCat("--threads=", options.threads)});
  if (options.placement_seed != 0) {
    command.push_back(
        absl::StrCat("--placement_seed=", options.placement_seed));
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<LineProtocol> program,
                         LineProtocol::Start(command, options_.time_limit_s));
  auto session = std::make_unique<SubprocessSession>(
      options_, std::move(folder), std::move(program), options.threads);
  if (!options.deferred) ASSAY_RETURN_IF_ERROR(session->WaitUntilReady());
  return session;
}

}  // namespace assay::runtime
