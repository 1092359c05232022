#include "tests/farm/hostile_messages.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/generic/generic_stub.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr int kInFlight = 32;
constexpr char kPath[] = "../../../../etc/passwd";

HostileCall Call(const std::string& method,
                 const google::protobuf::Message& message) {
  return {absl::StrCat("/assay.rpc.", method), message.SerializeAsString()};
}

const std::string& OneOf(const std::vector<std::string>& texts, Rng& rng) {
  return texts[rng.UniformInt(0, static_cast<int64_t>(texts.size()) - 1)];
}

std::string RandomBytes(int64_t size, Rng& rng) {
  std::string bytes(static_cast<size_t>(size), '\0');
  for (char& byte : bytes) byte = static_cast<char>(rng.UniformInt(0, 255));
  return bytes;
}

// Returns the message with some damage.
std::string Damaged(std::string bytes, Rng& rng) {
  const int64_t times = rng.UniformInt(0, 4);
  for (int64_t i = 0; i < times; ++i) {
    const int64_t size = static_cast<int64_t>(bytes.size());
    const auto at = static_cast<size_t>(rng.UniformInt(0, size));
    switch (rng.UniformInt(0, 6)) {
      case 0:
        if (at < bytes.size()) bytes[at] ^= static_cast<char>(1 << (i % 8));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        bytes.insert(at, RandomBytes(rng.UniformInt(1, 20), rng));
        break;
      case 3:  // the length of a field claims 4 GiB
        bytes.insert(at, "\x0a\xff\xff\xff\xff\x0f");
        break;
      case 4:  // the largest and the smallest number
        bytes.insert(at, rng.UniformInt(0, 1) == 0
                             ? std::string("\x10\xff\xff\xff\xff\xff\xff\xff"
                                           "\xff\x7f")
                             : std::string("\x10\xff\xff\xff\xff\xff\xff\xff"
                                           "\xff\xff\x01"));
        break;
      case 5:  // a path in the first field
        bytes = absl::StrCat(bytes, std::string(1, '\x0a'),
                             std::string(1, sizeof(kPath) - 1), kPath);
        break;
      case 6:  // many repetitions of the message
        if (size < 1000) {
          for (int k = 0; k < 8; ++k) bytes += bytes.substr(0, 1000);
        }
        break;
    }
  }
  return bytes;
}

// One call of a generic stub.
struct Pending {
  std::string method;
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer answer;
  grpc::Status status;
};

// Returns true if the programs document the status, or if it comes from gRPC:
// Internal for a message that cannot be parsed, and Unimplemented for the end
// of a stream without a message.
bool IsDocumented(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::OUT_OF_RANGE:
    case grpc::StatusCode::ALREADY_EXISTS:
      return false;
    case grpc::StatusCode::INTERNAL:
      return absl::StrContains(status.error_message(), "arse") ||
             absl::StrContains(status.error_message(), "essage");
    default:
      return true;
  }
}

class Sender {
 public:
  Sender(const HostileOptions& options,
         const std::shared_ptr<grpc::Channel>& channel)
      : options_(options), stub_(channel), rng_(options.seed) {}

  absl::StatusOr<std::map<std::string, int64_t>> Send() {
    int64_t sent = 0;
    int64_t ended = 0;
    while (ended < options_.number) {
      while (sent < options_.number && sent - ended < kInFlight) {
        Begin();
        ++sent;
      }
      void* tag = nullptr;
      bool ok = false;
      if (!queue_.Next(&tag, &ok)) break;
      const std::unique_ptr<Pending> call(static_cast<Pending*>(tag));
      ++ended;
      if (!IsDocumented(call->status)) undocumented_ = Describe(*call);
      ++counts_[absl::StatusCodeToString(
          static_cast<absl::StatusCode>(call->status.error_code()))];
    }
    if (!undocumented_.empty()) return absl::InternalError(undocumented_);
    return counts_;
  }

 private:
  static std::string Describe(const Pending& call) {
    return absl::StrCat(call.method, ": ",
                        rpc::FromGrpc(call.status).ToString());
  }

  void Begin() {
    const HostileCall& call = options_.calls[rng_.UniformInt(
        0, static_cast<int64_t>(options_.calls.size()) - 1)];
    auto pending = std::make_unique<Pending>();
    pending->method = call.method;
    grpc::ClientContext& context = pending->context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::milliseconds(rng_.UniformInt(20, 400)));
    if (rng_.UniformInt(0, 9) > 0) {
      const bool valid = rng_.UniformInt(0, 4) > 0;
      context.AddMetadata(
          "authorization",
          absl::StrCat("Bearer ", valid ? OneOf(options_.tokens, rng_)
                                        : std::string(64, 'f')));
    }
    if (rng_.UniformInt(0, 3) > 0) {
      const bool real = rng_.UniformInt(0, 1) == 1 && !options_.leases.empty();
      context.AddMetadata("assay-lease-bin",
                          real ? Damaged(OneOf(options_.leases, rng_), rng_)
                               : RandomBytes(rng_.UniformInt(0, 2000), rng_));
    }
    if (!options_.devices.empty()) {
      context.AddMetadata(
          rpc::kProxiedDeviceKey,
          rng_.UniformInt(0, 3) > 0 ? OneOf(options_.devices, rng_) : kPath);
    }
    const std::string bytes = Damaged(call.valid, rng_);
    const grpc::Slice slice(bytes);
    const grpc::ByteBuffer message(&slice, 1);
    pending->reader =
        stub_.PrepareUnaryCall(&context, call.method, message, &queue_);
    pending->reader->StartCall();
    Pending* tag = pending.release();
    tag->reader->Finish(&tag->answer, &tag->status, tag);
  }

  const HostileOptions& options_;
  grpc::GenericStub stub_;
  grpc::CompletionQueue queue_;
  Rng rng_;
  std::map<std::string, int64_t> counts_;
  std::string undocumented_;
};

}  // namespace

