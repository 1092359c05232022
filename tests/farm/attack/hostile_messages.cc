#include "tests/farm/attack/hostile_messages.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/message.h"
#include "grpcpp/client_context.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "rpc/names/metadata.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"

namespace assay {
namespace {

constexpr char kPath[] = "../../../../etc/passwd";
constexpr char kSessionKey[] = "assay-session";
constexpr double kPatienceSeconds = 10;

HostileCall Call(const std::string& method,
                 const google::protobuf::Message& message) {
  return {absl::StrCat("/assay.rpc.", method), message.SerializeAsString()};
}

template <typename T>
const T& OneOf(const std::vector<T>& values, Rng& rng) {
  return values[rng.UniformInt(0, static_cast<int64_t>(values.size()) - 1)];
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
    switch (rng.UniformInt(0, 5)) {
      case 0:
        if (at < bytes.size()) bytes[at] ^= static_cast<char>(1 << (i % 8));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        bytes.insert(at, RandomBytes(rng.UniformInt(1, 20), rng));
        break;
      case 3: {  // an extreme number in one of the fields
        std::string number(1, static_cast<char>(rng.UniformInt(1, 9) << 3));
        number += rng.UniformInt(0, 1) == 0 ? "\xff\xff\xff\xff\xff\xff\xff\xff"
                                              "\x7f"
                                            : "\xff\xff\xff\xff\xff\xff\xff\xff"
                                              "\xff\x01";
        bytes.insert(rng.UniformInt(0, 1) == 0 ? at : bytes.size(), number);
        break;
      }
      case 4:  // many repetitions of the message
        if (size < 1000) {
          for (int k = 0; k < 8; ++k) bytes += bytes.substr(0, 1000);
        }
        break;
      case 5:  // a large text in one of the fields
        bytes += static_cast<char>(rng.UniformInt(1, 9) << 3 | 2);
        bytes += "\x80\x80\x04";
        bytes += std::string(1 << 16, 'x');
        break;
    }
  }
  return bytes;
}

// The message with a path in one of its fields.
std::string WithPath(const std::string& bytes, Rng& rng) {
  const std::string path = OneOf<std::string>(
      {kPath, "/etc/passwd", "..", "a/b", "~/.ssh", "$(reboot)", "a;reboot",
       std::string(64, '/'), std::string(63, 'a') + "/",
       std::string("a\0/etc", 6), "a\nb"},
      rng);
  return absl::StrCat(
      bytes, std::string(1, static_cast<char>(rng.UniformInt(1, 4) << 3 | 2)),
      std::string(1, static_cast<char>(path.size())), path);
}

// The message with a field that claims to be long.
std::string WithClaim(const std::string& bytes, Rng& rng) {
  const std::string tag(1, static_cast<char>(rng.UniformInt(1, 5) << 3 | 2));
  // 1 GiB, 2 GiB less 1, and 4 GiB less 1.
  const std::string size = OneOf<std::string>(
      {"\x80\x80\x80\x80\x04", "\xff\xff\xff\xff\x07", "\xff\xff\xff\xff\x0f"},
      rng);
  const auto at = static_cast<size_t>(rng.UniformInt(0, 1) *
                                      static_cast<int64_t>(bytes.size()));
  return absl::StrCat(bytes.substr(0, at), tag, size, bytes.substr(at));
}

std::vector<std::string> TruncatedUpload(Rng& rng) {
  rpc::PutBlobRequest put;
  std::string digest;
  for (int i = 0; i < 64; ++i) digest += "0123456789abcdef"[rng.NextU64() % 16];
  put.set_digest(digest);
  const int64_t chunk = rng.UniformInt(0, 1 << 15);
  put.set_size(rng.UniformInt(0, 1) == 0 ? chunk + rng.UniformInt(1, 1 << 20)
                                         : int64_t{1} << 30);
  put.set_bytes(std::string(static_cast<size_t>(chunk), 'x'));
  std::vector<std::string> messages = {put.SerializeAsString()};
  // Each message has fewer bytes than are missing.
  put.Clear();
  put.set_bytes("more");
  for (int64_t i = rng.UniformInt(0, 3); i > 0; --i) {
    if (rng.UniformInt(0, 5) == 0) put.set_bytes(RandomBytes(1 << 20, rng));
    messages.push_back(put.SerializeAsString());
  }
  return messages;
}

// A block for a worker that runs: much too long, or with one odd value.
std::string HostileBlock(const std::string& session, Rng& rng) {
  const std::vector<int64_t> odd = {
      -1, 0, 1, 2, int64_t{1} << 31, int64_t{1} << 32, INT64_MAX, INT64_MIN};
  rpc::RunBlockRequest block;
  block.set_session(session);
  const int64_t samples = rng.UniformInt(0, 7) == 0 ? 150'000 : 2;
  for (int64_t i = 0; i < samples; ++i) {
    rpc::RunBlockRequest::Sample* sample = block.add_samples();
    sample->set_number(1);
    if (i > 0) continue;
    sample->set_program(static_cast<int32_t>(OneOf(odd, rng)));
    if (rng.UniformInt(0, 2) == 0) sample->set_program(0);
    if (rng.UniformInt(0, 2) == 0) sample->set_number(OneOf(odd, rng));
    if (rng.UniformInt(0, 4) == 0) sample->set_warmup_runs(OneOf(odd, rng));
    if (rng.UniformInt(0, 4) == 0) sample->set_warmup_nanos(OneOf(odd, rng));
  }
  if (rng.UniformInt(0, 4) == 0) block.set_min_sample_nanos(OneOf(odd, rng));
  if (rng.UniformInt(0, 4) == 0) block.set_cooldown_nanos(OneOf(odd, rng));
  if (rng.UniformInt(0, 4) == 0) block.set_flush_cache_bytes(OneOf(odd, rng));
  block.set_read_outputs(rng.UniformInt(0, 1) == 1);
  block.set_time_calls(rng.UniformInt(0, 1) == 1);
  return block.SerializeAsString();
}

}  // namespace

