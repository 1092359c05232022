#include "rpc/client/testing/fake_device.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "rpc/names/metadata.h"
#include "rpc/transport/status.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {

void FakeDevice::Start(const std::string& address) {
  auto listener =
      Listener::Start({address, Transport{"", /*plain_text=*/true}}, {this});
  CHECK(listener.ok()) << listener.status();
  listener_ = *std::move(listener);
  address_ = absl::StrCat("127.0.0.1:", listener_->port());
}

void FakeDevice::Stop() {
  listener_.reset();
  Change([](Script* script) { script->session.clear(); });
}

bool FakeDevice::WaitUntil(
    const std::function<bool(const Script&)>& condition) const {
  const auto holds = [&] { return condition(script_); };
  const absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithTimeout(absl::Condition(&holds), absl::Seconds(10));
}

absl::Status FakeDevice::Note(const std::string& call,
                              const grpc::ServerContext* context) {
  const absl::MutexLock lock(&mutex_);
  script_.log.push_back(call);
  const auto lease = context->client_metadata().find(kLeaseMetadata);
  script_.lease.clear();
  if (lease != context->client_metadata().end()) {
    script_.lease.assign(lease->second.data(), lease->second.size());
  }
  script_.seconds_left =
      std::chrono::duration<double>(context->deadline() -
                                    std::chrono::system_clock::now())
          .count();
  std::deque<absl::Status>& errors = script_.errors[call];
  if (errors.empty()) return absl::OkStatus();
  const absl::Status error = errors.front();
  errors.pop_front();
  return error;
}

absl::Status FakeDevice::CheckSession(const std::string& session) const {
  if (!session.empty() && session == script_.session) return absl::OkStatus();
  return WithReason(absl::NotFoundError("there is no such session"),
                    ErrorInfo::NO_SESSION);
}

grpc::Status FakeDevice::FindBlobs(grpc::ServerContext* context,
                                   const FindBlobsRequest* request,
                                   FindBlobsAnswer* answer) {
  const absl::Status error = Note("FindBlobs", context);
  if (!error.ok()) return ToGrpc(error);
  while (Read(&Script::hangs) && !context->IsCancelled()) {
    Clock::Monotonic()->SleepNanos(1'000'000);
  }
  const absl::MutexLock lock(&mutex_);
  for (const std::string& digest : request->digests()) {
    FindBlobsAnswer::Blob* blob = answer->add_blobs();
    blob->set_complete(script_.blobs.count(digest) > 0);
    if (!blob->complete()) {
      blob->set_offset(static_cast<int64_t>(script_.uploads[digest].size()));
    }
  }
  return grpc::Status::OK;
}

grpc::Status FakeDevice::PutBlob(grpc::ServerContext* context,
                                 grpc::ServerReader<PutBlobRequest>* reader,
                                 PutBlobAnswer*) {
  const absl::Status error = Note("PutBlob", context);
  if (!error.ok()) return ToGrpc(error);
  PutBlobRequest request;
  std::string digest;
  size_t size = 0;
  while (reader->Read(&request)) {
    const absl::MutexLock lock(&mutex_);
    if (digest.empty()) {
      digest = request.digest();
      size = static_cast<size_t>(request.size());
      ++script_.puts;
      if (request.offset() !=
          static_cast<int64_t>(script_.uploads[digest].size())) {
        return ToGrpc(absl::FailedPreconditionError("another offset"));
      }
    }
    std::string& upload = script_.uploads[digest];
    upload += request.bytes();
    script_.bytes_received += static_cast<int64_t>(request.bytes().size());
    if (script_.cut_uploads && upload.size() < size) {
      return ToGrpc(absl::UnavailableError("the cable was cut"));
    }
  }
  const absl::MutexLock lock(&mutex_);
  const std::string bytes = std::move(script_.uploads[digest]);
  script_.uploads.erase(digest);
  if (bytes.size() != size || Sha256Hex(bytes) != digest) {
    return ToGrpc(absl::DataLossError("the bytes have another digest"));
  }
  if (!script_.lose_blobs) script_.blobs[digest] = bytes;
  return grpc::Status::OK;
}