absl::StatusOr<std::map<std::string, int64_t>> SendHostileMessages(
    const HostileOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::shared_ptr<grpc::Channel> channel,
      rpc::OpenChannel(options.transport, {options.address, ""}));
  return Sender(options, channel).Send();
}

std::vector<HostileCall> TrackerCalls() {
  rpc::FromDevice hello;
  hello.mutable_hello()->set_device("hostile");
  hello.mutable_hello()->set_key("host");
  hello.mutable_hello()->set_address("127.0.0.1:9");
  (*hello.mutable_hello()->mutable_facts()->mutable_identity())["a"] = "b";
  rpc::FromDevice heartbeat;
  heartbeat.mutable_heartbeat()->mutable_health()->set_problem("none");
  heartbeat.mutable_heartbeat()->mutable_state()->set_load(0.5);
  rpc::AcquireRequest acquire;
  acquire.set_key("no_such_key");
  acquire.set_priority(50);
  acquire.set_wait_seconds(1);
  acquire.set_ticket("ticket");
  rpc::LeaseName lease;
  lease.set_device("host-1");
  lease.set_token(1);
  rpc::QuarantineRequest quarantine;
  quarantine.set_device("no_such_device");
  quarantine.set_reason("hostile");
  return {Call("Tracker/Register", hello),
          Call("Tracker/Register", heartbeat),
          Call("Tracker/Acquire", acquire),
          Call("Tracker/Renew", lease),
          Call("Tracker/Release", lease),
          Call("Tracker/List", rpc::ListRequest()),
          Call("Tracker/Quarantine", quarantine),
          Call("Tracker/NoSuchMethod", lease)};
}

std::vector<HostileCall> DeviceCalls() {
  const std::string digest(64, 'a');
  rpc::FindBlobsRequest find;
  find.add_digests(digest);
  find.add_digests(kPath);
  rpc::PutBlobRequest put;
  put.set_digest(digest);
  put.set_size(int64_t{1} << 30);
  put.set_bytes("bytes");
  rpc::PutBlobRequest path = put;
  path.set_digest(kPath);
  path.set_offset(-1);
  rpc::OpenRequest open;
  open.add_artifacts()->set_digest(digest);
  open.mutable_artifacts(0)->set_signature(std::string(64, 's'));
  open.set_threads(1'000'000);
  rpc::SetInputsRequest inputs;
  inputs.set_session("1");
  inputs.set_digest(digest);
  rpc::RunBlockRequest block;
  block.set_session("1");
  block.add_samples()->set_number(int64_t{1} << 62);
  block.set_min_sample_nanos(int64_t{1} << 62);
  block.set_flush_cache_bytes(int64_t{1} << 62);
  rpc::TimeCallsRequest calls;
  calls.set_session("1");
  calls.set_program(-1);
  rpc::FlushCachesRequest flush;
  flush.set_session("1");
  flush.set_bytes(int64_t{1} << 62);
  rpc::CloseRequest close;
  close.set_session("1");
  return {Call("Device/FindBlobs", find),   Call("Device/PutBlob", put),
          Call("Device/PutBlob", path),     Call("Device/Open", open),
          Call("Device/SetInputs", inputs), Call("Device/RunBlock", block),
          Call("Device/TimeCalls", calls),  Call("Device/FlushCaches", flush),
          Call("Device/Close", close),      Call("Device/NoSuchMethod", close)};
}

absl::Status SendRandomBytes(int port, int64_t number, uint64_t seed) {
  Rng rng(seed);
  for (int64_t i = 0; i < number; ++i) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address),
                          sizeof(address)) != 0) {
      const absl::Status error = ErrnoError("connect to", absl::StrCat(port));
      if (fd >= 0) close(fd);
      return absl::InternalError(error.message());
    }
    std::string bytes = RandomBytes(rng.UniformInt(0, 3000), rng);
    // Some look like the start of HTTP/2 or of a TLS handshake.
    if (i % 3 == 0) bytes.insert(0, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    if (i % 3 == 1) bytes.insert(0, "\x16\x03\x01\x02");
    send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    close(fd);
  }
  return absl::OkStatus();
}

}  // namespace assay
