// Fuzz test of the requests that the server of a device receives from the
// holder of a lease (device.proto): arbitrary messages, and valid ones with odd
// contents.
//
//   - Uploads: BlobStore with small limits, with chunks at any offset, claims
//     of any size, digests that are no digests, time that passes, and restarts.
//     A complete blob has the contents that its digest says, the limits are
//     kept, and the folder has no other files.
//   - Blocks: refused, or within all limits and with a text that the worker
//     accepts.
//   - Sessions: refused, or of artifacts that a trusted key has signed and that
//     are complete.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/stubs/logging.h"
#include "grpcpp/support/byte_buffer.h"
#include "rpc/proto/device.pb.h"
#include "rpc/security/signature.h"
#include "rpc/server/blob_store.h"
#include "rpc/server/service/call.h"
#include "rpc/server/service/open_request.h"
#include "rpc/server/service/upload_call.h"
#include "rpc/server/trusted_keys_file.h"
#include "rpc/server/worker/block_request.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/measure/block_text.h"
#include "tests/farm/fuzz/input.h"

namespace assay::rpc {
namespace {

using fuzz::Input;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int kMaxThreads = 16;
constexpr size_t kMaxRequest = 4096;

BlobLimits SmallLimits() {
  BlobLimits limits;
  limits.max_blob_bytes = 100;
  limits.max_total_bytes = 200;
  limits.max_blobs = 3;
  limits.max_uploads = 2;
  limits.max_upload_age_nanos = 10 * kSecond;
  limits.max_unused_age_nanos = 40 * kSecond;
  return limits;
}

void CheckRefusal(const absl::Status& status) {
  CHECK(!status.message().empty() && status.message().size() < 2000 &&
        !absl::StrContains(status.message(), "\n"))
      << status;
  CHECK(!absl::IsInternal(status) && !absl::IsUnknown(status)) << status;
}

grpc::ByteBuffer ToBuffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

// Returns true if the bytes are a message.
template <typename Message>
bool Parse(const std::string& bytes, Message* message) {
  const absl::Status status =
      ParseRequest(ToBuffer(bytes), kMaxRequest, message);
  if (status.ok()) return true;
  CheckRefusal(status);
  CHECK(absl::IsInvalidArgument(status)) << status;
  return false;
}

// What lives as long as the fuzzer.
struct World {
  const TempDir folder = TempDir::CreateInMemory("assay_fuzz").value();
  const SigningKey key = SigningKey::Generate().value();
  std::unique_ptr<TrustedKeysFile> trusted;

  World() {
    const std::string path = JoinPath(folder.path(), "keys.pem");
    CHECK(key.WritePublic(path).ok());
    trusted = TrustedKeysFile::Open(path).value();
  }
};

World& TheWorld() {
  static auto* const world = new World();
  return *world;
}

class Device {
 public:
  Device() {
    std::filesystem::remove_all(path_);
    Restart();
  }

  void Step(Input& input) {
    switch (input.Of(10)) {
      case 0:
        contents_[input.Of(4)] = input.Text().substr(0, 120);
        break;
      case 1:
      case 2:
      case 3:
        Append(input);
        break;
      case 4:
        AppendAnything(input);
        break;
      case 5:
        Open(input);
        break;
      case 6: {
        auto pin = blobs_->Pin(Digest(input));
        if (pin.ok()) {
          if (pins_.size() < 4) pins_.push_back(std::move(*pin));
        } else {
          CheckRefusal(pin.status());
        }
        break;
      }
      case 7:
        pins_.clear();
        break;
      case 8:
        clock_.Advance(input.Of(20) * kSecond);
        CHECK(blobs_->Collect().failures == 0);
        break;
      default:
        if (input.Of(4) == 3) Restart();
    }
    const BlobUsage usage = blobs_->usage();
    CHECK(usage.bytes <= SmallLimits().max_total_bytes);
    CHECK(usage.uploads <= SmallLimits().max_uploads);
    CHECK(usage.blobs + usage.uploads <= SmallLimits().max_blobs);
  }

  // Compares the files with what the store says.
  void CheckFolder() {
    const BlobUsage usage = blobs_->usage();
    int64_t files = 0;
    int64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      ++files;
      bytes += static_cast<int64_t>(entry.file_size());
      const std::string name = entry.path().filename().string();
      CHECK(name.size() >= 64 && IsSha256Hex(name.substr(0, 64))) << name;
      if (name.size() == 64) {
        CHECK(Sha256Hex(*ReadFile(entry.path().string())) == name);
      } else {
        CHECK(absl::EndsWith(name, ".part")) << name;
      }
    }
    CHECK(files == usage.blobs + usage.uploads);
    CHECK(bytes <= usage.bytes);
    // Besides the folder, there are only the keys.
    int64_t others = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(TheWorld().folder.path())) {
      (void)entry;
      ++others;
    }
    CHECK(others == 2);
  }

 private:
  void Restart() {
    if (blobs_ != nullptr) CheckFolder();
    pins_.clear();
    blobs_ = nullptr;
    auto blobs = BlobStore::Open(path_, SmallLimits(), &clock_);
    CHECK(blobs.ok()) << blobs.status();
    blobs_ = *std::move(blobs);
  }

  // The digest of one of the contents, which may have changed, or any text.
  std::string Digest(Input& input) {
    const int i = input.Of(5);
    return i == 4 ? input.Text() : Sha256Hex(contents_[i]);
  }

