#include "rpc/server/worker/worker_session.h"

#include <sys/wait.h>

#include <algorithm>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"
#include "runtime/process/spawn.h"

namespace assay::rpc {
namespace {

// The payload of an error for CrashOf().
constexpr char kCrashUrl[] = "assay.rpc/crash";
constexpr char kInputs[] = "inputs";
constexpr int64_t kChunkBytes = int64_t{1} << 20;

double SecondsUntil(int64_t deadline_nanos) {
  return static_cast<double>(
             std::max<int64_t>(deadline_nanos - MonotonicNanos(), 0)) *
         1e-9;
}

absl::Status WithCrash(absl::Status status, const std::string& crash) {
  status.SetPayload(kCrashUrl, absl::Cord(crash));
  return status;
}

// Returns the error of a worker that cannot be used any more.
absl::Status ErrorOfBroken(const runtime::WorkerProcess& worker) {
  const absl::Status& broken = worker.broken();
  const absl::Status internal = absl::InternalError(broken.message());
  switch (broken.code()) {
    case absl::StatusCode::kCancelled:
      return broken;
    case absl::StatusCode::kDeadlineExceeded:
      return WithCrash(broken, "did not answer in time");
    case absl::StatusCode::kUnavailable:
      return WithCrash(internal,
                       worker.wait_status().has_value()
                           ? runtime::DescribeExit(*worker.wait_status())
                           : "closed its output");
    default:
      return internal;
  }
}

// Returns the error with which the worker has answered a request. Its code can
// be anything, and only those of rejected requests are passed on.
absl::Status ErrorOfAnswer(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnimplemented:
      return status;
    default:
      return absl::InternalError(status.message());
  }
}

// Returns true if the worker has refused to load the artifacts.
bool HasRejectedArtifacts(const runtime::WorkerProcess& worker) {
  const std::optional<int> status = worker.wait_status();
  return status.has_value() && WIFEXITED(*status) &&
         WEXITSTATUS(*status) == static_cast<int>(ExitCode::kUsage);
}

}  // namespace

std::string CrashOf(const absl::Status& error) {
  const auto crash = error.GetPayload(kCrashUrl);
  return crash.has_value() ? std::string(*crash) : std::string();
}

WorkerSession::WorkerSession(const SessionOptions& options, WorkFolder folder,
                             std::unique_ptr<runtime::WorkerProcess> worker)
    : programs_(static_cast<int>(options.artifacts.size())),
      max_output_bytes_(options.max_output_bytes),
      folder_(std::move(folder)),
      worker_(std::move(worker)) {}

absl::StatusOr<std::unique_ptr<WorkerSession>> WorkerSession::Start(
    const SessionOptions& options, int64_t deadline_nanos) {
  // An error here is not the client's fault.
  const auto failed = [](const absl::Status& status) {
    return absl::InternalError(
        absl::StrCat("cannot start a worker: ", status.message()));
  };
  absl::StatusOr<WorkFolder> folder = options.root->Create();
  if (!folder.ok()) return failed(folder.status());
  const auto confinement =
      options.sandbox->Prepare(folder->path(), options.artifacts);
  if (!confinement.ok()) return failed(confinement.status());
  runtime::WorkerOptions worker_options;
  worker_options.command = options.sandbox->command();
  worker_options.spawn.confinement = confinement->get();
  worker_options.interrupt = options.interrupt;
  const int64_t start = MonotonicNanos();
  runtime::LoadOptions load;
  load.threads = options.threads;
  load.placement_seed = options.placement_seed;
  auto worker =
      runtime::WorkerProcess::Start(worker_options, options.artifacts, load);
  if (!worker.ok()) return failed(worker.status());
  if (!(*worker)->WaitUntilReady(SecondsUntil(deadline_nanos)).ok()) {
    return HasRejectedArtifacts(**worker)
               ? absl::InvalidArgumentError((*worker)->broken().message())
               : ErrorOfBroken(**worker);
  }
  const absl::StatusOr<int64_t> load_nanos =
      (*worker)->LoadNanos(SecondsUntil(deadline_nanos));
  if (!(*worker)->broken().ok()) return ErrorOfBroken(**worker);
  std::unique_ptr<WorkerSession> session(
      new WorkerSession(options, *std::move(folder), *std::move(worker)));
  if (load_nanos.ok() && *load_nanos <= MonotonicNanos() - start) {
    session->load_nanos_ = *load_nanos;
  }
  return session;
}

absl::Status WorkerSession::SetInputs(const std::string& path,
                                      int64_t deadline_nanos) {
  const absl::Status copied = folder_.CopyIn(path, kInputs);
  if (!copied.ok()) {
    over_ = true;
    return absl::InternalError(copied.message());
  }
  const std::string request =
      absl::StrCat("inputs ", folder_.path(), "/", kInputs);
  const absl::Status status =
      worker_->Step(request, SecondsUntil(deadline_nanos)).status();
  folder_.Remove(kInputs);
  return Convert(status);
}

absl::Status WorkerSession::RunBlock(const runtime::Block& block,
                                     BlockSink& sink, int64_t deadline_nanos) {
  bool measured = false;
  const auto take = [&](size_t i, runtime::Sample sample) -> absl::Status {
    if (!measured) sink.Measured();
    measured = true;
    if (!block.time_calls && !sample.call_nanos.empty()) {
      return runtime::UnexpectedAnswer("block");
    }
    return block.read_outputs ? SendOutputs(i, sample, sink)
                              : sink.TakeSample(sample, 0);
  };
  const absl::Status status = worker_->TakeBlock(
      block, folder_.path(), SecondsUntil(deadline_nanos), take);
  if (status.ok() && !measured) sink.Measured();
  if (status.ok() && measured) {
    const absl::StatusOr<int64_t> peak =
        worker_->PeakResidentBytes(SecondsUntil(deadline_nanos));
    if (!worker_->broken().ok()) return Convert(peak.status());
    if (peak.ok()) sink.TakePeakMemory(*peak);
  }
  return Convert(status);
}

absl::Status WorkerSession::SendOutputs(size_t i, const runtime::Sample& sample,
                                        BlockSink& sink) {
  const std::string name = runtime::OutputsPath("", i);
  {
    absl::StatusOr<WorkFile> file = folder_.Open(name, max_output_bytes_);
    if (!file.ok()) return absl::InternalError(file.status().message());
    ASSAY_RETURN_IF_ERROR(sink.TakeSample(sample, file->size()));
    for (int64_t left = file->size(); left > 0;) {
      const int64_t chunk = std::min(left, kChunkBytes);
      absl::StatusOr<std::string> bytes =
          file->Read(static_cast<size_t>(chunk));
      if (!bytes.ok()) return absl::InternalError(bytes.status().message());
      ASSAY_RETURN_IF_ERROR(sink.TakeOutputs(*std::move(bytes)));
      left -= chunk;
    }
  }
  folder_.Remove(name);
  return absl::OkStatus();
}

absl::Status WorkerSession::Convert(const absl::Status& status) {
  if (status.ok()) return status;
  const absl::Status error =
      worker_->broken().ok() ? ErrorOfAnswer(status) : ErrorOfBroken(*worker_);
  if (!worker_->broken().ok() || absl::IsInternal(error)) over_ = true;
  return error;
}

}  // namespace assay::rpc
