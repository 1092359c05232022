#include "runtime/measure/worker_process.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"

namespace assay::runtime {
namespace {

// Returns the error in an answer that does not begin with `ok`. `request` names
// the request.
absl::Status ErrorIn(const std::string& answer, absl::string_view request) {
  const std::optional<absl::Status> failure = ParseFailure(answer);
  return absl::Status(
      failure.has_value() ? failure->code() : absl::StatusCode::kInternal,
      absl::StrCat("bench_artifact, asked to `", request,
                   "`: ", failure.has_value() ? failure->message() : answer));
}

absl::Status WrongLine(absl::string_view line, absl::string_view expected) {
  constexpr size_t kMaxQuotedBytes = 100;
  return absl::InternalError(
      absl::StrCat("bench_artifact wrote `",
                   absl::CHexEscape(line.substr(0, kMaxQuotedBytes)),
                   "` instead of `", expected, "`"));
}

// Returns what is left of a time limit in seconds that began at `start_nanos`.
double SecondsLeft(double time_limit_s, int64_t start_nanos) {
  const auto spent = static_cast<double>(MonotonicNanos() - start_nanos);
  return std::max(time_limit_s - spent * 1e-9, 0.0);
}

}  // namespace

absl::Status UnexpectedAnswer(absl::string_view request) {
  return absl::InternalError(absl::StrCat(
      "bench_artifact gave an unexpected answer to `", request, "`"));
}

absl::StatusOr<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(
    const WorkerOptions& options,
    const std::vector<std::string>& artifact_paths, const LoadOptions& load) {
  std::vector<std::string> command = options.command;
  command.push_back(absl::StrCat("--steps=", kProtocolVersion));
  for (const std::string& path : artifact_paths) {
    command.push_back("--artifact=" + path);
  }
  command.push_back(absl::StrCat("--threads=", load.threads));
  if (load.placement_seed != 0) {
    command.push_back(absl::StrCat("--placement_seed=", load.placement_seed));
  }
  if (!load.shared_memory.empty()) {
    command.push_back("--shared_memory=" + load.shared_memory);
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<LineProtocol> program,
                         LineProtocol::Start(command, options.time_limit_s,
                                             options.spawn, options.interrupt));
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(options, std::move(program), load.threads));
}

absl::Status WorkerProcess::CheckVersion(absl::string_view line) const {
  absl::string_view version = line;
  int number = 1;
  if (absl::ConsumePrefix(&version, "protocol ")
          ? !absl::SimpleAtoi(version, &number)
          : !absl::StartsWith(line, "ready ")) {
    return WrongLine(line, "protocol VERSION");
  }
  if (number == kProtocolVersion) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("`", path_, "` has version ", number,
                   " of the protocol of workers, but this program has version ",
                   kProtocolVersion, "; build it from ",
                   number < kProtocolVersion ? "a later" : "an earlier",
                   " commit, or measure with the harness of its commit"));
}

absl::Status WorkerProcess::WaitUntilReady(double time_limit_s) {
  if (ready_ || !broken_.ok()) return broken_;
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(const std::string version,
                         Keep(program_->ReadLine(time_limit_s)));
  const absl::Status known = CheckVersion(version);
  if (!known.ok()) return Break(known);
  ASSAY_ASSIGN_OR_RETURN(
      const std::string line,
      Keep(program_->ReadLine(SecondsLeft(time_limit_s, start))));
  if (!absl::StartsWith(line, "ready ") ||
      !absl::SimpleAtoi(line.substr(6), &threads_) || threads_ < 1) {
    return Break(WrongLine(line, "ready THREADS"));
  }
  ready_ = true;
  return absl::OkStatus();
}

absl::StatusOr<std::string> WorkerProcess::Ask(const std::string& request,
                                               double time_limit_s) {
  ASSAY_RETURN_IF_ERROR(WaitUntilReady());
  ASSAY_RETURN_IF_ERROR(broken_);
  return Keep(program_->Request(request, time_limit_s));
}

absl::StatusOr<std::vector<int64_t>> WorkerProcess::Step(
    const std::string& step, double time_limit_s) {
  ASSAY_ASSIGN_OR_RETURN(const std::string answer, Ask(step, time_limit_s));
  const std::vector<absl::string_view> words =
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

absl::StatusOr<int64_t> WorkerProcess::LoadNanos(double time_limit_s) {
  constexpr char kLoaded[] = "loaded";
  ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                         Step(kLoaded, time_limit_s));
  if (nanos.size() != 1 || nanos.front() < 1) return UnexpectedAnswer(kLoaded);
  return nanos.front();
}

absl::StatusOr<int64_t> WorkerProcess::PeakResidentBytes(double time_limit_s) {
  constexpr char kMemory[] = "memory";
  const absl::StatusOr<std::vector<int64_t>> bytes =
      Step(kMemory, time_limit_s);
  // Older programs do not know the request.
  if (absl::IsInvalidArgument(bytes.status())) {
    return absl::UnimplementedError(bytes.status().message());
  }
  ASSAY_RETURN_IF_ERROR(bytes.status());
  if (bytes->size() != 1 || bytes->front() < 1) {
    return UnexpectedAnswer(kMemory);
  }
  return bytes->front();
}

absl::Status WorkerProcess::TakeBlock(
    const Block& block, const std::string& outputs_folder, double time_limit_s,
    const std::function<absl::Status(size_t, Sample)>& take) {
  const int64_t start = MonotonicNanos();
  const std::string text = SerializeBlock(block, outputs_folder);
  ASSAY_ASSIGN_OR_RETURN(std::string line, Ask("block " + text, time_limit_s));
  size_t samples = 0;
  while (absl::StartsWith(line, "sample ")) {
    absl::StatusOr<Sample> sample = ParseSample(line);
    if (!sample.ok()) return Break(sample.status());
    if (samples == block.samples.size() ||
        sample->number < block.samples[samples].number) {
      return Break(UnexpectedAnswer("block"));
    }
    const absl::Status taken = take(samples, *std::move(sample));
    if (!taken.ok()) return Break(taken);
    ++samples;
    ASSAY_ASSIGN_OR_RETURN(
        line, Keep(program_->ReadLine(SecondsLeft(time_limit_s, start))));
  }
  if (!absl::StartsWith(line, "ok")) return ErrorIn(line, "block");
  if (line != "ok" || samples != block.samples.size()) {
    return Break(UnexpectedAnswer("block"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> WorkerProcess::Keep(
    absl::StatusOr<std::string> line) {
  if (!line.ok()) broken_ = line.status();
  return line;
}

absl::Status WorkerProcess::Break(const absl::Status& error) {
  broken_ = error;
  return error;
}

}  // namespace assay::runtime
