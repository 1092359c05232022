#include "rpc/server/testing/device_fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "rpc/names/metadata.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

template <typename T>
T Value(absl::StatusOr<T> value) {
  CHECK(value.ok()) << std::string(value.status().message());
  return *std::move(value);
}

std::vector<std::string> Entries(const std::string& path) {
  std::vector<std::string> names;
  DIR* const folder = opendir(path.c_str());
  CHECK(folder != nullptr) << path;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') names.push_back(entry->d_name);
  }
  closedir(folder);
  return names;
}

}  // namespace

TestDevice::TestDevice(TestDeviceOptions options)
    : cookie_(absl::StrCat("cookie=", getpid(), "-", MonotonicNanos())) {
  const std::string keys = JoinPath(folder.path(), "trusted_keys.pem");
  CHECK(client_key.WritePublic(keys).ok());
  trusted_ = Value(TrustedKeysFile::Open(keys));
  blobs_ =
      Value(BlobStore::Open(JoinPath(folder.path(), "blobs"), options.blobs));
  root_ = Value(WorkRoot::Open(JoinPath(folder.path(), "work")));
  options.sandbox.command = options.worker;
  options.sandbox.environment = {absl::StrCat("ASSAY_TEST_COOKIE=", cookie_)};
  sandbox_ = std::make_unique<WorkerSandbox>(
      Value(WorkerSandbox::Create(options.sandbox, root_->path())));
  CHECK(guard.SetKey(tracker.public_pem(), 1).ok());
  DeviceServiceOptions service_options;
  service_options.host = options.host;
  service_options.host.guard = &guard;
  service_options.host.blobs = blobs_.get();
  service_options.host.crashes = &crashes;
  service_options.host.sandbox = sandbox_.get();
  service_options.host.root = root_.get();
  service_options.host.log = &log_;
  service_options.trusted = trusted_.get();
  service_options.facts = options.facts;
  service = std::make_unique<DeviceService>(std::move(service_options));
  listener = Value(Listener::Start(
      {"127.0.0.1:0", Transport{"", /*plain_text=*/true}}, {service.get()}));
}

TestDevice::~TestDevice() {
  service->Stop();
  listener->Stop(0);
  listener = nullptr;
  service = nullptr;
  fclose(log_file_);
}

int TestDevice::Processes() const {
  int count = 0;
  for (const std::string& name : Entries("/proc")) {
    pid_t pid = 0;
    if (!absl::SimpleAtoi(name, &pid) || pid == getpid()) continue;
    const auto environment = ReadFile(absl::StrCat("/proc/", pid, "/environ"));
    if (environment.ok() && absl::StrContains(*environment, cookie_)) ++count;
  }
  return count;
}

int TestDevice::Folders() const {
  return static_cast<int>(Entries(root_->path()).size());
}

bool TestDevice::IsClean() const {
  const int64_t end = MonotonicNanos() + 2'000'000'000;
  while (Processes() > 0 || Folders() > 0) {
    if (MonotonicNanos() > end) return false;
    Clock::Monotonic()->SleepNanos(5'000'000);
  }
  return true;
}

TestClient::TestClient(TestDevice* device, std::string lease)
    : lease(std::move(lease)),
      stub(Device::NewStub(Value(OpenChannel(
          Transport{"", /*plain_text=*/true},
          {absl::StrCat("127.0.0.1:", device->listener->port()), ""})))),
      device_(*device) {}

void TestClient::Prepare(grpc::ClientContext* context) const {
  context->AddMetadata(kLeaseMetadata, lease);
  PrepareContext(
      {}, std::chrono::nanoseconds(static_cast<int64_t>(timeout_s * 1e9)),
      context);
}

absl::StatusOr<FindBlobsAnswer::Blob> TestClient::Find(
    const std::string& digest) {
  grpc::ClientContext context;
  Prepare(&context);
  FindBlobsRequest request;
  request.add_digests(digest);
  FindBlobsAnswer answer;
  ASSAY_RETURN_IF_ERROR(FromGrpc(stub->FindBlobs(&context, request, &answer)));
  CHECK_EQ(answer.blobs_size(), 1);
  return answer.blobs(0);
}

absl::Status TestClient::Put(const std::string& digest, absl::string_view bytes,
                             int64_t stop_at, size_t chunk_bytes) {
  ASSAY_ASSIGN_OR_RETURN(const FindBlobsAnswer::Blob blob, Find(digest));
  if (blob.complete()) return absl::OkStatus();
  grpc::ClientContext context;
  Prepare(&context);
  PutBlobAnswer answer;
  const auto stream = stub->PutBlob(&context, &answer);
  PutBlobRequest request;
  request.set_digest(digest);
  request.set_size(static_cast<int64_t>(bytes.size()));
  request.set_offset(blob.offset());
  auto offset = static_cast<size_t>(blob.offset());
  const size_t end = stop_at < 0 ? bytes.size() : static_cast<size_t>(stop_at);
  do {
    const absl::string_view chunk =
        bytes.substr(offset, std::min(chunk_bytes, end - offset));
    request.set_bytes(chunk.data(), chunk.size());
    if (!stream->Write(request)) break;
    offset += chunk.size();
    request.Clear();
  } while (offset < end);
  if (stop_at >= 0) {
    // The device must have what was sent.
    const int64_t limit = MonotonicNanos() + 5'000'000'000;
    while (MonotonicNanos() < limit) {
      const auto now = Find(digest);
      if (now.ok() && now->offset() >= stop_at) break;
    }
    context.TryCancel();
  } else {
    stream->WritesDone();
  }
  return FromGrpc(stream->Finish());
}

std::string TestClient::Upload(absl::string_view bytes) {
  const std::string digest = Sha256Hex(bytes);
  const absl::Status status = Put(digest, bytes);
  CHECK(status.ok()) << std::string(status.message());
  return digest;
}

absl::Status TestClient::Open(const std::vector<std::string>& digests,
                              OpenAnswer* answer) {
  grpc::ClientContext context;
  Prepare(&context);
  OpenRequest request;
  for (const std::string& digest : digests) {
    OpenRequest::Artifact* artifact = request.add_artifacts();
    artifact->set_digest(digest);
    artifact->set_signature(
        Value(device_.client_key.Sign(SignaturePurpose::kArtifact, digest)));
  }
  request.set_threads(1);
  return FromGrpc(stub->Open(&context, request, answer));
}

absl::Status TestClient::SetInputs(const std::string& session,
                                   const std::string& digest) {
  grpc::ClientContext context;
  Prepare(&context);
  SetInputsRequest request;
  request.set_session(session);
  request.set_digest(digest);
  SetInputsAnswer answer;
  return FromGrpc(stub->SetInputs(&context, request, &answer));
}

TestBlock TestClient::RunBlock(const RunBlockRequest& request) {
  grpc::ClientContext context;
  Prepare(&context);
  TestBlock block;
  const auto stream = stub->RunBlock(&context, request);
  RunBlockAnswer answer;
  while (stream->Read(&answer)) {
    if (answer.has_state()) ++block.states;
    if (answer.has_sample()) {
      block.samples.push_back(answer.sample());
      block.outputs.emplace_back();
    }
    if (answer.answer_case() == RunBlockAnswer::kOutputs) {
      block.outputs.back() += answer.outputs();
    }
  }
  block.status = FromGrpc(stream->Finish());
  return block;
}

absl::Status TestClient::Close(const std::string& session) {
  grpc::ClientContext context;
  Prepare(&context);
  CloseRequest request;
  request.set_session(session);
  CloseAnswer answer;
  return FromGrpc(stub->Close(&context, request, &answer));
}

}  // namespace assay::rpc
