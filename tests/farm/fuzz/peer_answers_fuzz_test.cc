// Fuzz test of what programs of the farm read from a peer that they have
// called: a device or a tracker may be hostile, too. Arbitrary messages, and
// valid ones with odd contents.
//
//   - The answers to a block (block_reader.h): refused, or as many samples as
//     were asked for, with outputs that are within the limits of the programs.
//   - A lease (granted_lease.h): refused, or one that can be kept.
//   - The list of devices (render_list.h): printable tables, and JSON.
//   - The message of an error (peer_status.h): one printable line.
//   - The key with which the tracker signs leases (lease_guard.h): refused, or
//     the only one that admits leases.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/stubs/logging.h"
#include "grpcpp/support/status.h"
#include "nlohmann/json.hpp"
#include "rpc/client/block/block_reader.h"
#include "rpc/client/granted_lease.h"
#include "rpc/client/peer_status.h"
#include "rpc/facts/facts_message.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/query/render_list.h"
#include "rpc/security/signature.h"
#include "rpc/server/lease_guard.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/ndarray.h"
#include "runtime/measure/session.h"
#include "tests/farm/fuzz/input.h"

namespace assay::rpc {
namespace {

using fuzz::Input;

void CheckRefusal(const absl::Status& status) {
  CHECK(absl::IsInternal(status) && !status.message().empty()) << status;
}

bool IsPrintable(absl::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return true;
}

runtime::Block ReadBlock(Input& input) {
  runtime::Block block;
  const int samples = input.Of(4);
  for (int i = 0; i < samples; ++i) {
    block.samples.push_back({input.Of(2), 1 + input.Of(3), 0, 0});
  }
  block.read_outputs = input.Of(2) == 1;
  block.time_calls = input.Of(2) == 1;
  return block;
}

// Returns the next message of the device: usually one that fits.
bool ReadAnswer(Input& input, RunBlockAnswer* answer) {
  // The tensor file of one output.
  static const std::string* const outputs =
      new std::string(runtime::SerializeTensors(
          {{"y", NDArray::FromVector<int64_t>({2}, {1, 2})}}));
  switch (input.Of(5)) {
    case 0:
      return answer->ParseFromString(input.Text());
    case 1:
      answer->mutable_state()->set_load(input.Byte());
      return true;
    case 2:
    case 3: {
      RunBlockAnswer::Sample* const sample = answer->mutable_sample();
      sample->set_nanos(input.Number());
      sample->set_number(input.Number());
      const int calls = input.Of(4);
      for (int i = 0; i < calls; ++i) sample->add_call_nanos(input.Number());
      const int kind = input.Of(3);
      if (kind == 1) sample->set_outputs_size(input.Number());
      if (kind == 2) {
        sample->set_outputs_size(static_cast<int64_t>(outputs->size()));
      }
      return true;
    }
    default:
      if (input.Of(2) == 0) {
        answer->set_outputs(input.Text());
      } else {
        const size_t begin = input.Of(static_cast<int>(outputs->size()));
        const int size = input.Byte();
        answer->set_outputs(outputs->substr(begin == 255 ? 0 : begin, size));
      }
      return true;
  }
}

void ReadBlockAnswers(Input& input) {
  const runtime::Block block = ReadBlock(input);
  const std::vector<ProgramLimits> limits = {{2, 200}, {0, 40}};
  BlockReader reader(block, limits);
  while (!input.AtEnd()) {
    RunBlockAnswer answer;
    if (!ReadAnswer(input, &answer)) continue;
    const absl::Status status = reader.Read(answer);
    if (!status.ok()) return CheckRefusal(status);
  }
  const auto result = reader.Finish();
  if (!result.ok()) return CheckRefusal(result.status());
  CHECK(result->samples.size() == block.samples.size());
  for (size_t i = 0; i < result->samples.size(); ++i) {
    const runtime::Sample& sample = result->samples[i];
    const ProgramLimits& limit = limits[block.samples[i].program];
    CHECK(sample.nanos > 0 && sample.number >= block.samples[i].number);
    CHECK(sample.call_nanos.empty() ||
          (block.time_calls &&
           static_cast<int64_t>(sample.call_nanos.size()) == limit.calls));
    const auto bytes =
        static_cast<int64_t>(runtime::SerializeTensors(sample.outputs).size());
    CHECK(block.read_outputs ? bytes <= limit.outputs_bytes
                             : sample.outputs.empty());
  }
}

void ReadAsLease(Input& input) {
  Lease message;
  if (input.Of(2) == 0) {
    if (!message.ParseFromString(input.Rest())) return;
  } else {
    LeaseTerms terms;
    terms.set_device(input.Of(2) == 0 ? "rack-1" : input.Text());
    terms.set_token(input.Number());
    terms.set_seconds(static_cast<double>(input.Number()) / 7);
    message.set_terms(input.Of(4) == 3 ? input.Text()
                                       : terms.SerializeAsString());
    message.set_signature(input.Text());
    message.set_address(input.Of(2) == 0 ? "10.0.0.7:9191" : input.Text());
    message.mutable_facts()->set_fingerprint(input.Of(2) == 0 ? "cortex-a53"
                                                              : input.Text());
    message.mutable_facts()->set_board(input.Text());
  }
  const auto lease = ReadLease(message);
  if (!lease.ok()) {
    CheckRefusal(lease.status());
    CHECK(!absl::StrContains(lease.status().message(), "\n"));
    return;
  }
  CHECK(lease->nanos >= 100'000'000 && lease->nanos <= 86400'000'000'000);
  CHECK(lease->name.token() >= 0 && !lease->name.device().empty());
  CHECK(lease->bytes.size() <= kMaxLeaseBytes);
  CHECK(!lease->address.endpoint.empty() && IsPrintable(lease->facts.board) &&
        !lease->facts.board.empty());
  CHECK(CheckFacts(FactsMessage(lease->facts)).ok());
}

void ReadAsList(Input& input) {
  ListAnswer list;
  if (input.Of(2) == 0) {
    if (!list.ParseFromString(input.Rest())) return;
  } else {
    while (!input.AtEnd()) {
      ListedDevice* const device = list.add_devices();
      device->set_device(input.Text());
      device->set_reason(input.Text());
      device->set_seconds_in_state(static_cast<double>(input.Number()));
      device->mutable_health()->set_canary_nanos(input.Number());
      device->mutable_health()->set_usual_canary_nanos(input.Number());
      ListedRequest* const request = list.add_queue();
      request->set_user(input.Text());
      request->set_wait_seconds(static_cast<double>(input.Number()));
    }
  }
  for (const char c : ListText(list)) CHECK(c == '\n' || (c & ~31) != 0);
  const std::string json = ListJson(list);
  CHECK(!nlohmann::json::parse(json, nullptr, false).is_discarded()) << json;
}

void ReadAsError(Input& input) {
  // Also codes that do not exist; the type has no larger ones.
  const int code = input.Of(32);
  const grpc::Status sent(static_cast<grpc::StatusCode>(code), input.Rest());
  const absl::Status status = PeerStatus(sent);
  CHECK(status.ok() == (code == 0));
  const std::string text(status.message());
  CHECK(IsPrintable(text) && text.size() <= 2000 && OneLine(text) == text);
}

void ReadAsKey(Input& input) {
  static const SigningKey* const key = new SigningKey(*SigningKey::Generate());
  static const std::string* const pem = new std::string(*key->PublicPem());
  std::string text = *pem;
  const bool is_changed = input.Of(8) != 0;
  if (is_changed) {
    const size_t at = static_cast<size_t>(input.Byte()) % text.size();
    const int removed = input.Byte();
    text.replace(at, removed, input.Text());
    if (input.Of(2) == 0) text = input.Rest();
  }
  FakeClock clock;
  LeaseGuard guard("board", &clock);
  const absl::Status set = guard.SetKey(text, input.Number());
  CHECK(is_changed || set.ok()) << set;
  CHECK(set.ok() || absl::IsInvalidArgument(set)) << set;
  guard.Ended(input.Number());
  LeaseTerms terms;
  terms.set_device("board");
  terms.set_token(input.Number());
  terms.set_seconds(10);
  Lease lease;
  lease.set_terms(terms.SerializeAsString());
  lease.set_signature(*key->Sign(SignaturePurpose::kLease, lease.terms()));
  const auto holder = guard.Check(lease.SerializeAsString());
  if (holder.ok()) {
    CHECK(set.ok() && holder->token == terms.token());
  } else if (!set.ok()) {
    CHECK(absl::IsUnavailable(holder.status())) << holder.status();
  }
}

}  // namespace
}  // namespace assay::rpc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // As in the programs: a line for each text that is not UTF-8 is too much.
  static auto* const unused = google::protobuf::SetLogHandler(nullptr);
  (void)unused;
  assay::fuzz::Input input(data, size);
  switch (input.Of(6)) {
    case 0:
    case 1:
      assay::rpc::ReadBlockAnswers(input);
      break;
    case 2:
      assay::rpc::ReadAsLease(input);
      break;
    case 3:
      assay::rpc::ReadAsList(input);
      break;
    case 4:
      assay::rpc::ReadAsError(input);
      break;
    default:
      assay::rpc::ReadAsKey(input);
  }
  return 0;
}
