#include "suites/harness/runners/process_runner.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/line_protocol.h"

namespace assay::suites {
namespace {

constexpr double kTimeoutSeconds = 120;

class ProcessSession : public Session {
 public:
  ProcessSession(std::unique_ptr<runtime::LineProtocol> program, TempDir folder,
                 int threads)
      : folder_(std::move(folder)),
        program_(std::move(program)),
        threads_(threads) {}

  int threads() const override { return threads_; }

  absl::Status SetInputs(const runtime::NamedTensors& inputs) override {
    const std::string path = JoinPath(folder_.path(), "inputs");
    ASSAY_RETURN_IF_ERROR(runtime::WriteTensors(path, inputs));
    return Step("inputs " + path).status();
  }

  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    ASSAY_RETURN_IF_ERROR(Step("run 1").status());
    return Outputs();
  }

  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override {
    if (timing.warmup() > 0) {
      ASSAY_RETURN_IF_ERROR(
          Step(absl::StrCat("run ", timing.warmup())).status());
    }
    Measurement measurement;
    for (int i = 0; i < timing.repeat(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                             Step(absl::StrCat("run ", timing.number())));
      if (nanos.size() != 1) return Unexpected();
      measurement.samples_ms.push_back(static_cast<double>(nanos[0]) * 1e-6 /
                                       timing.number());
    }
    ASSAY_ASSIGN_OR_RETURN(measurement.outputs, Outputs());
    return measurement;
  }

  absl::StatusOr<std::vector<int64_t>> TimeCalls() override {
    return Step("calls");
  }

 private:
  static absl::Status Unexpected() {
    return absl::InternalError("bench_artifact gave an answer of another step");
  }

  absl::StatusOr<runtime::NamedTensors> Outputs() {
    const std::string path = JoinPath(folder_.path(), "outputs");
    ASSAY_RETURN_IF_ERROR(Step("outputs " + path).status());
    return runtime::ReadTensors(path);
  }

  // The numbers of the answer.
  absl::StatusOr<std::vector<int64_t>> Step(const std::string& step) {
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
      if (!absl::SimpleAtoi(words[i], &numbers.back())) return Unexpected();
    }
    return numbers;
  }

  // Removed after the program has ended.
  const TempDir folder_;
  const std::unique_ptr<runtime::LineProtocol> program_;
  const int threads_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> ProcessRunner::Load(
    const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
    int threads) {
  ASSAY_ASSIGN_OR_RETURN(TempDir folder, TempDir::Create("assay_steps"));
  const std::string model = JoinPath(folder.path(), "model.assay");
  const std::string values = JoinPath(folder.path(), "inputs");
  ASSAY_RETURN_IF_ERROR(runtime::WriteArtifact(model, artifact));
  ASSAY_RETURN_IF_ERROR(runtime::WriteTensors(values, inputs));
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<runtime::LineProtocol> program,
      runtime::LineProtocol::Start(
          {program_, "--steps", "--artifact=" + model, "--inputs=" + values,
           absl::StrCat("--threads=", threads)},
          kTimeoutSeconds));
  ASSAY_ASSIGN_OR_RETURN(const std::string ready, program->ReadLine());
  int count = 0;
  if (!absl::StartsWith(ready, "ready ") ||
      !absl::SimpleAtoi(ready.substr(6), &count)) {
    return absl::InternalError(
        absl::StrCat("`", program_, "` says `", ready, "`, not `ready`"));
  }
  return std::make_unique<ProcessSession>(std::move(program), std::move(folder),
                                          count);
}

}  // namespace assay::suites