struct HostileMessages::Message {
  std::string kind;
  std::string method;
  std::vector<std::string> messages;
  std::multimap<std::string, std::string> metadata;
  bool cancels = false;  // instead of the end of the messages
  double timeout_seconds = 2 * kPatienceSeconds;
  bool has_deadline = true;
};

HostileMessages::HostileMessages(HostileTarget target, Loot loot,
                                 const DocumentedStatuses* statuses)
    : target_(std::move(target)),
      loot_(std::move(loot)),
      statuses_(*statuses) {}

HostileMessages::Message HostileMessages::Draw(const std::string& kind,
                                               Rng& rng) const {
  const bool agent = kind == kAgent;
  const HostileCall call =
      agent ? OneOf(AgentCalls(), rng) : OneOf(target_.calls, rng);
  Message message;
  message.kind = kind;
  message.method = call.method;
  message.messages = {call.message};
  std::string token = agent ? loot_.device_token : loot_.user_token;
  if (absl::EndsWith(call.method, "/Register")) token = loot_.device_token;
  std::string lease = loot_.lease;
  if (!target_.device.empty() && !agent) {
    message.metadata.insert({rpc::kDeviceMetadata, rng.UniformInt(0, 9) > 0
                                                       ? target_.device
                                                       : "no-device"});
  }
  if (kind == kFuzzed || agent) {
    message.messages = {Damaged(call.message, rng)};
    if (rng.UniformInt(0, 9) == 0) lease = Damaged(lease, rng);
    if (agent) {
      message.metadata.insert({kSessionKey, std::string(32, 'a')});
      // A device stays attached for as long as the call lasts.
      message.timeout_seconds = 0.1;
    }
  } else if (kind == kWrongToken) {
    switch (rng.UniformInt(0, 5)) {
      case 0:
        token = lease = "";
        break;
      case 1:
        token = std::string(64, 'f');
        // The largest ones are too large for gRPC.
        lease = RandomBytes(OneOf<int64_t>({1, 60, 4000, 100'000}, rng), rng);
        break;
      case 2:  // of the other role
        token =
            token == loot_.user_token ? loot_.device_token : loot_.user_token;
        lease = "";
        break;
      case 3:  // two of them
        message.metadata.insert({"authorization", "Bearer " + token});
        message.metadata.insert({rpc::kLeaseMetadata, lease});
        break;
      case 4:
        token = RandomBytes(200, rng);
        for (char& c : token) c = static_cast<char>('!' + (c & 0x3f));
        lease = token;
        break;
      default: {  // changed in one place
        token[static_cast<size_t>(rng.UniformInt(0, 63))] ^= 1;
        if (lease.empty()) break;
        const auto last = static_cast<int64_t>(lease.size()) - 1;
        lease[static_cast<size_t>(rng.UniformInt(0, last))] ^= 1;
      }
    }
  } else if (kind == kStaleLease) {
    if (!loot_.stale_leases.empty()) lease = OneOf(loot_.stale_leases, rng);
    const bool named = absl::EndsWith(call.method, "/Renew") ||
                       absl::EndsWith(call.method, "/Release");
    if (named && !loot_.ended.empty()) {
      message.messages = {OneOf(loot_.ended, rng).SerializeAsString()};
    }
  } else if (kind == kOtherLease) {
    if (!loot_.other_leases.empty()) lease = OneOf(loot_.other_leases, rng);
  } else if (kind == kClaim) {
    message.messages = {WithClaim(call.message, rng)};
  } else if (kind == kPathName) {
    message.messages = {WithPath(call.message, rng)};
  } else if (kind == kTruncated) {
    message.method = "/assay.rpc.Device/PutBlob";
    message.messages = TruncatedUpload(rng);
    message.cancels = rng.UniformInt(0, 2) == 0;
  } else if (kind == kLiveSession) {
    message.method = "/assay.rpc.Device/RunBlock";
    message.messages = {HostileBlock(loot_.session, rng)};
    // The worker cannot end some of the blocks.
    message.timeout_seconds = 0.3;
  } else if (kind == kCancelled) {
    message.cancels = rng.UniformInt(0, 1) == 0;
    message.timeout_seconds = 1e-3 * static_cast<double>(rng.UniformInt(0, 9));
  }
  if (!agent && rng.UniformInt(0, 49) == 0) message.has_deadline = false;
  if (!token.empty()) {
    message.metadata.insert({"authorization", "Bearer " + token});
  }
  if (!lease.empty()) message.metadata.insert({rpc::kLeaseMetadata, lease});
  return message;
}

absl::Status HostileMessages::Send(const std::string& kind, Rng& rng,
                                   HostileTally* tally) {
  const Message message = Draw(kind, rng);
  grpc::ClientContext context;
  for (const auto& [name, value] : message.metadata) {
    context.AddMetadata(name, value);
  }
  if (message.has_deadline) {
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::microseconds(static_cast<int64_t>(
                             message.timeout_seconds * 1e6)));
  }
  const int64_t start = MonotonicNanos();
  // Waits for the operation that was started, which is the only one.
  const auto done = [this] {
    void* tag = nullptr;
    bool ok = false;
    return queue_.Next(&tag, &ok) && ok;
  };
  grpc::GenericStub stub(target_.channel);
  const auto stream = stub.PrepareCall(&context, message.method, &queue_);
  stream->StartCall(nullptr);
  bool ok = done();
  for (size_t i = 0; ok && i < message.messages.size(); ++i) {
    const grpc::Slice slice(message.messages[i]);
    stream->Write(grpc::ByteBuffer(&slice, 1), nullptr);
    ok = done();
  }
  if (message.cancels) {
    context.TryCancel();
  } else if (ok) {
    stream->WritesDone(nullptr);
    done();
  }
  grpc::ByteBuffer answer;
  do {
    stream->Read(&answer, nullptr);
  } while (done());
  grpc::Status status;
  stream->Finish(&status, nullptr);
  done();
  const absl::Status result = rpc::FromGrpc(status);
  const double seconds = static_cast<double>(MonotonicNanos() - start) * 1e-9;
  tally->Add(absl::StatusCodeToString(result.code()), seconds,
             message.method.substr(message.method.rfind('/') + 1));
  return Check(message, result, seconds);
}

absl::Status HostileMessages::Check(const Message& message,
                                    const absl::Status& status,
                                    double seconds) const {
  const std::string text =
      absl::StrCat(message.kind, ", ", message.method, ": ", status.ToString());
  if (seconds > kPatienceSeconds) {
    return absl::DeadlineExceededError(
        absl::StrCat(text, " was the answer after ", seconds, " s"));
  }
  const std::string code = absl::StatusCodeToString(status.code());
  if (statuses_.Has(message.method, code)) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("undocumented: ", text));
}

std::vector<HostileCall> TrackerCalls() {
  rpc::FromDevice hello;
  hello.mutable_hello()->set_device("hostile");
  hello.mutable_hello()->set_key("hostile");
  hello.mutable_hello()->set_address("127.0.0.1:9");
  hello.mutable_hello()->mutable_facts()->set_fingerprint("hostile");
  (*hello.mutable_hello()->mutable_facts()->mutable_identity())["a"] = "b";
  rpc::FromDevice heartbeat;
  heartbeat.mutable_heartbeat()->mutable_health()->set_problem("none");
  heartbeat.mutable_heartbeat()->mutable_state()->set_load(0.5);
  rpc::AcquireRequest acquire;
  acquire.set_key("hostile");
  acquire.set_priority(50);
  acquire.set_wait_seconds(0.02);
  acquire.set_ticket("ticket");
  rpc::LeaseName lease;
  lease.set_device("hostile");
  lease.set_token(1);
  rpc::WithdrawRequest withdraw;
  withdraw.set_ticket("ticket");
  rpc::QuarantineRequest quarantine;
  quarantine.set_device("hostile");
  quarantine.set_reason("hostile");
  return {Call("Tracker/Register", hello),
          Call("Tracker/Register", heartbeat),
          Call("Tracker/Acquire", acquire),
          Call("Tracker/Withdraw", withdraw),
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
  rpc::PutBlobRequest put;
  put.set_digest(digest);
  put.set_size(5);
  put.set_bytes("bytes");
  rpc::OpenRequest open;
  open.add_artifacts()->set_digest(digest);
  open.mutable_artifacts(0)->set_signature(std::string(64, 's'));
  open.set_threads(1);
  rpc::SetInputsRequest inputs;
  inputs.set_session("1");
  inputs.set_digest(digest);
  rpc::RunBlockRequest block;
  block.set_session("1");
  block.add_samples()->set_number(1);
  rpc::CloseRequest close;
  close.set_session("1");
  return {Call("Device/FindBlobs", find),    Call("Device/PutBlob", put),
          Call("Device/Open", open),         Call("Device/SetInputs", inputs),
          Call("Device/RunBlock", block),    Call("Device/Close", close),
          Call("Device/NoSuchMethod", close)};
}

std::vector<HostileCall> AgentCalls() {
  rpc::AttachRequest attach;
  attach.set_device("hostile");
  attach.set_lease_key(
      "-----BEGIN PUBLIC KEY-----\n"
      "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
      "-----END PUBLIC KEY-----\n");
  rpc::ResponseFrame frame;
  frame.mutable_status()->set_code(3);
  frame.mutable_status()->set_message("message");
  return {Call("Proxy/Attach", attach), Call("Proxy/Carry", frame)};
}

}  // namespace assay
