#include "runtime/measure/subprocess.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"
#include "runtime/measure/loop_session.h"
#include "runtime/process/line_protocol.h"

namespace assay::runtime {
namespace {

absl::Status UnexpectedAnswer(absl::string_view request) {
  return absl::InternalError(absl::StrCat(
      "bench_artifact gave an unexpected answer to `", request, "`"));
}

// Returns the error in an answer that does not begin with `ok`. `request` names
// the request.
absl::Status ErrorIn(const std::string& answer, absl::string_view request) {
  const std::optional<absl::Status> failure = ParseFailure(answer);
  return absl::Status(
      failure.has_value() ? failure->code() : absl::StatusCode::kInternal,
      absl::StrCat("bench_artifact, asked to `", request,
                   "`: ", failure.has_value() ? failure->message() : answer));
}

// Returns true for the answer of a program that does not know the request.
bool IsNoStep(absl::string_view answer) {
  return absl::EndsWith(answer, "` is no step");
}

// A running bench_artifact.
class Worker {
 public:
  Worker(std::unique_ptr<LineProtocol> program, TempDir folder, int threads,
         double time_limit_s)
      : folder_(std::move(folder)),
        program_(std::move(program)),
        time_limit_s_(time_limit_s),
        threads_(threads) {}

  // Waits until the program has loaded the artifacts.
  absl::Status WaitUntilReady() {
    if (ready_ || !broken_.ok()) return broken_;
    ASSAY_ASSIGN_OR_RETURN(const std::string line, ReadLine(time_limit_s_));
    if (!absl::StartsWith(line, "ready ") ||
        !absl::SimpleAtoi(line.substr(6), &threads_) || threads_ < 1) {
      return Break(absl::InternalError(absl::StrCat(
          "bench_artifact wrote `", line, "` instead of `ready THREADS`")));
    }
    ready_ = true;
    return absl::OkStatus();
  }

  // Returns the requested number until the program is ready.
  int threads() const { return threads_; }
  // The folder of the tensor files that both processes use.
  const std::string& folder() const { return folder_.path(); }

  // Sends a request and returns the first line of the answer.
  absl::StatusOr<std::string> Ask(const std::string& request,
                                  double time_limit_s) {
    ASSAY_RETURN_IF_ERROR(WaitUntilReady());
    ASSAY_RETURN_IF_ERROR(broken_);
    return Keep(program_->Request(request, time_limit_s));
  }
  // Returns a further line of the answer.
  absl::StatusOr<std::string> ReadLine(double time_limit_s) {
    return Keep(program_->ReadLine(time_limit_s));
  }

  // Sends a request whose answer is `ok` and numbers, and returns the numbers.
  absl::StatusOr<std::vector<int64_t>> Step(const std::string& step) {
    ASSAY_ASSIGN_OR_RETURN(const std::string answer, Ask(step, time_limit_s_));
    const std::vector<std::string> words =
        absl::StrSplit(answer, ' ', absl::SkipEmpty());
    if (words.empty() || words[0] != "ok") return ErrorIn(answer, step);
    std::vector<int64_t> numbers;
    for (size_t i = 1; i < words.size(); ++i) {
      numbers.push_back(0);
      if (!absl::SimpleAtoi(words[i], &numbers.back())) {
        return UnexpectedAnswer(step);
      }
    }
    return numbers;
  }

  // Makes all following calls return `error`: after it, a line of the program
  // could belong to an earlier request. Returns `error`.
  absl::Status Break(const absl::Status& error) {
    broken_ = error;
    return error;
  }

 private:
  absl::StatusOr<std::string> Keep(absl::StatusOr<std::string> line) {
    if (!line.ok()) broken_ = line.status();
    return line;
  }

  // Removed after the program has ended.
  const TempDir folder_;
  const std::unique_ptr<LineProtocol> program_;
  const double time_limit_s_;
  int threads_;
  bool ready_ = false;
  absl::Status broken_;
};

// Takes samples with one request or more for each sample. All programs can be
// measured in this way.
class StepSession : public LoopSession {
 public:
  // `worker` must outlive the session.
  StepSession(Worker* worker, double time_limit_s)
      : LoopSession(Clock::Monotonic(), time_limit_s), worker_(*worker) {}

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
    if (!nanos.ok() && IsNoStep(nanos.status().message())) {
      knows_timed_ = false;
      return TimeRuns(program, 1, poison_outputs);
    }
    if (!nanos.ok()) return nanos.status();
    if (nanos->empty() || nanos->front() < 0) return UnexpectedAnswer("timed");
    call_nanos->assign(nanos->begin() + 1, nanos->end());
    return nanos->front();
  }

  absl::StatusOr<NamedTensors> Outputs(int) override {
    const std::string path = JoinPath(worker_.folder(), "outputs");
    ASSAY_RETURN_IF_ERROR(worker_.Step("outputs " + path).status());
    return ReadTensors(path);
  }