grpc::Status FakeDevice::Open(grpc::ServerContext* context,
                              const OpenRequest* request, OpenAnswer* answer) {
  const absl::Status error = Note("Open", context);
  if (!error.ok()) return ToGrpc(error);
  const absl::MutexLock lock(&mutex_);
  for (const OpenRequest::Artifact& artifact : request->artifacts()) {
    if (script_.blobs.count(artifact.digest()) == 0) {
      return ToGrpc(WithReason(absl::NotFoundError("a blob is missing"),
                               ErrorInfo::NO_BLOB));
    }
  }
  script_.opens.push_back(*request);
  const auto number = static_cast<size_t>(script_.sessions);
  if (number < script_.load_nanos.size()) {
    answer->set_load_nanos(script_.load_nanos[number]);
  }
  script_.session = absl::StrCat("session ", ++script_.sessions);
  answer->set_session(script_.session);
  answer->set_threads(request->threads() > 0 ? request->threads()
                                             : script_.threads);
  return grpc::Status::OK;
}

grpc::Status FakeDevice::SetInputs(grpc::ServerContext* context,
                                   const SetInputsRequest* request,
                                   SetInputsAnswer*) {
  absl::Status error = Note("SetInputs", context);
  const absl::MutexLock lock(&mutex_);
  if (error.ok()) error = CheckSession(request->session());
  if (error.ok() && script_.blobs.count(request->digest()) == 0) {
    error = WithReason(absl::NotFoundError("the inputs are missing"),
                       ErrorInfo::NO_BLOB);
  }
  if (error.ok()) script_.inputs.push_back(request->digest());
  return ToGrpc(error);
}

grpc::Status FakeDevice::RunBlock(grpc::ServerContext* context,
                                  const RunBlockRequest* request,
                                  BlockWriter* writer) {
  absl::Status error = Note("RunBlock", context);
  Script script;
  {
    const absl::MutexLock lock(&mutex_);
    if (error.ok()) error = CheckSession(request->session());
    if (error.ok()) script_.blocks.push_back(*request);
    script = script_;
  }
  if (!error.ok()) return ToGrpc(error);
  if (script.run_block != nullptr) {
    return script.run_block(context, *request, writer);
  }
  RunBlockAnswer state;
  state.mutable_state()->set_load(0.5);
  writer->Write(state);
  for (const RunBlockRequest::Sample& spec : request->samples()) {
    RunBlockAnswer answer;
    RunBlockAnswer::Sample* sample = answer.mutable_sample();
    sample->set_number(spec.number());
    sample->set_nanos(spec.number() * script.run_nanos.at(spec.program()));
    if (request->time_calls() && spec.number() == 1) {
      for (const int64_t nanos : script.call_nanos) {
        sample->add_call_nanos(nanos);
      }
    }
    if (request->read_outputs()) {
      sample->set_outputs_size(static_cast<int64_t>(script.outputs.size()));
    }
    writer->Write(answer);
    if (request->read_outputs()) {
      RunBlockAnswer outputs;
      outputs.set_outputs(script.outputs);
      writer->Write(outputs);
    }
  }
  if (script.peak_bytes != 0) {
    state.mutable_state()->set_worker_peak_bytes(script.peak_bytes);
  }
  writer->Write(state);
  return grpc::Status::OK;
}

grpc::Status FakeDevice::Close(grpc::ServerContext* context,
                               const CloseRequest* request, CloseAnswer*) {
  const absl::Status error = Note("Close", context);
  const absl::MutexLock lock(&mutex_);
  if (error.ok() && request->session() == script_.session) {
    script_.session.clear();
  }
  return ToGrpc(error);
}

}  // namespace assay::rpc