  // Sends a part of the right bytes, usually where the upload continues.
  void Append(Input& input) {
    const std::string& content = contents_[input.Of(4)];
    const std::string digest = Sha256Hex(content);
    const auto before = blobs_->Find(digest);
    CHECK(before.ok()) << before.status();
    PutBlobRequest request;
    request.set_digest(digest);
    request.set_size(static_cast<int64_t>(content.size()));
    request.set_offset(before->bytes);
    if (input.Of(8) == 7) request.set_offset(input.Number());
    if (input.Of(8) == 7) request.set_size(input.Number());
    const auto offset = static_cast<size_t>(request.offset());
    if (offset <= content.size()) {
      request.set_bytes(content.substr(offset, input.Byte()));
    }
    if (input.Of(8) == 7) request.set_bytes(input.Text());
    Send(request);
  }

  void AppendAnything(Input& input) {
    PutBlobRequest request;
    if (input.Of(2) == 0) {
      if (!Parse(input.Text(), &request)) return;
    } else {
      request.set_digest(Digest(input));
      request.set_size(input.Number());
      request.set_offset(input.Number());
      request.set_bytes(input.Text());
    }
    Send(request);
  }

  // As UploadCall does it.
  void Send(const PutBlobRequest& request) {
    const absl::Status checked = CheckChunk(request, /*first=*/true);
    if (!checked.ok()) return CheckRefusal(checked);
    const auto state = AppendChunk(*blobs_, request.digest(), request.size(),
                                   request.offset(), request.bytes());
    if (!state.ok()) return CheckRefusal(state.status());
    const auto found = blobs_->Find(request.digest());
    CHECK(found.ok() && found->kind == state->kind &&
          found->bytes == state->bytes && found->size == request.size());
  }

  void Open(Input& input) {
    OpenRequest request;
    if (input.Of(3) == 0) {
      if (!Parse(input.Text(), &request)) return;
    } else {
      const int artifacts = input.Of(4);
      for (int i = 0; i < artifacts; ++i) {
        OpenRequest::Artifact* artifact = request.add_artifacts();
        artifact->set_digest(Digest(input));
        artifact->set_signature(
            input.Of(4) == 3 ? input.Text()
                             : *TheWorld().key.Sign(SignaturePurpose::kArtifact,
                                                    artifact->digest()));
      }
      request.set_threads(static_cast<int32_t>(input.Number()));
    }
    const auto session =
        ReadOpen(request, kMaxThreads, *TheWorld().trusted, *blobs_);
    if (!session.ok()) return CheckRefusal(session.status());
    CHECK(session->threads >= 0 && session->threads <= kMaxThreads);
    CHECK(session->digests.size() == 1 || session->digests.size() == 2);
    for (const std::string& digest : session->digests) {
      CHECK(blobs_->Pin(digest).ok());
    }
  }

  const std::string path_ = JoinPath(TheWorld().folder.path(), "blobs");
  FakeClock clock_;
  std::unique_ptr<BlobStore> blobs_;
  std::vector<BlobPin> pins_;
  std::map<int, std::string> contents_;
};

void ReadAsBlock(Input& input) {
  RunBlockRequest request;
  const int programs = 1 + input.Of(2);
  const int64_t max_nanos = input.Number();
  BlockLimits limits;
  limits.max_samples = 20;
  limits.max_flush_bytes = 1 << 20;
  if (input.Of(2) == 0) {
    if (!Parse(input.Rest(), &request)) return;
  } else {
    request.set_min_sample_nanos(input.Number());
    request.set_cooldown_nanos(input.Number());
    request.set_flush_cache_bytes(input.Number());
    request.set_read_outputs(input.Of(2) == 1);
    request.set_checked_run_seed(static_cast<uint64_t>(input.Number()));
    request.set_time_calls(input.Of(2) == 1);
    while (!input.AtEnd()) {
      RunBlockRequest::Sample* sample = request.add_samples();
      sample->set_program(static_cast<int32_t>(input.Number()));
      sample->set_number(input.Number());
      sample->set_warmup_runs(input.Number());
      sample->set_warmup_nanos(input.Number());
    }
  }
  const auto block = ReadBlock(request, programs, max_nanos, limits);
  if (!block.ok()) {
    CheckRefusal(block.status());
    CHECK(absl::IsInvalidArgument(block.status()));
    return;
  }
  CHECK(block->samples.size() <= 20 && block->flush_cache_bytes <= 1 << 20);
  CHECK(PlannedNanos(*block) >= 0 && PlannedNanos(*block) <= max_nanos);
  const std::string text = runtime::SerializeBlock(*block, "/work/outputs");
  const auto read = runtime::ParseBlock(text, programs);
  CHECK(read.ok()) << read.status();
  CHECK(read->block.samples.size() == block->samples.size());
}

// The other requests have no contents that are checked before they are used.
void ReadAsOthers(Input& input) {
  const std::string bytes = input.Rest();
  FindBlobsRequest find;
  SetInputsRequest inputs;
  CloseRequest close;
  Parse(bytes, &find);
  Parse(bytes, &inputs);
  Parse(bytes, &close);
}

void UseDevice(Input& input) {
  Device device;
  while (!input.AtEnd()) device.Step(input);
  device.CheckFolder();
}

}  // namespace
}  // namespace assay::rpc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // As in the programs: a line for each text that is not UTF-8 is too much.
  static auto* const unused = google::protobuf::SetLogHandler(nullptr);
  (void)unused;
  assay::fuzz::Input input(data, size);
  switch (input.Of(4)) {
    case 0:
    case 1:
      assay::rpc::UseDevice(input);
      break;
    case 2:
      assay::rpc::ReadAsBlock(input);
      break;
    default:
      assay::rpc::ReadAsOthers(input);
  }
  return 0;
}