  Worker& worker_;
  // False for the program of a commit that did not have this step.
  bool knows_timed_ = true;
};

class SubprocessSession : public Session {
 public:
  SubprocessSession(const SubprocessOptions& options, int programs,
                    std::unique_ptr<LineProtocol> program, TempDir folder,
                    int threads)
      : facts_(options.facts),
        programs_(programs),
        block_limit_s_(options.block_limit_s > 0 ? options.block_limit_s
                                                 : options.time_limit_s),
        worker_(std::move(program), std::move(folder), threads,
                options.time_limit_s),
        steps_(&worker_, block_limit_s_) {}

  absl::Status WaitUntilReady() { return worker_.WaitUntilReady(); }

  DeviceFacts facts() const override { return facts_; }
  int threads() const override { return worker_.threads(); }

  absl::Status SetInputs(const NamedTensors& inputs) override {
    const std::string path = JoinPath(worker_.folder(), "inputs");
    ASSAY_RETURN_IF_ERROR(WriteTensors(path, inputs));
    return worker_.Step("inputs " + path).status();
  }

  absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) override {
    if (!knows_block_.has_value()) {
      const std::string empty = SerializeBlock(Block(), /*outputs_folder=*/"");
      const absl::Status status = worker_.Step("block " + empty).status();
      if (!status.ok() && !IsNoStep(status.message())) return status;
      knows_block_ = status.ok();
    }
    return *knows_block_ ? TakeBlock(block) : steps_.RunBlock(block);
  }

  absl::StatusOr<std::vector<int64_t>> TimeCalls(int program) override {
    CHECK(program >= 0 && program < programs_);
    // All programs know this request without the index.
    return worker_.Step(program == 0 ? "calls"
                                     : absl::StrCat("calls ", program));
  }

  absl::Status FlushCaches(int64_t bytes) override {
    const absl::Status status =
        worker_.Step(absl::StrCat("flush ", bytes)).status();
    return IsNoStep(status.message()) ? steps_.FlushCaches(bytes) : status;
  }

 private:
  absl::StatusOr<std::vector<Sample>> TakeBlock(const Block& block) {
    const int64_t start = MonotonicNanos();
    const std::string text = SerializeBlock(block, worker_.folder());
    ASSAY_ASSIGN_OR_RETURN(std::string line,
                           worker_.Ask("block " + text, block_limit_s_));
    std::vector<Sample> samples;
    while (absl::StartsWith(line, "sample ")) {
      const size_t i = samples.size();
      absl::StatusOr<Sample> sample = ParseSample(line);
      if (!sample.ok()) return worker_.Break(sample.status());
      if (i == block.samples.size() ||
          sample->number < block.samples[i].number) {
        return worker_.Break(UnexpectedAnswer("block"));
      }
      samples.push_back(*std::move(sample));
      const double spent_s =
          static_cast<double>(MonotonicNanos() - start) * 1e-9;
      ASSAY_ASSIGN_OR_RETURN(
          line, worker_.ReadLine(std::max(block_limit_s_ - spent_s, 0.0)));
    }
    if (!absl::StartsWith(line, "ok")) return ErrorIn(line, "block");
    if (line != "ok" || samples.size() != block.samples.size()) {
      return worker_.Break(UnexpectedAnswer("block"));
    }
    if (block.read_outputs) ASSAY_RETURN_IF_ERROR(ReadOutputs(&samples));
    return samples;
  }

  // Reads and removes the files of the outputs.
  absl::Status ReadOutputs(std::vector<Sample>* samples) const {
    for (size_t i = 0; i < samples->size(); ++i) {
      const std::string path = OutputsPath(worker_.folder(), i);
      ASSAY_ASSIGN_OR_RETURN((*samples)[i].outputs, ReadTensors(path));
      unlink(path.c_str());
    }
    return absl::OkStatus();
  }

  const DeviceFacts facts_;
  const int programs_;
  const double block_limit_s_;
  Worker worker_;
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
  std::vector<std::string> command = options_.command;
  command.push_back("--steps");
  for (const Artifact* artifact : artifacts) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::string file,
        FileOf(*artifact, is_pair ? std::string() : options.artifact_digest));
    command.push_back("--artifact=" + file);
  }
  command.push_back(absl::StrCat("--threads=", options.threads));
  if (options.placement_seed != 0) {
    command.push_back(
        absl::StrCat("--placement_seed=", options.placement_seed));
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<LineProtocol> program,
                         LineProtocol::Start(command, options_.time_limit_s));
  auto session = std::make_unique<SubprocessSession>(
      options_, static_cast<int>(artifacts.size()), std::move(program),
      std::move(folder), options.threads);
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
