// Fuzz test of the messages that prove who may use a device: leases
// (rpc/server/lease_guard.h) and facts (rpc/facts/facts_message.h), with
// arbitrary bytes.
//
//   - The bytes are not a lease that the tracker has signed, so they are
//     refused. Signed as the terms of a lease, they are refused or admitted,
//     but never for another device.
//   - Facts are refused, or become facts that can be sent again.
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "rpc/facts/facts_message.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/signature.h"
#include "rpc/server/lease_guard.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"

namespace assay::fuzz {
namespace {

constexpr char kDevice[] = "board";

// The key of the tracker.
const rpc::SigningKey& Key() {
  static const auto* key = new rpc::SigningKey(*rpc::SigningKey::Generate());
  return *key;
}

void CheckRefusal(const absl::Status& status) {
  CHECK(!status.message().empty()) << status;
  CHECK(absl::IsUnauthenticated(status) || absl::IsAborted(status)) << status;
}

void ReadAsLease(absl::string_view bytes) {
  FakeClock clock;
  rpc::LeaseGuard guard(kDevice, &clock);
  CHECK(guard.SetKey(*Key().PublicPem(), /*least_token=*/3).ok());
  const auto unsigned_lease = guard.Check(bytes);
  CHECK(!unsigned_lease.ok());
  CheckRefusal(unsigned_lease.status());

  rpc::Lease lease;
  lease.set_terms(std::string(bytes));
  lease.set_signature(*Key().Sign(rpc::SignaturePurpose::kLease, bytes));
  const auto holder = guard.Check(lease.SerializeAsString());
  if (!holder.ok()) return CheckRefusal(holder.status());
  rpc::LeaseTerms terms;
  CHECK(terms.ParseFromString(std::string(bytes)));
  CHECK(terms.device() == kDevice && holder->token == terms.token() &&
        holder->token >= 3);
  CHECK(guard.CheckToken(holder->token).ok());
  // It ends at the latest with the longest lease that the guard admits.
  clock.Advance(int64_t{24} * 3600 * 1'000'000'000);
  CHECK(absl::IsAborted(guard.CheckToken(holder->token)));
}

void ReadAsFacts(absl::string_view bytes) {
  rpc::DeviceFacts message;
  if (!message.ParseFromString(std::string(bytes))) return;
  const absl::Status status = rpc::CheckFacts(message);
  if (!status.ok()) {
    CHECK(absl::IsInvalidArgument(status) && !status.message().empty());
    // What a device sends is changed so that it is accepted.
    if (message.fingerprint().empty()) return;
    const auto sent = rpc::FactsMessage(rpc::FactsFrom(message));
    CHECK(rpc::CheckFacts(sent).ok()) << rpc::CheckFacts(sent);
    return;
  }
  const auto again = rpc::FactsMessage(rpc::FactsFrom(message));
  CHECK(again.fingerprint() == message.fingerprint() &&
        again.board() == message.board() &&
        again.identity_size() == message.identity_size() &&
        again.state_size() == message.state_size());
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  assay::fuzz::ReadAsLease(bytes);
  assay::fuzz::ReadAsFacts(bytes);
  return 0;
}
